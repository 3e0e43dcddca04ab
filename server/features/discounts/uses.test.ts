import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'

import { testShop, type TestShop } from '#tests/support/shop.ts'
import { soon } from '#tests/support/wait-for.ts'
import { reserveUse } from './service.ts'

const ROUNDS = process.env.LONG ? 40 : 1
const HALF_AN_HOUR_MS = 30 * 60_000
const ENDED = 'This discount code is not valid'

let at: PayingShop
/** Another process of the same shop. */
let other: TestShop
let book: TestBook
beforeAll(async () => {
  at = await payingShop()
  other = await testShop({ env: { DEMO: '1' }, database: at.shop.database, payments: at.payments })
  book = await anAudioBook(at.shop, { priceMinor: 1200 })
})
afterAll(async () => {
  await other?.close()
  await at?.shop.close()
})

let codes = 0
/** A code with a limited number of uses. */
async function aCode(uses: number, more: Partial<typeof discounts.$inferInsert> = {}): Promise<string> {
  const code = `USES${(codes += 1)}`
  await at.shop.db.insert(discounts).values({ code, type: 'all', percent: 50, uses, ...more })
  return code
}

interface Ready extends Buyer {
  readonly cart: string
}
async function ready(): Promise<Ready> {
  const buyer = await aBuyer(at.shop)
  return { ...buyer, cart: await fillBag(buyer, [{ slug: book.slug, kind: 'audio_books' }]) }
}
const ask = (buyer: Ready, couponCode: string | null, { app }: TestShop = at.shop) =>
  app.inject({
    method: 'POST',
    url: `/api/carts/${buyer.cart}/checkout`,
    headers: buyer.headers,
    payload: { couponCode, waiver: true },
  })
const refusal = async (answer: ReturnType<typeof ask>) => {
  const { statusCode, json } = await answer
  return [statusCode, json().message]
}
/** Advances only the business clock, so that no session expires. */
const pass = (ms: number) => void (at.shop.clock.aheadMs += ms)
const isActive = async (code: string) => (await at.shop.app.inject(`/api/discounts/${code}`)).json().active

test('DISC-11: of concurrent checkouts only as many get a code as it has uses; for the others it has ended', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const uses = 1 + (round % 4)
    const code = await aCode(uses)
    const buyers = await Promise.all(Array.from({ length: uses + 3 }, ready))
    other.clock.set(at.shop.clock.machine())
    const answers = await Promise.all(
      buyers.map((buyer, each) => ask(buyer, code, each % 2 ? other : at.shop)),
    )
    const got = answers.filter(({ statusCode }) => statusCode === 200)
    expect(got).toHaveLength(uses)
    for (const answer of answers.filter((each) => !got.includes(each)))
      expect([answer.statusCode, answer.json().message]).toEqual([422, ENDED])
    expect(await isActive(code)).toBe(false)
    for (const answer of got) at.payments.pay(answer.json().clientSecret.split('_secret_')[0])
    await Promise.all(got.map((answer) => hearOf(at, answer.json().clientSecret.split('_secret_')[0])))
    expect(await refusal(ask(await ready(), code))).toEqual([422, ENDED])
    expect(await at.shop.db.$count(orders, eq(orders.couponCode, code))).toBe(uses)
  }
})

test('a request for the last use waits for an earlier request that has not committed', async () => {
  const code = await aCode(1)
  const [first, second] = [await ready(), await ready()]
  const now = at.shop.clock.now()
  const asked = await at.shop.db.transaction(async (tx) => {
    const couponReservedUntil = await reserveUse(tx, code, { source: first.cart, now })
    const asking = refusal(ask(second, code))
    await soon(async () => {
      const { rows } = await at.shop.database.pool.query('select 1 from pg_locks where not granted')
      expect(rows).not.toEqual([])
    })
    const sums = { totalMinor: 600, vatMinor: 100, beforeDiscountMinor: 1200, sourceId: first.cart }
    const buyer = {
      buyerName: '',
      buyerEmail: '',
      countryCode: 'GB',
      fingerprint: '',
      sourceKind: 'cart' as const,
    }
    await tx
      .insert(orders)
      .values({ ...sums, ...buyer, couponCode: code, couponReservedUntil, state: 'awaiting_payment' })
    return { asking }
  })
  expect(await asked.asking).toEqual([422, ENDED])
})

test('of concurrent joins with a code that pays in full, only as many succeed as it has uses', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = await aCode(2, { type: 'subscription', percent: 100 })
    const members = await Promise.all(Array.from({ length: 5 }, () => aBuyer(at.shop)))
    other.clock.set(at.shop.clock.machine())
    const answers = await Promise.all(
      members.map(({ headers }, each) =>
        (each % 2 ? other : at.shop).app.inject({
          method: 'POST',
          url: '/api/subscriptions/create-without-payment',
          headers,
          payload: { plan: 4, couponCode: code, startNow: true },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
      201, 201, 422, 422, 422,
    ])
    expect(await at.shop.db.$count(subscriptions, eq(subscriptions.couponCode, code))).toBe(2)
    const bag = await ready()
    expect(await refusal(ask(bag, code))).toEqual([422, ENDED])
  }
})

test('a use is reserved for half an hour for a buyer who is paying, and who may change the bag and return meanwhile', async () => {
  const code = await aCode(1)
  const [first, second] = [await ready(), await ready()]
  const before = await checkOut(first, first.cart, code)
  expect(await refusal(ask(second, code))).toEqual([422, ENDED])
  const applied = await first.ask('PATCH', `/api/carts/${first.cart}/apply-coupon`, { couponCode: code })
  expect(applied.statusCode).toBe(200)
  const another = await anAudioBook(at.shop, { priceMinor: 800 })
  await fillBag(first, [{ slug: another.slug, kind: 'audio_books' }])
  const after = await checkOut(first, first.cart, code)
  expect(after.order).not.toBe(before.order)
  pass(HALF_AN_HOUR_MS - 10_000)
  expect((await checkOut(first, first.cart, code)).order).toBe(after.order)
  pass(HALF_AN_HOUR_MS - 10_000)
  expect(await refusal(ask(second, code))).toEqual([422, ENDED])
  pass(10_000)
  expect((await ask(second, code)).statusCode).toBe(200)
  expect(await refusal(ask(first, code))).toEqual([422, ENDED])
})

test('a buyer who pays after the half hour is charged the agreed price, even if another buyer took the last use meanwhile', async () => {
  const code = await aCode(1)
  const [late, quick] = [await ready(), await ready()]
  const till = await checkOut(late, late.cart, code)
  pass(HALF_AN_HOUR_MS)
  const taken = await checkOut(quick, quick.cart, code)
  at.payments.pay(taken.intent)
  expect((await comeBack(quick, taken)).json().outcome).toBe('paid')
  at.payments.pay(till.intent)
  expect((await comeBack(late, till)).json().outcome).toBe('paid')
  expect((await late.ask('GET', `/api/order_carts/${till.order}`)).json()).toMatchObject({
    status: 'paid',
    amount: 6,
    couponCode: code,
  })
  expect(await isActive(code)).toBe(false)
})

test('a full refund returns the use, a partial refund does not', async () => {
  const code = await aCode(1)
  const buyer = await ready()
  const till = await checkOut(buyer, buyer.cart, code)
  at.payments.pay(till.intent)
  await hearOf(at, till.intent)
  pass(HALF_AN_HOUR_MS)
  const refund = async (amountMinor: number) => {
    at.payments.giveBack(till.intent, amountMinor)
    await hearOf(at, till.intent, undefined, 'charge.refunded')
  }
  expect(await isActive(code)).toBe(false)
  await refund(100)
  expect(await isActive(code)).toBe(false)
  await refund(500)
  expect(await isActive(code)).toBe(true)
  const next = await ready()
  expect((await ask(next, code)).statusCode).toBe(200)
})

test('an order that a code pays in full takes a use, and so does a membership gift', async () => {
  const whole = await aCode(1, { percent: 100 })
  const [first, second] = [await ready(), await ready()]
  expect((await ask(first, whole)).json().clientSecret).toBeNull()
  pass(HALF_AN_HOUR_MS)
  expect(await refusal(ask(second, whole))).toEqual([422, ENDED])

  const shared = await aCode(1)
  const give = (buyer: Buyer) =>
    buyer.ask('POST', '/api/subscriptions', {
      plan: 1,
      gift: true,
      giftKey: randomUUID(),
      giftEmail: 'friend@reader.example',
      couponCode: shared,
      startNow: true,
    })
  expect((await give(first)).statusCode).toBe(201)
  expect((await give(second)).json().message).toBe(ENDED)
  expect(await refusal(ask(second, shared))).toEqual([422, ENDED])
})

test('a membership takes one use of its code, although it renews, until all payments with the code are refunded', async () => {
  const code = await aCode(1, { type: 'monthly' })
  const member = await aBuyer(at.shop)
  const now = at.shop.clock.now()
  const [{ id } = { id: '' }] = await at.shop.db
    .insert(subscriptions)
    .values({
      userId: member.user.id,
      plan: 4,
      status: 'active',
      periodStart: now,
      periodEnd: now,
      validUntil: now,
      couponCode: code,
    })
    .returning()
  const charged = ['one', 'two'].map(() => randomUUID())
  for (const orderId of charged) {
    const order = {
      id: orderId,
      userId: member.user.id,
      sourceKind: 'membership' as const,
      sourceId: id,
      couponCode: code,
      fingerprint: orderId,
    }
    const sums = { totalMinor: 400, vatMinor: 67, beforeDiscountMinor: 800 }
    const buyer = { buyerName: '', buyerEmail: '', countryCode: 'GB' }
    await at.shop.db.insert(orders).values({ ...order, ...sums, ...buyer, state: 'paid', paidAt: now })
    await at.shop.db
      .insert(subscriptionInvoices)
      .values({ invoiceId: orderId, subscriptionId: id, orderId, periodStart: now, periodEnd: now })
  }
  const active = async (uses: number) => {
    await at.shop.db.update(discounts).set({ uses }).where(eq(discounts.code, code))
    return isActive(code)
  }
  const refund = (orderId: string) =>
    at.shop.db.update(orders).set({ refundedMinor: 400 }).where(eq(orders.id, orderId))
  expect([await active(1), await active(2)]).toEqual([false, true])
  await refund(charged[0]!)
  expect(await active(1)).toBe(false)
  await refund(charged[1]!)
  expect(await active(1)).toBe(true)
})
