import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test('an excerpt is the sentence of the word that was found', () => {
  const html = '<p>Nobody came.</p><p>The salt &amp; the ropes were weighed at dawn.</p><p>It rained.</p>'
  expect(excerptOf(html, 'salt')).toBe('The salt & the ropes were weighed at dawn.')
})

test('of a long sentence, an excerpt has the clause of the word and those after it that fit', () => {
  const html =
    '<p>She counts what the others forget, and the salt is weighed at dawn, by two men who never spoke to anybody else on the quay.</p>'
  expect(excerptOf(html, 'salt')).toBe('… and the salt is weighed at dawn…')
  expect(excerptOf(html, 'quay')).toBe('… spoke to anybody else on the quay.')
})

test('a long clause is cut between two words, before the word that was found and after it', () => {
  const html = `<p>${'They counted every crate and barrel '.repeat(4)}before the Sälter came${' and went again'.repeat(9)}.</p>`
  expect(excerptOf(html, 'the salt')).toBe(
    '… crate and barrel before the Sälter came and went again and went…',
  )
})

test('a word that is only inside of another gives no excerpt, and neither does markup', () => {
  expect(excerptOf('<p class="salt">Unsalted</p>', 'salt')).toBeNull()
  expect(excerptOf('', 'salt')).toBeNull()
})
