import { expect, test } from 'vitest'
import { memberPrice, pence, pounds } from './pricing.ts'
import { fc } from '#tests/support/random.ts'

const price = fc.integer({ min: 0, max: 100_000 })

test.each([
  [1499, null, 1200],
  [1500, null, 1200],
  [1000, null, 800],
  [899, null, 720],
  [5, null, 5],
  [0, null, 0],
  [1200, 960, 960],
  [1200, 0, 960],
  [1499, 1100, 1200],
  [1200, 1500, 1200],
])('a book of %i pence with the stored member price %s costs a member %i', (minor, stored, expected) => {
  expect(memberPrice(minor, stored)).toBe(expected)
})

test('without a stored price a member pays at least 80%, at most 10p more, in whole 10p, never above the price', () => {
  fc.assert(
    fc.property(price, (minor) => {
      const member = memberPrice(minor, null)
      expect(member).toBeLessThanOrEqual(minor)
      expect(member * 10).toBeGreaterThanOrEqual(minor * 8)
      expect(member * 10 - minor * 8).toBeLessThan(100)
      expect(member % 10 === 0 || member === minor).toBe(true)
    }),
  )
})

test('MEMB-41: with any stored price a member pays 80% to 100% of the price; a stored price in that range applies', () => {
  fc.assert(
    fc.property(price, price, (minor, stored) => {
      const member = memberPrice(minor, stored)
      expect(member).toBeLessThanOrEqual(minor)
      expect(member * 10).toBeGreaterThanOrEqual(minor * 8)
      const isBetween = stored <= minor && stored * 10 >= minor * 8
      expect(member === stored || !isBetween).toBe(true)
    }),
  )
})

test('pence convert to exactly the pounds that a person would write', () => {
  fc.assert(
    fc.property(price, (minor) => {
      expect(pounds(minor)).toBe(Number(`${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`))
    }),
  )
})

test('typed pounds convert to whole pence, and undefined stays undefined', () => {
  expect([0, 0.07, 1.1, 4.35, 19.99, 1234.56].map((amount) => pence(amount))).toEqual([
    0, 7, 110, 435, 1999, 123456,
  ])
  expect(pence(undefined)).toBeUndefined()
})
