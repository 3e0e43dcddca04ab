import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCart } from '#contract/bag.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBuyer, fillBag } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
  await shop.db.insert(discounts).values({ code: 'TENTH', type: 'all', percent: 10 })
})
afterAll(() => shop?.close())

test('paying: the bag tells users without membership what a member would pay, if it is less', async () => {
  const buyer = await aBuyer(shop)
  const dear = await anAudioBook(shop, { priceMinor: 1100, memberPriceMinor: 880 })
  const id = await fillBag(buyer, [{ slug: dear.slug, kind: 'audio_books' }])
  const bag = async () => (await buyer.ask('GET', `/api/carts/${id}`)).json()
  expect(await bag()).toMatchObject({
    sumCheckedForPayment: 11,
    sumForMembers: 8.8,
    items: [{ priceForMembers: 8.8 }],
  })
  expect(misfits(getCart.reply, await bag())).toEqual([])
  await buyer.ask('PATCH', `/api/carts/${id}/apply-coupon`, { couponCode: 'TENTH' })
  expect((await bag()).sumForMembers).toBeUndefined()
  await buyer.ask('PATCH', `/api/carts/${id}/apply-coupon`, { couponCode: null })
  const now = shop.clock.now().getTime()
  const [from, until] = [new Date(now - 86_400_000), new Date(now + 86_400_000 * 20)]
  const period = { periodStart: from, periodEnd: until, validUntil: until }
  await shop.db.insert(subscriptions).values({ userId: buyer.user.id, plan: 4, status: 'active', ...period })
  expect(await bag()).toMatchObject({ sumCheckedForPayment: 8.8 })
  expect((await bag()).sumForMembers).toBeUndefined()
})

test('paying: a bag mentions no members’ prices if its titles cost members the same', async () => {
  const buyer = await aBuyer(shop)
  const same = await anAudioBook(shop, { priceMinor: 1100, memberPriceMinor: 1100 })
  const id = await fillBag(buyer, [{ slug: same.slug, kind: 'audio_books' }])
  const bag = (await buyer.ask('GET', `/api/carts/${id}`)).json()
  expect(bag).toMatchObject({ sumCheckedForPayment: 11, items: [{ price: 11 }] })
  expect(bag.sumForMembers).toBeUndefined()
  expect(bag.items[0].priceForMembers).toBeUndefined()
})
