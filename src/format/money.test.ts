import { expect, test } from 'vitest'
import { amount, price, toMinor } from './money.ts'

test.each([
  [1200, '£12', '£12.00'],
  [960, '£9.60', '£9.60'],
  [1499, '£14.99', '£14.99'],
  [5, '£0.05', '£0.05'],
  [0, '£0', '£0.00'],
  [123450, '£1,234.50', '£1,234.50'],
  [100000000, '£1,000,000', '£1,000,000.00'],
  [-500, '−£5', '−£5.00'],
])('CONST-01: %i pence are %s on a card and %s in the bag', (minor, short, exact) => {
  expect(price(minor)).toBe(short)
  expect(amount(minor)).toBe(exact)
})

test('CONST-01: pounds from the API become whole pence', () => {
  expect([9.6, 14.99, 0.29, 1.005, 12].map(toMinor)).toEqual([960, 1499, 29, 100, 1200])
})
