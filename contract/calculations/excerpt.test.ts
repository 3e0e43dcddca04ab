import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test('an excerpt begins with the sentence of the word that was found, and ends between two words', () => {
  const html =
    '<p>Nobody came.</p><p>The salt &amp; the ropes were weighed at dawn, by two men who never spoke to each other or to anybody else on the quay.</p>'
  expect(excerptOf(html, 'salt')).toBe('The salt & the ropes were weighed at dawn, by…')
})

test('a long sentence is cut between two words before the word that was found', () => {
  const html = `<p>${'They counted every crate and barrel '.repeat(4)}before the Sälter came.</p>`
  expect(excerptOf(html, 'the salt')).toBe('… and barrel before the Sälter came.')
})

test('a word that is only inside of another gives no excerpt, and neither does markup', () => {
  expect(excerptOf('<p class="salt">Unsalted</p>', 'salt')).toBeNull()
  expect(excerptOf('', 'salt')).toBeNull()
})
