import { expect, test } from 'vitest'
import { printable } from './hidden-characters.ts'
import { RowRefused } from './catalogue/notes.ts'
import { titleOf } from './catalogue/words.ts'
import { saidOf } from './plan-sources.ts'
import { ImportRefused } from './refused.ts'
import { reportLines } from './run.ts'

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

test.each([
  ['author', { authors: [{ lastName: REVERSED }] }],
  ['narrator', { audiobook: { narrators: [{ firstName: 'Ida', lastName: REVERSED }] } }],
  ['translator', { translator: { lastName: REVERSED } }],
  ['publisher', { publisher: { slug: 'row', name: REVERSED } }],
  ['series', { series: [{ name: REVERSED }] }],
])('a folder with reversing characters in the name of the %s is refused', (who, names) => {
  const found = { folder: 'box', sounds: [], book: { title: 'Peat', ...names } }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is read of a folder here
  const read = () => saidOf(found as never, undefined, undefined)
  expect(read).toThrow(ImportRefused)
  expect(read).toThrow(who)
  expect(read).toThrow('U+202E')
})

test('a terminal shows the code points instead', () => {
  expect(printable(`${REVERSED} \u001b[2J`)).toBe('The U+202Elive U+001B[2J')
  const [line] = reportLines({
    folder: `a\u202eb`,
    outcome: 'refused',
    details: ['No\u0007'],
    warnings: [],
  })
  expect(line).toBe('refused  aU+202Eb: NoU+0007')
})
