import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { libraryEntries } from '#server/db/schema/library.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, fillBag } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let sandbox: TestSandbox
let shop: TestShop
beforeAll(async () => {
  sandbox = await testSandbox()
  shop = await testShop({ env: { ...sandbox.env, DEMO: '1' } })
  shop.app.log.level = 'silent'
})
afterAll(async () => {
  await shop?.close()
  await sandbox?.close()
})

const AWAY = /^Our payment provider isn’t answering just now/

test('with a provider that limits requests and loses responses, buyers get 503 with Retry-After, and pay once', async () => {
  const buyer = await aBuyer(shop)
  const book = await anAudioBook(shop, { priceMinor: 1200 })
  const cart = await fillBag(buyer, [{ slug: book.slug, kind: 'audio_books' }])
  const checkOut = () => buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true })

  await sandbox.control('answers/refuse', { count: '100', path: '/v1/payment_intents', status: '429' })
  const limited = await checkOut()
  expect(limited.statusCode).toBe(503)
  expect(limited.json().description).toMatch(AWAY)
  expect(limited.headers['retry-after']).toMatch(/^\d+$/)
  await sandbox.control('answers/refuse', { count: '0' })

  // The payment is created, but its response is lost.
  await sandbox.control('answers/lose', { count: '1', path: '/v1/payment_intents' })
  const { clientSecret, order } = (await checkOut()).json()
  const id = clientSecret.split('_secret_')[0]
  await sandbox.confirm({ id, clientSecret })
  const proof = { paymentIntent: id, clientSecret }
  const returns = await Promise.all([1, 2, 3].map(() => buyer.ask('POST', '/api/payments/return', proof)))
  for (const answer of returns) expect(answer.statusCode).toBeOneOf([200, 409])
  expect((await buyer.ask('POST', '/api/payments/return', proof)).json().outcome).toBe('paid')

  const made = []
  for await (const payment of sandbox.payments.listPayments({})) made.push(payment)
  expect(made.map(({ state, amountMinor }) => [state, amountMinor])).toEqual([['paid', 1200]])
  const own = await shop.db.select().from(orders).where(eq(orders.userId, buyer.user.id))
  expect(own.map(({ id: made, state }) => [made, state])).toEqual([[order, 'paid']])
  expect(await shop.db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))).toBe(1)
})

test.runIf(process.env.LONG)(
  'a provider that is gone: buyers are told so, and pay when it is back',
  async () => {
    const buyer = await aBuyer(shop)
    const book = await anAudioBook(shop, { priceMinor: 900 })
    const cart = await fillBag(buyer, [{ slug: book.slug, kind: 'audio_books' }])
    const checkOut = () =>
      buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true })
    await sandbox.kill()
    const answer = await checkOut()
    expect([answer.statusCode, answer.json().description]).toEqual([503, expect.stringMatching(AWAY)])
    await sandbox.start()
    expect((await checkOut()).statusCode).toBe(200)
  },
)
