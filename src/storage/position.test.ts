import { expect, test } from 'vitest'
import { byPosition, positionBetween } from './position.ts'

const SMALLEST = `A${'0'.repeat(26)}`
const LARGEST = `z${'z'.repeat(26)}`

test.each([
  ['the first of all', undefined, undefined, 'a0'],
  ['after the last', 'a0', undefined, 'a1'],
  ['after a digit that is full', 'az', undefined, 'b00'],
  ['after two that are full', 'bzz', undefined, 'c000'],
  ['before the first', undefined, 'a0', 'Zz'],
  ['before one below zero', undefined, 'Zz', 'Zy'],
  ['before a digit that is empty', undefined, 'Z0', 'Yzz'],
  ['before two that are empty', undefined, 'Y00', 'Xzzz'],
  ['after the longest below zero of its length', 'Yzz', undefined, 'Z0'],
  ['after the last below zero', 'Zz', undefined, 'a0'],
  ['before a fraction of the first', undefined, 'a0V', 'a0'],
  ['between neighbours', 'a0', 'a1', 'a0V'],
  ['between a position and its fraction', 'a0', 'a0V', 'a0G'],
  ['between a fraction and the next position', 'a0V', 'a1', 'a0l'],
  ['between fractions that are neighbours', 'a0V', 'a0W', 'a0VV'],
  ['between fractions that begin alike', 'a0VG', 'a0VI', 'a0VH'],
  ['between positions that are further apart', 'a0', 'a5', 'a1'],
  ['before a fraction of the smallest', undefined, `${SMALLEST}V`, `${SMALLEST}G`],
  ['after the largest', LARGEST, undefined, `${LARGEST}V`],
])('a position %s: between %s and %s is %s', (_, before, after, expected) => {
  const between = positionBetween(before, after)
  expect(between).toBe(expected)
  expect((before ?? '') < between && between < (after ?? '~')).toBe(true)
})

test('rows are sorted by position, and rows with the same one by their id', () => {
  const row = (position: string, id: string) => ({ position, id })
  const rows = [row('a1', 'b'), row('a0V', 'c'), row('a1', 'a'), row('Zz', 'd')]
  expect(rows.toSorted(byPosition).map(({ id }) => id)).toEqual(['d', 'c', 'a', 'b'])
  expect(byPosition(row('a0', 'a'), row('a0', 'a'))).toBe(0)
})
