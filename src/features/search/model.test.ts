import { expect, test } from 'vitest'
import { keywordIn, kindsIn, sortIn, toggledKind } from './model.ts'

test('SEARCH-01: nothing of two characters or fewer is looked for', () => {
  expect(keywordIn('ha')).toBeNull()
  expect(keywordIn(' ha  ')).toBeNull()
  expect(keywordIn(undefined)).toBeNull()
  expect(keywordIn('har')).toBe('har')
  expect(keywordIn(' harbour light ')).toBe('harbour light')
  // Two letters, though JavaScript counts four units.
  expect(keywordIn('𝒽𝒶')).toBeNull()
})

test('SEARCH-09: the order is by relevance, or by name where the address says so', () => {
  expect(sortIn(undefined)).toBe('relevance')
  expect(sortIn('price')).toBe('relevance')
  expect(sortIn('name')).toBe('name')
})

test('SEARCH-17: types are taken in and out by their id, in one order', () => {
  expect(kindsIn('discussions,nonsense,articles')).toEqual(['articles', 'discussions'])
  expect(toggledKind(['discussions'], 'articles')).toEqual(['articles', 'discussions'])
  expect(toggledKind(['articles', 'discussions'], 'articles')).toEqual(['discussions'])
})
