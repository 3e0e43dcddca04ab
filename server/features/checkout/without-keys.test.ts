import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, fillBag } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0' } })
  await shop.db.insert(discounts).values({ code: 'WHOLE', type: 'all', percent: 100 })
})
afterAll(() => shop.close())

const YET = 'This shop can’t take payments yet. Nothing was charged.'

test('a shop without payment keys answers that it takes no payments yet, without Retry-After, and stores nothing', async () => {
  const buyer = await aBuyer(shop)
  const { slug } = await anAudioBook(shop, { priceMinor: 1200 })
  const cart = await fillBag(buyer, [{ slug, kind: 'audio_books' }])
  const gift = { plan: 1, giftKey: randomUUID(), giftEmail: 'friend@reader.example', startNow: true }
  const giver = { email: 'giver@reader.example', firstName: 'Ada', lastName: 'Low', countryCode: 'GB' }
  for (const [path, body] of [
    [`carts/${cart}/checkout`, { couponCode: null, waiver: true }],
    ['subscriptions', { plan: 4, startNow: true }],
    ['subscriptions/create_trial_subscription', { startNow: true }],
    ['subscriptions', { ...gift, gift: true }],
    ['subscriptions/give', { ...gift, giver }],
  ] as const) {
    const answer = await buyer.ask('POST', `/api/${path}`, body)
    expect([path, answer.statusCode, answer.json().message]).toEqual([path, 422, YET])
    expect(answer.headers['retry-after']).toBeUndefined()
  }
  expect([await shop.db.$count(orders), await shop.db.$count(subscriptions)]).toEqual([0, 0])
})

test('free things work without payment keys: a free title, a code that pays in full, a membership by code, a card', async () => {
  const buyer = await aBuyer(shop)
  const free = await anAudioBook(shop, { priceMinor: 0 })
  const taken = await buyer.ask('POST', `/api/audio_books/add-to-library/${free.slug}`, {})
  expect(taken.json()).toMatchObject({ inLibrary: true })
  const { slug } = await anAudioBook(shop, { priceMinor: 1200 })
  const cart = await fillBag(buyer, [{ slug, kind: 'audio_books' }])
  const paid = await buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: 'WHOLE' })
  expect(paid.json()).toMatchObject({ success: true, amount: 0, clientSecret: null })
  const joined = await buyer.ask('POST', '/api/subscriptions/create-without-payment', {
    plan: 4,
    couponCode: 'WHOLE',
    startNow: true,
  })
  expect([joined.statusCode, joined.json().status]).toEqual([201, 'active'])
  const card = await aCard(shop)
  await (await aBookshop(shop)).sell(card)
  const redeemed = await buyer.ask('POST', '/api/audiobook-cards/redeem', { token: card.code })
  expect(redeemed.statusCode).toBeLessThan(300)
})

test('a shop without payment keys has none for the browser, and says that no payment is real', async () => {
  const answer = await shop.app.inject('/api/payment_settings')
  expect(answer.json()).toMatchObject({ publishableKey: null, test: true })
})
