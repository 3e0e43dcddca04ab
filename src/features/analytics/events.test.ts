import { expect, test } from 'vitest'
import { addToCart, removeFromCart, viewCart, viewItem, viewItemList } from './events.ts'

const ledger = {
  entityType: 'audioBook',
  slug: 'the-lamplighters-ledger',
  title: 'The Lamplighter’s Ledger',
  price: 14.99,
} as const
const its = { ...ledger, entityType: 'eBook', price: 8.99 } as const

test('ANLT-01: every event is in pounds, with a tax of a fifth of its amount to the penny', () => {
  expect(viewItem(ledger).ecommerce).toMatchObject({ currency: 'GBP', value: 14.99, tax: 3 })
  expect(addToCart(its).ecommerce).toMatchObject({ currency: 'GBP', value: 8.99, tax: 1.8 })
  expect(removeFromCart(its).ecommerce).toMatchObject({ currency: 'GBP', value: 8.99, tax: 1.8 })
  expect(viewItemList('Audiobooks', [ledger, its], 1).ecommerce).toMatchObject({
    currency: 'GBP',
    value: 23.98,
    tax: 4.8,
  })
  // 0.1 + 0.2 is no amount of money.
  const tenAndTwenty = [0.1, 0.2].map((price) => ({ ...ledger, price }))
  expect(viewItemList('Audiobooks', tenAndTwenty, 1).ecommerce.value).toBe(0.3)
})

test('a bag is worth what it costs, also with a discount', () => {
  expect(viewCart([ledger, its], 2000).ecommerce).toMatchObject({ value: 20, tax: 4 })
})

test('a list names itself, and each of its books its place in the whole list', () => {
  const { event, ecommerce } = viewItemList('Current highlights', [ledger, its], 13)
  expect(event).toBe('view_item_list')
  expect(ecommerce.item_list_name).toBe('Current highlights')
  expect(ecommerce.items.map(({ item_id, price, index }) => ({ item_id, price, index }))).toEqual([
    { item_id: 'audio_books/the-lamplighters-ledger', price: 14.99, index: 13 },
    { item_id: 'e_books/the-lamplighters-ledger', price: 8.99, index: 14 },
  ])
})
