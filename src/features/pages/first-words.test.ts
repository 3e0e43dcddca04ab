import { expect, test } from 'vitest'
import { firstWords } from './first-words.ts'

test('a page is told by its first paragraph, without headings and marks', () => {
  expect(
    firstWords(
      '<h2>How</h2>\n<p>Salt &amp; <em>tar</em>, on the <a href="/browse">shelf</a>.</p><p>Next</p>',
    ),
  ).toBe('Salt & tar, on the shelf.')
  expect(firstWords('')).toBe('')
})

test('a long paragraph is cut between two words', () => {
  const told = firstWords(`<p>${'Every book is heard, '.repeat(20)}</p>`)
  expect(told.length).toBeLessThanOrEqual(161)
  expect(told).toMatch(/(Every|book|is|heard)…$/)
})
