import { expect, test } from 'vitest'
import { pageAddress } from './addresses.ts'

test('a page is rendered for the parameters that its screen reads, and no others', () => {
  expect(pageAddress('/audiobooks/?utm=x&page=2')).toBe('/audiobooks?page=2')
  // The plan of a gift: otherwise the app would render another selected tile than the server did.
  expect(pageAddress('/gift?plan=3&utm=x')).toBe('/gift?plan=3')
  expect(pageAddress('/xmas?plan=2')).toBe('/xmas?plan=2')
})
