import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { ImportRefused } from '../refused.ts'

/** @throws `ImportRefused` if the file is not UTF-8 */
export async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof TypeError) throw new ImportRefused('is not UTF-8 text; save it in that encoding.')
    throw error
  }
}

/**
 * Resolves the path of a file that another file names.
 *
 * @throws `ImportRefused` if the path leaves the folder of that file
 */
export function besides(file: string, name: string): string {
  const folder = dirname(file)
  const path = join(folder, name)
  if (isAbsolute(name) || relative(folder, path).startsWith('..'))
    throw new ImportRefused(`“${name}” must lie beside the file.`)
  return path
}
