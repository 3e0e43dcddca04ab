import type { Static, TSchema } from 'typebox'
import { linesOf } from '../json-lines.ts'
import { ImportRefused } from '../refused.ts'
import { checkerOf } from './checked.ts'
import { textOf } from './files.ts'

/** The content of a JSON file. Throws `ImportRefused` with a sentence for each mistake and the line it is in. */
export async function readJson<S extends TSchema>(path: string, schema: S): Promise<Static<S>> {
  const text = await textOf(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const where = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`
    throw new ImportRefused(`is not valid JSON${where}.`)
  }
  return checkerOf(schema)(value, linesOf(text))
}
