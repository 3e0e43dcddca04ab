import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cartItems } from '#server/db/schema/bag.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
})
afterAll(() => shop?.close())

test('a gift’s day keeps its time zone when another field changes, and loses it with the day', async () => {
  const buyer = await aBuyer(shop)
  const { slug } = await anAudioBook(shop, { priceMinor: 1200 })
  const added = await buyer.ask('POST', '/api/cart_items', { audioBook: `/api/audio_books/${slug}` })
  const id = added.json().uuid
  const zoneAfter = async (change: object) => {
    await buyer.ask('PATCH', `/api/cart_items/${id}`, change)
    const [row] = await shop.db.select().from(cartItems).where(eq(cartItems.id, id))
    return row!.giftZone
  }
  const giftDeliveryDate = new Date(shop.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
  const giftTimeZone = 'Pacific/Auckland'
  expect(await zoneAfter({ gift: true, giftDeliveryDate, giftTimeZone })).toBe(giftTimeZone)
  expect(await zoneAfter({ giftMessage: 'For you' })).toBe(giftTimeZone)
  expect(await zoneAfter({ giftDeliveryDate: null })).toBeNull()
})
