import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Cart } from '#contract/bag.ts'
import { bagPurchase } from './purchases.ts'

const OWN = 'I want my books now, and understand I can’t cancel once they’re in my library.'
const GIFT =
  'Send my gift now. I understand I can take it back within 14 days, but not once it’s been opened.'
const GIFTS =
  'Send my gifts now. I understand I can take each back within 14 days, but not once it’s been opened.'

const waiverOf = (gifts: readonly boolean[], sumCheckedForPayment = 12) => {
  const cart = {
    uuid: 'c1',
    sumCheckedForPayment,
    itemCount: gifts.length,
    discount: null,
    items: gifts.map((gift) => ({ gift })),
  } as unknown as Cart
  return bagPurchase(new QueryClient(), cart, undefined).waiver
}

test.each([
  ['own books alone', [false, false], OWN],
  ['one gift alone', [true], GIFT],
  ['gifts alone', [true, true], GIFTS],
  ['a book and a gift', [false, true], `${OWN} ${GIFT}`],
])('the box says what is true for %s', (_what, gifts, words) => {
  expect(waiverOf(gifts)).toBe(words)
})

test('a free order has no waiver to accept', () => {
  expect(waiverOf([true], 0)).toBeUndefined()
})
