import { afterEach, expect, test } from 'vitest'
import { type DemoChapter, demoChapter, linesOf } from '#tests/support/demo-chapter.ts'
import { type ChapterAlignment, alignChapter, type ChapterLine } from './align-chapter.ts'
import type { Aligner } from './aligner.ts'
import { openSoundswallower } from './soundswallower.ts'

const open: Aligner[] = []
afterEach(() => {
  for (const aligner of open.splice(0)) aligner.close()
})

async function aligned(
  { sound }: Pick<DemoChapter, 'sound'>,
  lines: readonly ChapterLine[],
): Promise<ChapterAlignment> {
  const aligner = await openSoundswallower('en')
  open.push(aligner)
  return alignChapter(aligner, lines, sound)
}

/** How far each certain sentence is from where the demo's voice starts it, in seconds. */
const errorsOf = ({ placed }: ChapterAlignment, { starts }: DemoChapter): number[] =>
  placed.flatMap(({ id, start, isCertain }) =>
    isCertain ? [Math.abs(start - (starts.get(id) ?? Infinity)) / 100] : [],
  )

test('in step: every sentence of a chapter starts within 0.1 s, and its heading, which is not spoken, is left out', async () => {
  const chapter = await demoChapter('the-orchard-at-low-tide', 2)
  const found = await aligned(chapter, chapter.lines)
  const errors = errorsOf(found, chapter)
  expect(chapter.lines).toHaveLength(chapter.starts.size + 1)
  expect(errors).toHaveLength(chapter.starts.size)
  expect(Math.max(...errors)).toBeLessThanOrEqual(0.1)
  expect(found.placed.map(({ id }) => chapter.sentences[id]!.isHeading)).not.toContain(true)
  expect(found.extra).toBe(0)
})

test('in step: a sentence that only the text has is left out, and moves no other one', async () => {
  const chapter = await demoChapter('one-hour-island', 3)
  const sentences = chapter.sentences.toSpliced(6, 0, {
    words: 'The harbour master counted his grandmother’s silver spoons again before breakfast.',
    cfi: '',
    isHeading: false,
    ids: [],
  })
  const found = await aligned(chapter, linesOf(sentences))
  expect(found.skipped).toEqual([6])
  const placed = found.placed.map((line) => ({ ...line, id: line.id > 6 ? line.id - 1 : line.id }))
  const errors = errorsOf({ ...found, placed }, chapter)
  expect(errors).toHaveLength(chapter.starts.size)
  expect(Math.max(...errors)).toBeLessThanOrEqual(0.3)
})

test('in step: after a sentence that only the sound has, nothing that is marked certain is more than 0.3 s off', async () => {
  const chapter = await demoChapter('one-hour-island', 2)
  const found = await aligned(chapter, chapter.lines.toSpliced(8, 1))
  expect(found.extra).toBeGreaterThan(100)
  const errors = errorsOf(found, chapter)
  expect(errors.length).toBeGreaterThan(chapter.starts.size * 0.75)
  expect(Math.max(...errors)).toBeLessThanOrEqual(0.3)
})

test('in step: of a sample that ends within a sentence, those before it are placed within 0.1 s', async () => {
  const chapter = await demoChapter('the-salt-ledger', 1, 17)
  const excerpt = { ...chapter, sound: { ...chapter.sound, isExcerpt: true } }
  const errors = errorsOf(await aligned(excerpt, chapter.lines), chapter)
  expect(errors).toHaveLength(2)
  expect(Math.max(...errors)).toBeLessThanOrEqual(0.1)
})

test('in step: with another book’s text nothing is certain', async () => {
  const { sound } = await demoChapter('one-hour-island', 1, 12)
  const other = await demoChapter('the-salt-ledger', 1, 1)
  // As few lines as the sound has: of these one fits badly, of all nothing fits.
  const found = await aligned({ ...other, sound }, other.lines.slice(0, 5))
  expect(found.placed.filter(({ isCertain }) => isCertain)).toEqual([])
  const excerpt = await aligned({ ...other, sound: { ...sound, isExcerpt: true } }, other.lines.slice(0, 5))
  expect(excerpt.placed.filter(({ isCertain }) => isCertain)).toEqual([])
})
