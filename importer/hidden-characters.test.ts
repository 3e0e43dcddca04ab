import { expect, test } from 'vitest'
import { printable } from '#server/print/printable.ts'
import { RowRefused } from './catalogue/entry.ts'
import { titleOf } from './catalogue/words.ts'
import { saidOf } from './plan-sources.ts'
import { ImportRefused } from './refused.ts'
import { linesOf } from './run.ts'

/** Displayed as `The evil`: U+202E reverses the following text. */
const REVERSED = 'The \u202elive'

test('refuses a title with reversing characters, from a catalogue and from a folder', () => {
  expect(() => titleOf(REVERSED, '')).toThrow(RowRefused)
  expect(() => titleOf('The sea', 'a \u2066life')).toThrow('U+2066')
  const found = { folder: 'box', sounds: [], book: { title: REVERSED } }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is read of a folder here
  expect(() => saidOf(found as never, undefined, undefined)).toThrow(ImportRefused)
  // Many languages need joiners and soft hyphens.
  for (const title of ['می\u200cخواهم', 'क्\u200dष', 'Donau\u00addampf', 'עברית'])
    expect(titleOf(title, '')).toBe(title)
})

test('a terminal shows the code points instead', () => {
  expect(printable(`${REVERSED} \u001b[2J`)).toBe('The U+202Elive U+001B[2J')
  const [line] = linesOf({
    folder: `a\u202eb`,
    outcome: 'refused',
    details: ['No\u0007'],
    warnings: [],
  })
  expect(line).toBe('refused  aU+202Eb: NoU+0007')
})
