import type { Static, TSchema } from 'typebox'
import { jsonChecker } from '#server/settings/check-json.ts'
import { ImportRefused } from '../refused.ts'
import { textOf } from './files.ts'

/**
 * Reads and validates a JSON file.
 *
 * @throws `ImportRefused` with one sentence per mistake, naming its line
 */
export async function readJson<S extends TSchema>(path: string, schema: S): Promise<Static<S>> {
  const read = jsonChecker(schema)(await textOf(path))
  if ('mistakes' in read) throw new ImportRefused(...read.mistakes)
  return read.value
}
