import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { cartItems } from '#server/db/schema/bag.ts'
import { discounts, discountUses } from '#server/db/schema/discounts.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
  type CheckoutStarted,
} from '#tests/support/purchases.ts'
import { anAudioBook, anEBook, type TestBook } from '#tests/support/builders.ts'

import { randomNumbers } from '#tests/support/random.ts'
import { thePlug } from '#tests/support/network-switch.ts'
import { reconcile } from './reconcile-payments.ts'

const RUNS = process.env.LONG ? 50 : 4
vi.setConfig({ testTimeout: 600_000 })

let at: PayingShop
const plug = thePlug()
beforeAll(async () => {
  at = await payingShop()
  // Every cut connection would log an error.
  at.shop.app.log.level = 'silent'
  await at.shop.db.insert(discounts).values({ code: 'TENTH', type: 'all', percent: 10, oncePerAccount: true })
})
afterEach(() => {
  plug.disarm()
  at.payments.onCall = () => undefined
})
afterAll(async () => {
  plug.remove()
  await at.shop.close()
})

interface Purchase {
  readonly buyer: Buyer
  readonly cart: string
  readonly audioBook: TestBook
  readonly eBook: TestBook
  readonly friend: string
}

async function aPurchase(): Promise<Purchase> {
  const buyer = await aBuyer(at.shop)
  const audioBook = await anAudioBook(at.shop, { priceMinor: 1200 })
  const eBook = await anEBook(at.shop, { priceMinor: 599 })
  const friend = `${buyer.user.id}@post.example`
  const cart = await fillBag(buyer, [
    { ...audioBook, kind: 'audio_books' },
    { ...eBook, kind: 'e_books', giftEmail: friend },
  ])
  return { buyer, cart, audioBook, eBook, friend }
}

async function expectOnePurchase({ buyer, cart, audioBook, eBook, friend }: Purchase): Promise<void> {
  const { db } = at.shop
  const own = await db.select().from(orders).where(eq(orders.userId, buyer.user.id))
  const paid = own.filter(({ state }) => state === 'paid')
  expect(paid.map(({ totalMinor }) => totalMinor)).toEqual([1700])
  expect(own.filter(({ state }) => state === 'awaiting_payment')).toEqual([])
  const ids = new Set(own.map(({ id }) => id))
  const charged = [...at.payments.made.values()].filter(
    ({ metadata, state }) => ids.has(metadata.order!) && state === 'paid',
  )
  expect(charged.map(({ amountMinor, refundedMinor }) => [amountMinor, refundedMinor])).toEqual([[1700, 0]])
  expect(charged[0]!.metadata.order).toBe(paid[0]!.id)
  const asked = [...at.payments.made.values()].filter(({ metadata }) => metadata.order === paid[0]!.id)
  expect(asked).toHaveLength(1)
  const shelf = await db.select().from(libraryEntries).where(eq(libraryEntries.userId, buyer.user.id))
  expect(shelf.map(({ bookId }) => bookId)).toEqual([audioBook.id])
  expect(await db.$count(gifts, and(eq(gifts.giverId, buyer.user.id), eq(gifts.bookId, eBook.id)))).toBe(1)
  expect(await db.$count(mails, eq(mails.recipient, friend))).toBe(1)
  expect(await db.$count(mails, eq(mails.recipient, buyer.user.email))).toBe(1)
  expect(await db.$count(discountUses, eq(discountUses.userId, buyer.user.id))).toBe(1)
  expect(await db.$count(feedEvents, eq(feedEvents.userId, buyer.user.id))).toBe(1)
  expect(await db.$count(cartItems, eq(cartItems.cartId, cart))).toBe(0)
}

const eventOf = ({ intent }: CheckoutStarted, id?: string) => hearOf(at, intent, id)
const random = randomNumbers()
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

async function paidCheckout(): Promise<{ purchase: Purchase; till: CheckoutStarted }> {
  const purchase = await aPurchase()
  const till = await checkOut(purchase.buyer, purchase.cart, 'TENTH')
  at.payments.pay(till.intent)
  return { purchase, till }
}

test('trap 24: the webhook before the return page', async () => {
  for (let run = 0; run < RUNS; run++) {
    const { purchase, till } = await paidCheckout()
    expect((await eventOf(till)).statusCode).toBe(200)
    expect((await comeBack(purchase.buyer, till)).json()).toEqual({ outcome: 'paid', order: till.order })
    await expectOnePurchase(purchase)
  }
})

test('trap 24: the webhook after the return page', async () => {
  for (let run = 0; run < RUNS; run++) {
    const { purchase, till } = await paidCheckout()
    expect((await comeBack(purchase.buyer, till)).json()).toEqual({ outcome: 'paid', order: till.order })
    expect((await eventOf(till)).statusCode).toBe(200)
    await expectOnePurchase(purchase)
  }
})

test('trap 24: webhooks and return pages at the same time, repeated, in any order', async () => {
  for (let run = 0; run < RUNS; run++) {
    const { purchase, till } = await paidCheckout()
    const event = `evt_${till.intent}`
    const news = [
      () => eventOf(till, event),
      () => eventOf(till, event),
      () => eventOf(till),
      () => hearOf(at, till.intent, undefined, 'charge.succeeded'),
      () => comeBack(purchase.buyer, till),
      () => comeBack(purchase.buyer, till),
      () =>
        purchase.buyer.ask('POST', `/api/carts/${purchase.cart}/checkout`, {
          couponCode: 'TENTH',
          waiver: true,
        }),
    ]
    const answers = await Promise.all(shuffled(news).map((hear) => hear()))
    for (const answer of answers) expect(answer.statusCode).toBe(200)
    await expectOnePurchase(purchase)
  }
})

test('trap 24: a repeated checkout does not wait for an order that is being settled', async () => {
  const purchase = await aPurchase()
  const till = await checkOut(purchase.buyer, purchase.cart, 'TENTH')
  await at.shop.db.transaction(async (tx) => {
    await tx.select().from(orders).where(eq(orders.id, till.order)).for('update')
    const again = await purchase.buyer.ask('POST', `/api/carts/${purchase.cart}/checkout`, {
      couponCode: 'TENTH',
      waiver: true,
    })
    expect([again.statusCode, again.json().clientSecret]).toEqual([200, till.clientSecret])
  })
})

test('trap 24: an event before the payment, or for another payment, settles nothing', async () => {
  for (let run = 0; run < RUNS; run++) {
    const purchase = await aPurchase()
    const till = await checkOut(purchase.buyer, purchase.cart, 'TENTH')
    expect((await eventOf(till)).statusCode).toBe(200)
    expect((await hearOf(at, 'pi_unknown')).statusCode).toBe(200)
    expect((await hearOf(at, null)).statusCode).toBe(200)
    expect((await comeBack(purchase.buyer, till)).json().outcome).toBe('open')
    at.payments.decline(till.intent)
    expect((await comeBack(purchase.buyer, till)).json().outcome).toBe('refused')
    at.payments.pay(till.intent)
    await eventOf(till)
    await expectOnePurchase(purchase)
  }
})

test('trap 24: repeated checkouts of a bag, at the same time too, have one payment', async () => {
  for (let run = 0; run < RUNS; run++) {
    const purchase = await aPurchase()
    const tills = await Promise.all(
      Array.from({ length: 4 }, () => checkOut(purchase.buyer, purchase.cart, 'TENTH')),
    )
    expect(new Set(tills.map(({ intent }) => intent)).size).toBe(1)
    at.payments.pay(tills[0]!.intent)
    await comeBack(purchase.buyer, tills[3]!)
    await expectOnePurchase(purchase)
  }
})

test('trap 24: a paid bag whose response got lost is not paid again', async () => {
  for (let run = 0; run < RUNS; run++) {
    const { purchase, till } = await paidCheckout()
    expect(await checkOut(purchase.buyer, purchase.cart, 'TENTH')).toMatchObject({
      order: till.order,
      clientSecret: null,
    })
    expect(await checkOut(purchase.buyer, purchase.cart, null)).toMatchObject({
      order: till.order,
      clientSecret: null,
    })
    await expectOnePurchase(purchase)
  }
})

async function aBagThatChanges() {
  const purchase = await aPurchase()
  const before = await checkOut(purchase.buyer, purchase.cart, 'TENTH')
  const more = await anEBook(at.shop, { priceMinor: 100 })
  await fillBag(purchase.buyer, [{ ...more, kind: 'e_books' }])
  return { purchase, before, more }
}

test('trap 24: a bag that changes while it is paid in another tab is paid once', async () => {
  for (let run = 0; run < RUNS / 2; run++) {
    const { purchase, before, more } = await aBagThatChanges()
    const { buyer, cart } = purchase
    at.payments.pay(before.intent)
    expect(await checkOut(buyer, cart)).toMatchObject({ order: before.order, clientSecret: null })
    const { items } = (await buyer.ask('GET', `/api/carts/${cart}`)).json()
    expect(items).toMatchObject([{ eBook: { slug: more.slug } }])
    await buyer.ask('DELETE', `/api/cart_items/${items[0].uuid}`)
    await expectOnePurchase(purchase)
  }
})

test('trap 24: a bag that changes before it is paid can only be paid by its last checkout', async () => {
  for (let run = 0; run < RUNS / 2; run++) {
    const { purchase, before } = await aBagThatChanges()
    const after = await checkOut(purchase.buyer, purchase.cart, 'TENTH')
    expect(after.intent).not.toBe(before.intent)
    expect(() => at.payments.pay(before.intent)).toThrow(/cancelled/)
    expect((await comeBack(purchase.buyer, before)).json().outcome).toBe('cancelled')
  }
})

async function finish(purchase: Purchase, isPaid: boolean): Promise<void> {
  const till = await checkOut(purchase.buyer, purchase.cart, isPaid ? null : 'TENTH').catch(() =>
    checkOut(purchase.buyer, purchase.cart, 'TENTH'),
  )
  if (till.clientSecret === null) return
  at.payments.pay(till.intent)
  await comeBack(purchase.buyer, till)
}

test('a server killed at any statement of a checkout leaves one purchase', async () => {
  let step = 0
  for (let pulled = true; pulled; step++) {
    const purchase = await aPurchase()
    plug.armAfter(step)
    await checkOut(purchase.buyer, purchase.cart, 'TENTH').catch(() => undefined)
    pulled = plug.disarm()
    await finish(purchase, false)
    await expectOnePurchase(purchase)
  }
  expect(step).toBeGreaterThan(15)
})

test('a server killed at any statement of a settlement leaves one purchase', async () => {
  const comesBack = (purchase: Purchase, till: CheckoutStarted) => comeBack(purchase.buyer, till)
  const isHeardOf = (_: Purchase, till: CheckoutStarted) => eventOf(till)
  // The provider repeats a failed event; a return page that was closed does not come back, so the job finds the
  // payment.
  const isFound = async () => {
    at.shop.clock.advance(300)
    expect((await reconcile(at.shop)).wrong).toEqual([])
  }
  for (const [settle, again] of [
    [comesBack, isFound],
    [isHeardOf, isHeardOf],
  ] as const) {
    let step = 0
    for (let pulled = true; pulled; step++) {
      const { purchase, till } = await paidCheckout()
      plug.armAfter(step)
      await settle(purchase, till).catch(() => undefined)
      pulled = plug.disarm()
      await again(purchase, till)
      await expectOnePurchase(purchase)
    }
    expect(step).toBeGreaterThan(20)
  }
})

test('a provider that fails before or after any call causes nothing twice', async () => {
  for (const when of ['before', 'after'] as const)
    for (const call of ['createPayment', 'retrievePayment'] as const) {
      const purchase = await aPurchase()
      const ask = () =>
        purchase.buyer.ask('POST', `/api/carts/${purchase.cart}/checkout`, {
          couponCode: 'TENTH',
          waiver: true,
        })
      at.payments.onCall = (name, moment) => {
        if (name === call && moment === when) throw new PaymentsUnavailable('away')
      }
      if (call === 'retrievePayment') await ask()
      const answer = await ask()
      expect([answer.statusCode, answer.headers['retry-after']], `${call} ${when}`).toEqual([503, '5'])
      at.payments.onCall = () => undefined
      await finish(purchase, false)
      await expectOnePurchase(purchase)
    }
})

test('trap 26: a paid order stays paid, even if the buyer’s browser goes back', async () => {
  const { purchase, till } = await paidCheckout()
  await comeBack(purchase.buyer, till)
  // Neither the bag nor the provider's cancel address changes the order.
  expect((await comeBack(purchase.buyer, till)).json().outcome).toBe('paid')
  await purchase.buyer.ask('GET', `/api/carts/${purchase.cart}`)
  await purchase.buyer.ask('GET', `/api/order_carts/${till.order}`)
  at.shop.clock.advance(3 * 24 * 3600)
  expect((await reconcile(at.shop)).wrong).toEqual([])
  await expectOnePurchase(purchase)
})
