import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyCartAfterJoining } from '#contract/buy-now.ts'
import { savedCards, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { chargesAt } from '#tests/support/checkout-page.ts'
import { memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { aBuyer, type Buyer, fillBag } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { cardOfNewMembership } from './buy-now.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const aBook = () => anAudioBook(all.shop, { priceMinor: 1100, memberPriceMinor: 880 })
const bagOf = async (buyer: Buyer) => (await buyer.ask('GET', '/api/carts/own')).json()
const pay = (buyer: Buyer, cart: string, subscription: string, amount = 8.8) =>
  buyer.ask('POST', `/api/carts/${cart}/buy_after_joining`, { subscription, amount })

/** A bag with one book, and a membership that was paid by card. */
async function joinedWithABag() {
  const buyer = await aBuyer(all.shop)
  const cart = await fillBag(buyer, [{ slug: (await aBook()).slug, kind: 'audio_books' }])
  const body = { plan: 4, startNow: true, amount: 8, cart }
  const { id, paymentIntent } = (await buyer.ask('POST', '/api/subscriptions', body)).json()
  const before = await pay(buyer, cart, id)
  await all.sandbox.confirm({ id: paymentIntent.split('_secret_')[0], clientSecret: paymentIntent })
  const member = memberOf(all.shop, buyer, id)
  await member.settle()
  return { buyer, cart, subscription: id as string, before, member }
}

test('paying: with a membership in the bag the books are paid after it, at member prices and with its card', async () => {
  const { buyer, cart, subscription, before } = await joinedWithABag()
  expect([before.statusCode, before.json().reason]).toEqual([422, 'payment_method_invalid'])
  const answer = await pay(buyer, cart, subscription)
  expect(misfits(buyCartAfterJoining.reply, answer.json())).toEqual([])
  const [order] = await all.shop.db.select().from(orders).where(eq(orders.id, answer.json().order))
  expect(order).toMatchObject({ state: 'paid', totalMinor: 880, waiverAt: expect.any(Date) })
  expect((await bagOf(buyer)).itemCount).toBe(0)
})

test('paying: pressed in ten tabs, the books after a membership are charged once and the card is not saved', async () => {
  const { buyer, cart, subscription } = await joinedWithABag()
  const before = (await chargesAt(all.sandbox)).length
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay(buyer, cart, subscription)))
  for (const each of answers) expect(['paid', 'checking']).toContain(each.json().outcome)
  expect(await chargesAt(all.sandbox)).toHaveLength(before + 1)
  expect(await all.shop.db.$count(savedCards, eq(savedCards.userId, buyer.user.id))).toBe(0)
})

test('paying: if the books are refused the membership stands, and the bag waits unchanged at member prices', async () => {
  const { buyer, cart, subscription, member } = await joinedWithABag()
  await all.bank(member, 'insufficient_funds')
  expect((await pay(buyer, cart, subscription)).json()).toMatchObject({
    outcome: 'refused',
    refusal: 'insufficient_funds',
  })
  expect((await member.current()).status).toBe('active')
  expect(await bagOf(buyer)).toMatchObject({ itemCount: 1, sumCheckedForPayment: 8.8 })
})

test('paying: a membership pays for a bag in its first hour only, for its owner, and not another sum', async () => {
  const { buyer, cart, subscription } = await joinedWithABag()
  const other = await aBuyer(all.shop)
  const bag = await fillBag(other, [{ slug: (await aBook()).slug, kind: 'audio_books' }])
  expect((await pay(other, bag, subscription)).statusCode).toBe(404)
  expect((await pay(buyer, cart, subscription, 11)).json().reason).toBe('total_changed')
  const hourAgo = new Date(all.shop.clock.now().getTime() - 3_600_000)
  await all.shop.db
    .update(subscriptions)
    .set({ orderedAt: hourAgo })
    .where(eq(subscriptions.id, subscription))
  expect((await pay(buyer, cart, subscription)).json().reason).toBe('payment_method_invalid')
})

test('paying: only a running membership that the provider bills pays for a bag, and no gift', async () => {
  const { buyer, cart, subscription } = await joinedWithABag()
  const set = (change: Partial<typeof subscriptions.$inferSelect>) =>
    all.shop.db.update(subscriptions).set(change).where(eq(subscriptions.id, subscription))
  const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, subscription))
  const { status, gift, providerId } = row!
  for (const change of [{ status: 'past_due' as const }, { gift: true }, { providerId: null }]) {
    await set(change)
    expect((await pay(buyer, cart, subscription)).json().reason).toBe('payment_method_invalid')
    await set({ status, gift, providerId })
  }
  expect((await pay(buyer, cart, subscription)).json().outcome).toBe('paid')
})

test('paying: a membership that PayPal pays, or nothing any more, does not pay for a bag', async () => {
  const buyer = await aBuyer(all.shop)
  const cart = await fillBag(buyer, [{ slug: (await aBook()).slug, kind: 'audio_books' }])
  const body = { plan: 4, startNow: true, amount: 8, cart }
  const begun = (await buyer.ask('POST', '/api/subscriptions', body)).json()
  const payment = { id: begun.paymentIntent.split('_secret_')[0], clientSecret: begun.paymentIntent }
  await all.sandbox.decide(await all.sandbox.confirmPayPal(payment, 'https://shop.example/back'), 'approve')
  const member = memberOf(all.shop, buyer, begun.id)
  await member.settle()
  expect((await member.current()).status).toBe('active')
  expect((await pay(buyer, cart, begun.id)).json().reason).toBe('payment_method_invalid')
  const { subscriptions: atProvider } = all.sandbox.billing
  const retrieve = async (id: string) => ({ ...(await atProvider.retrieve(id)), method: null })
  const shop = { ...all.shop, billing: { ...all.shop.billing, subscriptions: { ...atProvider, retrieve } } }
  const wish = { userId: buyer.user.id, id: begun.id, cartId: cart }
  await expect(cardOfNewMembership(shop, wish)).rejects.toMatchObject({ reason: 'payment_method_invalid' })
})

test('paying: a membership pays only for the bag that it was joined with, and only once', async () => {
  const { buyer, cart, subscription } = await joinedWithABag()
  const other = await fillBag(await aBuyer(all.shop), [{ slug: (await aBook()).slug, kind: 'audio_books' }])
  expect((await pay(buyer, other, subscription)).json().reason).toBe('payment_method_invalid')
  const first = (await pay(buyer, cart, subscription)).json()
  expect((await pay(buyer, cart, subscription)).json()).toMatchObject({ outcome: 'paid', order: first.order })
  expect(await fillBag(buyer, [{ slug: (await aBook()).slug, kind: 'audio_books' }])).toBe(cart)
  expect((await pay(buyer, cart, subscription)).json().reason).toBe('payment_method_invalid')
  expect((await bagOf(buyer)).itemCount).toBe(1)
})
