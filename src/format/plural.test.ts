import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test('a count agrees with its noun', () => {
  expect(plural(1, 'item')).toBe('1 item')
  expect(plural(0, 'item')).toBe('0 items')
  expect(plural(1204, 'result')).toBe('1,204 results')
  expect(plural(2, 'story', 'stories')).toBe('2 stories')
})
