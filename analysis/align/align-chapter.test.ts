import { afterEach, expect, test } from 'vitest'
import { type DemoChapter, demoChapter, linesOf } from '#tests/support/demo-chapter.ts'
import { type ChapterAlignment, alignChapter, type ChapterLine } from './align-chapter.ts'
import type { Aligner, AlignOptions, Placement } from './aligner.ts'
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

const PAUSE = { start: 5000, end: 5100 }
const SILENT = 60

/** Speech with one pause, after 50 s, and what an aligner finds in it; one answer per search. */
async function withAnswers(
  sentences: readonly string[],
  seconds: number,
  ...answers: Partial<Placement>[][]
) {
  const lines = linesOf(sentences.map((words) => ({ words, cfi: '', isHeading: false, ids: [] })))
  const searches: (AlignOptions | undefined)[] = []
  const aligner: Aligner = {
    unknownWords: new Set(),
    close: () => undefined,
    async align(_speech, _lines, options) {
      searches.push(options)
      const found = answers[searches.length - 1] ?? []
      return found.map((each) => ({
        ...{ id: 0, start: 0, end: 0, score: -0.1, opening: 0.95, doubtful: [] },
        ...each,
      }))
    },
  }
  const levels = new Uint8Array(seconds * 100).fill(20)
  levels.fill(SILENT, PAUSE.start, PAUSE.end)
  const pieces: number[][] = []
  const speech = async (start: number, end: number) => {
    pieces.push([start, end])
    return new Float32Array((end - start) * 160)
  }
  return { ...(await alignChapter(aligner, lines, { levels, speech })), searches, pieces }
}

test('in step: a passage that is repeated is found at its first place, although its copy fits as well', async () => {
  const passage = ['The tide went out that night.', 'And nobody saw it go then.', 'And nobody saw it return.']
  const { placed, skipped } = await withAnswers([...passage, ...passage], 9, [
    { id: 0, start: 0, end: 300 },
    { id: 4, start: 300, end: 600 },
    { id: 5, start: 600, end: 900 },
  ])
  expect(placed.map(({ id, isCertain }) => [id, isCertain])).toEqual([
    [0, true],
    [1, true],
    [2, true],
  ])
  expect(skipped).toEqual([])
})

test.each([
  ['begins', 'We saw the tide go out that night.'],
  ['ends', 'And then, at last, we saw.'],
])(
  'in step: a sentence is not certain if one before it that was not found %s with its first words',
  async (_, missing) => {
    const sentences = [missing, 'We saw it return at dawn.', 'Nobody spoke of it again.']
    const { placed } = await withAnswers(['The harbour was quiet then.', ...sentences], 9, [
      { id: 0, start: 0, end: 300 },
      { id: 2, start: 300, end: 600 },
      { id: 3, start: 600, end: 900 },
    ])
    expect(placed.map(({ id, isCertain }) => [id, isCertain])).toEqual([
      [0, true],
      [2, false],
      [3, true],
    ])
  },
)

test('in step: a chapter is cut in a pause, and the sentence before the cut is searched again', async () => {
  const sentences = ['The harbour was quiet then.', 'We counted eleven boats.', 'You only look at low tide.']
  const { pieces } = await withAnswers(sentences, 90, [
    { id: 0, start: 0, end: 2500 },
    { id: 1, start: 2500, end: PAUSE.start },
  ])
  expect(pieces.slice(0, 2)).toEqual([
    [0, (PAUSE.start + PAUSE.end) / 2],
    [2500, 8500],
  ])
})

test('in step: where the usual search finds nothing, a wider one is tried, and the rest is searched as usual', async () => {
  const sentences = ['The harbour was quiet then.', 'We counted eleven boats.']
  const found = sentences.map((_, id) => ({ id, start: 100 + id * 200, end: 300 + id * 200 }))
  const { placed, searches } = await withAnswers(sentences, 5, [], [], found)
  expect(searches).toEqual([{ hasLeadIn: false }, { hasLeadIn: true }, { hasLeadIn: true, isWide: true }])
  expect(placed.map(({ id }) => id)).toEqual([0, 1])
})

test('in step: a sentence that is stretched over music does not hide the ones before it', async () => {
  const sentences = ['The harbour was quiet then.', 'We counted eleven boats.', 'You only look at low tide.']
  const { placed, searches } = await withAnswers(
    sentences,
    12,
    [{ id: 2, start: 0, end: 600, opening: 0.6 }],
    sentences.map((_, id) => ({ id, start: 300 + id * 300, end: 600 + id * 300 })),
  )
  expect(searches).toEqual([{ hasLeadIn: false }, { hasLeadIn: true }])
  expect(placed.map(({ id, start }) => [id, start])).toEqual([
    [0, 300],
    [1, 600],
    [2, 900],
  ])
})
