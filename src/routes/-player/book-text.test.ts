import { expect, test } from 'vitest'
import type { InStep } from '#features/in-step/in-step.ts'
import { findSentences } from './BookText.tsx'
import { justNow } from './JustNowSheet.tsx'

const sentence = (chapter: number, start: number, paragraph: number, words: string, isCertain = true) => ({
  ...{ chapter, start, end: start + 2, words, isCertain },
  cfi: `epubcfi(/6/${chapter * 2}!/4/${paragraph},/1:0,/1:9)`,
})
const BOOK: InStep = {
  ...{ version: 'one', eBook: 'low-tide', text: 'a-text', hasSpokenEBook: false },
  chapters: [
    {
      ...{ number: 1, title: 'One', sound: 'a', silences: [] },
      sentences: [
        sentence(1, 10, 2, 'Long ago.'),
        sentence(1, 590, 4, 'The café was shut.'),
        sentence(1, 595, 4, 'It rained.'),
      ],
    },
    {
      ...{ number: 2, title: 'Two', sound: 'b', silences: [] },
      sentences: [
        sentence(2, 5, 2, 'She counted them.'),
        sentence(2, 30, 4, 'Nobody’s pears.', false),
        sentence(2, 60, 4, 'What comes next.'),
      ],
    },
  ],
}
const CHAPTERS = [1, 2].map((number) => ({ number, title: '', seconds: 600, bytes: 0 }))

test('in step: what happened just now is the last five minutes in paragraphs, across chapters, and not a word further', () => {
  expect(justNow(BOOK, CHAPTERS, { chapter: 2, seconds: 40 })).toEqual([
    { chapter: 1, seconds: 590, words: 'The café was shut. It rained.', isCertain: true },
    { chapter: 2, seconds: 5, words: 'She counted them.', isCertain: true },
    { chapter: 2, seconds: 30, words: 'Nobody’s pears.', isCertain: false },
  ])
  expect(justNow(BOOK, CHAPTERS, { chapter: 1, seconds: 5 })).toEqual([])
})

test('in step: words are found in the whole book, whatever their accents, case and apostrophes', () => {
  const found = (words: string) => findSentences(BOOK, words)?.map((each) => each.words)
  expect(found('CAFE')).toEqual(['The café was shut.'])
  expect(found("nobody's")).toEqual(['Nobody’s pears.'])
  expect(found('zebra')).toEqual([])
  expect(found('c')).toBeUndefined()
})
