import { expect, test } from 'vitest'
import type { CartMember } from '#contract/bag.ts'
import { bagWords, cartStateOf, linePrices, mergedWords, offerOf } from './model.ts'

const audio = (slug: string) => ({ audioBook: { slug }, eBook: null }) as unknown as CartMember
const ebook = (slug: string) => ({ audioBook: null, eBook: { slug } }) as unknown as CartMember

test('BAG-16: a title counts as in the bag as audiobook or e-book, on both of its pages', () => {
  const listen = { entityType: 'audioBook', slug: 'ledger' } as const
  const read = { entityType: 'eBook', slug: 'ledger-e' } as const
  expect(cartStateOf([], listen, 'ledger-e')).toBe('none')
  expect(cartStateOf([audio('ledger')], listen, 'ledger-e')).toBe('audio')
  expect(cartStateOf([audio('ledger')], read, 'ledger')).toBe('other-audio')
  expect(cartStateOf([ebook('ledger-e')], listen, 'ledger-e')).toBe('other-ebook')
  expect(cartStateOf([ebook('ledger-e')], read, 'ledger')).toBe('ebook')
  // The two formats may share a slug; different books never match.
  expect(cartStateOf([ebook('ledger')], { ...listen }, undefined)).toBe('none')
  expect(cartStateOf([audio('other')], listen, 'ledger-e')).toBe('none')
})

test('the offer depends on the book’s price, its availability and its owner', () => {
  const book = {
    entityType: 'audioBook',
    published: true,
    geoBlocked: false,
    price: 12,
    inLibrary: false,
    moveToLibrary: false,
  } as const
  expect(offerOf(book)).toBe('buy')
  expect(offerOf({ ...book, price: 0 })).toBe('free')
  expect(offerOf({ ...book, moveToLibrary: true })).toBe('claim')
  expect(offerOf({ ...book, inLibrary: true })).toBe('gift')
  expect(offerOf({ ...book, inLibrary: true, entityType: 'eBook' })).toBe('none')
  expect(offerOf({ ...book, inLibrary: true, price: 0 })).toBe('owned-free')
  expect(offerOf({ ...book, published: false })).toBe('none')
  expect(offerOf({ ...book, geoBlocked: true, price: 0 })).toBe('none')
})

test('the bag shows its number of titles and its total, with pence', () => {
  expect(bagWords({ itemCount: 1, sumCheckedForPayment: 12 })).toBe('Your bag has 1 item totalling £12.00')
  expect(bagWords({ itemCount: 3, sumCheckedForPayment: 23.5 })).toBe('Your bag has 3 items totalling £23.50')
})

test('the message after log-in names the merged titles, and is empty if there are none', () => {
  expect(mergedWords({ added: [], alreadyInBag: [], becameGifts: [] })).toBe('')
  expect(mergedWords({ added: ['Peat', 'Marram'], alreadyInBag: ['Skerry'], becameGifts: ['Peat'] })).toBe(
    'Peat and Marram moved to your bag. Skerry was already in it. You already own Peat, so it’s now in your bag as a gift.',
  )
  expect(mergedWords({ added: ['a', 'b', 'c', 'd'], alreadyInBag: [], becameGifts: [] })).toBe(
    '4 books moved to your bag.',
  )
})

test('paying: a line of the bag costs the member’s price as soon as a membership is in the bag', () => {
  const line = { price: 11, discountPrice: null, priceForMembers: 8.8 } as Parameters<typeof linePrices>[0]
  expect(linePrices(line, false)).toEqual({ before: 1100, now: 1100 })
  expect(linePrices(line, true)).toEqual({ before: 1100, now: 880 })
  expect(bagWords({ itemCount: 1, sumCheckedForPayment: 11, sumForMembers: 8.8 }, true)).toContain('£8.80')
  expect(linePrices({ ...line, discountPrice: 5.5 }, false)).toEqual({ before: 1100, now: 550 })
})
