import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { orderLines } from '#server/db/schema/orders.ts'
import { aBuyer, checkOut, fillBag, payingShop, type PayingShop } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { productView } from '#server/features/order-history/serializers.ts'
import { type Kind, lineColumns } from '../products/product.ts'
import { type Delivery, type Product, productOf } from '#server/features/products/product.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

test('the database refuses a line without a kind or without what its kind needs, so every paid line can be delivered', async () => {
  const buyer = await aBuyer(at.shop)
  const book = await anAudioBook(at.shop, { priceMinor: 1200 })
  const { order } = await checkOut(buyer, await fillBag(buyer, [{ ...book, kind: 'audio_books' }]))
  const stored = (change: Partial<Record<keyof typeof orderLines.$inferInsert, unknown>>) =>
    at.shop.db
      .update(orderLines)
      .set(change as Partial<typeof orderLines.$inferInsert>)
      .where(eq(orderLines.orderId, order))
      .then(
        () => true,
        () => false,
      )
  expect(await stored({ bookId: null })).toBe(false)
  expect(await stored({ plan: 4 })).toBe(false)
  expect(await stored({ kind: 'membership' })).toBe(false)
  expect(await stored({ kind: 'membership', bookId: null })).toBe(false)
  expect(await stored({ kind: 'voucher' })).toBe(false)
  expect(await stored({ kind: 'membership_gift', bookId: null, plan: 4 })).toBe(false)
  expect(await stored({ kind: 'membership', bookId: null, plan: 4 })).toBe(true)
  expect(await stored({ kind: 'title', bookId: book.id, plan: null })).toBe(true)
})

test('every kind reads back what it wrote', () => {
  const nothing = {
    bookId: null,
    plan: null,
    giftDetails: null,
    entryId: null,
    subscriptionId: null,
    membershipGiftId: null,
    format: 'e_book',
  } as const
  for (const sold of [
    { kind: 'title', bookId: 7, format: 'e_book' },
    { kind: 'membership', plan: 4 },
    {
      kind: 'membership_gift',
      plan: 5,
      firstName: 'Ann',
      day: '2026-12-25',
      zone: 'Asia/Tokyo',
      christmas: true,
    },
  ] as const) {
    const { write, read } = lineColumns(sold)
    expect(read({ ...nothing, kind: sold.kind, ...write(sold) })).toEqual(sold)
  }
})

test('a receipt contains the membership that a line delivered, and none if it delivered nothing', () => {
  const sold = { kind: 'membership', plan: 4 } as const
  const viewOf = (deliveredId: string | null) => productView({ sold, deliveredId }, new Map())
  expect(viewOf('theirs').subscription).toEqual({ id: 'theirs', plan: 4 })
  expect(viewOf(null).subscription).toBeNull()
})

test('a kind compiles only if it returns what it delivered or why it refused', () => {
  type Answer = Awaited<ReturnType<Product<Kind>['deliver' | 'give']>>
  expectTypeOf<Answer>().toEqualTypeOf<Delivery>()
  expectTypeOf<null | undefined>().not.toExtend<Delivery>()
  expectTypeOf<{ deliveredId: null }>().not.toExtend<Delivery>()
  expectTypeOf<object>().not.toExtend<Delivery>()
})

test('the checkout refuses a membership, for the buyer and as a gift', async () => {
  const { db, config, clock } = at.shop
  const sold = { kind: 'membership', plan: 4 } as const
  const { deliver, give } = productOf(sold)
  const desk = { config, clock }
  expect(await deliver(db, desk, sold, { userId: 'someone', source: 'purchase' })).toEqual({
    refused: 'elsewhere',
  })
  const gift = {
    orderId: 'order',
    orderLineId: 'line',
    title: 'Monthly',
    giver: { id: 'someone', name: 'Someone', email: 'someone@example.com' },
    email: 'friend@example.com',
    message: null,
    giftDay: null,
    giftZone: null,
    paidMinor: 800,
  }
  expect(await give(db, desk, sold, gift)).toEqual({ refused: 'elsewhere' })
})
