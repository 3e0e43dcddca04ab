import type { Static, TSchema } from 'typebox'
import { valueChecker } from '#server/settings/check-json.ts'
import { ImportRefused } from '../refused.ts'

/**
 * A check that throws `ImportRefused` with one sentence for each mistake, naming key and line. Keys whose value is
 * null count as absent.
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
