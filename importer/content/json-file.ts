import type { Static, TSchema } from 'typebox'
import { jsonChecker } from '#server/settings/check-json.ts'
import { ImportRefused } from '../refused.ts'
import { textOf } from './files.ts'

/** The content of a JSON file. Throws `ImportRefused` with a sentence for each mistake and the line it is in. */
export async function readJson<S extends TSchema>(path: string, schema: S): Promise<Static<S>> {
  const read = jsonChecker(schema)(await textOf(path))
  if ('mistakes' in read) throw new ImportRefused(...read.mistakes)
  return read.value
}
