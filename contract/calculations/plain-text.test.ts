import { expect, test } from 'vitest'
import { firstWords, plainText } from './plain-text.ts'

test('HTML becomes one line of text, without tags, and with decoded entities', () => {
  expect(plainText('<p>Salt &amp; <em>tar</em>,\n<br>&quot;wet&quot; &lt;dark&gt;.</p>')).toBe(
    'Salt & tar, "wet" <dark>.',
  )
  expect(plainText('')).toBe('')
})
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
