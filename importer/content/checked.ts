import type { Static, TSchema } from 'typebox'
import { valueChecker } from '#server/settings/check-json.ts'
import { ImportRefused } from '../refused.ts'

/**
 * Returns a validator for front matter. Keys whose value is null count as absent.
 *
 * @throws `ImportRefused` (the validator) with one sentence per mistake, naming key and line
 */
export function checkerOf<S extends TSchema>(
  schema: S,
): (value: unknown, lines: ReadonlyMap<string, number>) => Static<S> {
  const check = valueChecker(schema)
  return (given, lines) => {
    const checked = check(given, () => lines)
    if ('mistakes' in checked) throw new ImportRefused(...checked.mistakes)
    return checked.value
  }
}
