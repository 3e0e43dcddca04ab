import { eq } from 'drizzle-orm'
import { lockOrder, updateReservation } from './queries.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, checkOut, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aRecipient, give } from '#tests/support/gifts.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

test('the order of a gift names a gift as its source, and the order of a bag its cart', async () => {
  const giver = await aBuyer(at.shop)
  const { order } = await give(at, giver, { giftEmail: aRecipient(), plan: 5 })
  const cart = await fillBag(giver, [{ ...(await anAudioBook(at.shop)), kind: 'audio_books' }])
  const { order: ofBag } = await checkOut(giver, cart)
  const sourceOf = async (id: string) => {
    const [row] = await at.shop.db.select().from(orders).where(eq(orders.id, id))
    return [row!.sourceKind, row!.sourceId]
  }
  expect(await sourceOf(order)).toEqual(['membership_gift', expect.any(String)])
  expect(await sourceOf(ofBag)).toEqual(['cart', cart])
})

test('a code is reserved without waiting for an order that another transaction has locked', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [{ ...(await anAudioBook(at.shop)), kind: 'audio_books' }])
  const { order } = await checkOut(buyer, cart)
  const until = new Date('2030-01-01')
  const reservedUntil = async () =>
    (await at.shop.db.select().from(orders).where(eq(orders.id, order)))[0]!.couponReservedUntil
  await at.shop.db.transaction(async (tx) => {
    await lockOrder(tx, order)
    await updateReservation(at.shop.db, order, until)
  })
  expect(await reservedUntil()).toBeNull()
  await updateReservation(at.shop.db, order, until)
  expect(await reservedUntil()).toEqual(until)
})
