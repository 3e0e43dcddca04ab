import { expect, test } from 'vitest'
import type { EpubText } from './epub-text.ts'
import { matchChapters } from './match-chapters.ts'

const heading = (words: string) => ({ words, cfi: '', isHeading: true, ids: [] })
const sentence = (words: string) => ({ words, cfi: '', isHeading: false, ids: [] })
const textOf = (...sentences: ReturnType<typeof sentence>[]) =>
  ({ language: 'en', sections: [{ sentences }] }) as unknown as EpubText
const chapters = (...titles: string[]) =>
  titles.map((title, index) => ({ number: index + 1, title, durationMs: 60_000 }))
const wordsOf = (matched: ReturnType<typeof matchChapters>) =>
  matched.map(({ sentences, isGuessed }) => [isGuessed, sentences.map(({ words }) => words)])

test('in step: chapters are matched by heading, also where numbers are written as words and the text has more', () => {
  const text = textOf(
    ...[heading('Foreword'), sentence('Read me first.')],
    ...[heading('Chapter Five'), heading('The Roost'), sentence('It began.')],
    ...[heading('VI. The second ledger'), sentence('It went on.')],
  )
  expect(wordsOf(matchChapters(text, chapters('Chapter 5: The Roost', 'The second ledger')))).toEqual([
    [false, ['Chapter Five', 'The Roost', 'It began.']],
    [false, ['VI. The second ledger', 'It went on.']],
  ])
})

test('in step: a chapter without a heading of its own gets the text of its length, and some of its neighbours’', () => {
  const lines = Array.from({ length: 8 }, (_, index) => sentence(`Sentence ${index} of the book.`))
  const [first, second] = matchChapters(textOf(...lines), chapters('Track 1', 'Track 2'))
  expect([first!.isGuessed, second!.isGuessed]).toEqual([true, true])
  expect(first!.sentences).toEqual(lines.slice(0, 5))
  expect(second!.sentences).toEqual(lines.slice(3))
})
