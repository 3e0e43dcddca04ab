import { expect, test } from 'vitest'
import { chapterInWords } from './chapter.ts'

test.each([
  ['4. The weighing room', 4, 'The weighing room', 14],
  ['Chapter 4', 4, 'Chapter 4', 14],
  ['2: The tide', 3, '2: The tide', undefined],
  ['Chapter 4 of 14', 4, undefined, 14],
  ['Chapter 4', 4, undefined, undefined],
])('a chapter is called “%s”', (words, number, name, of) => {
  expect(chapterInWords(number, name, of)).toBe(words)
})
