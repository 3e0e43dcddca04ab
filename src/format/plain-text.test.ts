import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test('the words of HTML stand on one line, without marks, and with the characters they mean', () => {
  expect(plainText('<p>Salt &amp; <em>tar</em>,\n<br>&quot;wet&quot; &lt;dark&gt;.</p>')).toBe(
    'Salt & tar, "wet" <dark>.',
  )
  expect(plainText('')).toBe('')
})
