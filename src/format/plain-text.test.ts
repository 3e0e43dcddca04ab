import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test('HTML becomes one line of text, without tags, and with decoded entities', () => {
  expect(plainText('<p>Salt &amp; <em>tar</em>,\n<br>&quot;wet&quot; &lt;dark&gt;.</p>')).toBe(
    'Salt & tar, "wet" <dark>.',
  )
  expect(plainText('')).toBe('')
})
