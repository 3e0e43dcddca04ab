import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/durations.ts'
import { PROOF_MINUTES } from '#contract/limits.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBuyer, type Buyer, fillBag, payingShop, type PayingShop } from '#tests/support/purchases.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at?.shop.close())

/** A user who logged in that many minutes ago. */
async function loggedInAgo(minutes: number): Promise<Buyer> {
  const buyer = await aBuyer(at.shop)
  const createdAt = new Date(at.shop.now().getTime() - minutes * MINUTE_MS)
  await at.shop.db.update(sessions).set({ createdAt }).where(eq(sessions.userId, buyer.user.id))
  return buyer
}
const long = () => loggedInAgo(PROOF_MINUTES)
const title = async () => ({ slug: (await anAudioBook(at.shop)).slug, kind: 'audio_books' as const })
const checkOut = (buyer: Buyer, cart: string, more: object = {}) =>
  buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true, ...more })
const GIFT = {
  plan: 4,
  gift: true,
  giftEmail: 'friend@murmur.example',
  startNow: true,
}
const prove = (buyer: Buyer, password = buyer.user.password) =>
  buyer.ask('POST', `/api/users/${buyer.user.id}/prove`, { password })
const NEEDED = { status: 403, reason: 'proof_needed' }

test('paying: an old session buys titles for its own library without being asked for a password', async () => {
  const buyer = await long()
  expect((await checkOut(buyer, await fillBag(buyer, [await title()]))).statusCode).toBe(200)
})

test('paying: giving a title needs the password, once in 15 minutes, and the bag stays as it was', async () => {
  const buyer = await long()
  const cart = await fillBag(buyer, [{ ...(await title()), giftEmail: 'friend@murmur.example' }])
  expect((await checkOut(buyer, cart)).json()).toMatchObject(NEEDED)
  expect((await prove(buyer, 'not-my-password')).statusCode).toBe(422)
  expect((await checkOut(buyer, cart)).json()).toMatchObject(NEEDED)
  expect((await prove(buyer)).statusCode).toBe(204)
  expect((await checkOut(buyer, cart)).json().clientSecret).toBeTruthy()
  await at.shop.db
    .update(sessions)
    .set({ provedAt: new Date(at.shop.now().getTime() - PROOF_MINUTES * MINUTE_MS) })
    .where(eq(sessions.userId, buyer.user.id))
  expect((await checkOut(buyer, cart)).json()).toMatchObject(NEEDED)
})

test('paying: giving a membership and sending a gift to another address need the password', async () => {
  const buyer = await long()
  expect((await buyer.ask('POST', '/api/subscriptions', GIFT)).json()).toMatchObject(NEEDED)
  for (const url of ['/api/gifts/given/', '/api/subscriptions/given/']) {
    const gift = `${url}00000000-0000-4000-8000-000000000000`
    expect((await buyer.ask('PATCH', gift, { giftEmail: 'thief@murmur.example' })).json()).toMatchObject(
      NEEDED,
    )
    expect((await buyer.ask('PATCH', gift, { giftMessage: 'Enjoy it' })).statusCode).toBe(404)
  }
  await prove(buyer)
  expect((await buyer.ask('POST', '/api/subscriptions', GIFT)).json().paymentIntent).toBeTruthy()
})

test('paying: adding a card needs the password, whichever call adds it', async () => {
  const buyer = await long()
  const cart = await fillBag(buyer, [await title()])
  expect((await checkOut(buyer, cart, { saveCard: true })).json()).toMatchObject(NEEDED)
  const id = '00000000-0000-4000-8000-000000000000'
  const paymentMethod = 'pm_card_visa'
  for (const [method, url, body] of [
    ['GET', '/api/subscription_intents'],
    ['GET', '/api/setup-intent'],
    ['PATCH', `/api/subscriptions/${id}`, { paymentMethod }],
    ['POST', `/api/subscriptions/${id}/update-payment-method`, { paymentMethod }],
    ['POST', `/api/set-payment-method/${id}`, { paymentMethod }],
    ['POST', '/api/subscriptions', { plan: 4, startNow: true, saveCard: true }],
    ['POST', '/api/subscriptions', { plan: 4, startNow: true, paymentMethod }],
    ['POST', '/api/subscriptions/create_trial_subscription', { startNow: true, saveCard: true }],
  ] as const)
    expect((await buyer.ask(method, url, body)).json(), url).toMatchObject(NEEDED)
  await prove(buyer)
  // The fake provider has no customers, so it gets no further.
  expect((await checkOut(buyer, cart, { saveCard: true })).json().reason).toBeUndefined()
})

test('paying: a log-in counts as proof for 15 minutes, and a proof belongs to one session', async () => {
  const fresh = await loggedInAgo(PROOF_MINUTES - 1)
  expect((await fresh.ask('POST', '/api/subscriptions', GIFT)).statusCode).toBe(201)
  const [one, other] = [await long(), await long()]
  await prove(one)
  expect((await other.ask('POST', '/api/subscriptions', GIFT)).json()).toMatchObject(NEEDED)
  const foreign = await one.ask('POST', `/api/users/${other.user.id}/prove`, {
    password: other.user.password,
  })
  expect(foreign.statusCode).toBe(404)
})

test('paying: passwords can’t be guessed through the proof', async () => {
  const buyer = await long()
  for (let guess = 0; guess < 5; guess += 1) await prove(buyer, `guess-${guess}`)
  expect((await prove(buyer)).statusCode).toBe(429)
})
