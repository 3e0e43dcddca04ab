import { expect, test } from 'vitest'
import { instantOf } from './files.ts'

test.each([
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02T19:30Z', '2026-03-02T19:30:00.000Z'],
  ['2026-03-02 19:30:15+01:00', '2026-03-02T18:30:15.000Z'],
  ['2026-03-02T19:30', '2026-03-02T19:30:00.000Z'],
  ['2026-07-02T19:30', '2026-07-02T18:30:00.000Z'],
  ['2026-07-01 00:15', '2026-06-30T23:15:00.000Z'],
])('%s is %s: a time without a zone is London time', (text, instant) =>
  expect(instantOf(text)?.toISOString()).toBe(instant),
)

test.each(['2026-02-31', '2026-13-01', '2026-02-31T10:00Z', '2026-03-02T25:00Z', 'soon'])(
  '%s is not a valid date',
  (text) => expect(instantOf(text)).toBeUndefined(),
)
