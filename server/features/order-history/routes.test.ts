import { randomUUID } from 'node:crypto'
import { eq, inArray, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getLoggedUser } from '#contract/account.ts'
import { getOrder, listOrders, type OrderMember } from '#contract/orders.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orderLines, orders, payments } from '#server/db/schema/orders.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  payingShop,
  type PayingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, anEBook, inLibrary } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { abandonOrder, payOrder, recordPaid } from '../orders/service.ts'
import { refundOrder } from '../orders/refunds-and-disputes.ts'
import { lockOrder } from '../orders/queries.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
  await at.shop.db.insert(discounts).values([
    { code: 'ALLFREE', type: 'all', percent: 100 },
    { code: 'FIFTH', type: 'all', percent: 20 },
    { code: 'ALSOFIFTH', type: 'all', percent: 20 },
    { code: 'CHEAPEST', type: 'cheapest_book', percent: 100 },
  ])
})
afterAll(() => at.shop.close())

interface Wish {
  readonly kind?: 'audio_books' | 'e_books'
  readonly code?: string
  readonly giftEmail?: string
}

async function bought(buyer: Buyer, { kind = 'audio_books', code, giftEmail }: Wish = {}): Promise<string> {
  const book = await (kind === 'audio_books' ? anAudioBook : anEBook)(at.shop, { priceMinor: 1299 })
  const cart = await fillBag(buyer, [{ ...book, kind, ...(giftEmail ? { giftEmail } : {}) }])
  const till = await checkOut(buyer, cart, code ?? null)
  if (till.clientSecret !== null) {
    at.payments.pay(till.intent)
    await comeBack(buyer, till)
  }
  return till.order
}

/** Inserts an order like the one for a membership charge. */
async function paidMembership({ user }: Buyer): Promise<string> {
  const { db } = at.shop
  const now = at.shop.clock.now()
  const [subscription] = await db
    .insert(subscriptions)
    .values({
      userId: user.id,
      plan: 2,
      status: 'canceled',
      periodStart: now,
      periodEnd: now,
      validUntil: now,
    })
    .returning()
  const money = { totalMinor: 12_000, vatMinor: 2_000, beforeDiscountMinor: 12_000 }
  const [order] = await db
    .insert(orders)
    .values({
      ...money,
      userId: user.id,
      state: 'paid',
      fingerprint: 'a membership',
      buyerName: 'Nell Hart',
      buyerEmail: user.email,
      countryCode: 'GB',
      paidAt: now,
    })
    .returning()
  await db.insert(orderLines).values({
    orderId: order!.id,
    position: 0,
    kind: 'membership',
    plan: 2,
    subscriptionId: subscription!.id,
    title: 'Avid Reader Annually',
    originalMinor: 12_000,
    priceMinor: 12_000,
    vatPercent: 20,
    vatMinor: 2_000,
  })
  await db.insert(payments).values({ orderId: order!.id, type: 'card', last4: '4242' })
  return order!.id
}

test('ENT-10 ENT-11 ENT-44: an order has all its fields, for a book, a gift, a free title and a membership', async () => {
  const buyer = await aBuyer(at.shop, { firstName: 'Shay', lastName: 'Quill' })
  const order = async (id: string) => {
    const answer = (await buyer.ask('GET', `/api/order_carts/${id}`)).json()
    expect(misfits(getOrder.reply, answer)).toEqual([])
    return answer
  }
  expect(await order(await bought(buyer, { code: 'FIFTH' }))).toMatchObject({
    orderNumber: expect.stringMatching(/^M-\d{6,}$/),
    amount: 11,
    sumVat: 1.83,
    sumNet: 9.17,
    refundedAmount: 0,
    sumBeforeDiscount: 12.99,
    couponCode: 'FIFTH',
    discountRounded: true,
    percentDiscount: 20,
    discountAmount: 1.99,
    buyerName: 'Shay Quill',
    waiverAt: expect.any(String),
    transactions: [{ id: expect.stringMatching(/^pi_/), type: 'card', last4: '4242' }],
    orderItems: [
      {
        orderCart: { amount: 11 },
        price: 11,
        vat: 1.83,
        originalPrice: 12.99,
        couponCode: 'FIFTH',
        percentDiscount: 20,
        gift: false,
        audioBook: { entityType: 'audioBook' },
        eBook: null,
      },
    ],
  })
  const gift = { kind: 'e_books', giftEmail: 'a.friend@post.example' } as const
  expect(await order(await bought(buyer, gift))).toMatchObject({
    sumVat: 0,
    discountAmount: null,
    orderItems: [
      {
        gift: true,
        giftEmail: gift.giftEmail,
        giftClaimedAt: null,
        audioBook: null,
        eBook: { entityType: 'eBook' },
      },
    ],
  })
  expect(await order(await bought(buyer, { code: 'ALLFREE' }))).toMatchObject({
    amount: 0,
    transactions: [{ type: 'free', last4: null }],
    orderItems: [{ price: 0, originalPrice: 12.99 }],
  })
  const membership = await paidMembership(buyer)
  expect(await order(membership)).toMatchObject({
    amount: 120,
    sumVat: 20,
    orderItems: [{ title: 'Avid Reader Annually', audioBook: null, eBook: null, subscription: { plan: 2 } }],
  })
  await at.shop.db.update(orders).set({ refundedMinor: 500 }).where(eq(orders.id, membership))
  expect(await order(membership)).toMatchObject({ status: 'partly_refunded', refundedAmount: 5 })
})

/** Checks out two titles, the second one as a gift. */
async function twoCheckouts(buyer: Buyer, code: string | null = null) {
  const own = {
    ...(await anAudioBook(at.shop, { priceMinor: 1299, title: 'Kept' })),
    kind: 'audio_books' as const,
  }
  const gift = { ...(await anEBook(at.shop, { priceMinor: 599, title: 'Given' })), kind: 'e_books' as const }
  const cart = await fillBag(buyer, [own, { ...gift, giftEmail: `${randomUUID()}@post.example` }])
  return { own, cart, ...(await checkOut(buyer, cart, code)) }
}
const held = async (id: string) => (await lockOrder(at.shop.db, id))!

test('the confirmation email has each title with its price, the recipient of a gift, and the amount a code saved', async () => {
  const buyer = await aBuyer(at.shop, { firstName: 'Shay', lastName: 'Quill' })
  const mailOf = async (till: { intent: string; clientSecret: string; order: string }) => {
    at.payments.pay(till.intent)
    await comeBack(buyer, till)
    const ofOrder = eq(mails.key, `order_confirmed:${till.order}`)
    return (await at.shop.db.select().from(mails).where(ofOrder))[0]!.data
  }
  const till = await twoCheckouts(buyer)
  const plain = await mailOf(till)
  const path = `/orders/${till.order}`
  expect(plain).toMatchObject({ firstName: 'Shay', totalMinor: 1898, path, forOneself: true })
  expect((plain as { lines: unknown }).lines).toEqual([
    { title: 'Kept', priceMinor: 1299 },
    { title: 'Given', priceMinor: 599, giftTo: expect.stringContaining('@post.example') },
  ])
  expect(plain).not.toHaveProperty('discount')
  expect(await mailOf(await twoCheckouts(buyer, 'FIFTH'))).toMatchObject({
    discount: { code: 'FIFTH', savedMinor: 298, roundedPercent: 20 },
  })
  const gift = { ...(await anEBook(at.shop, { priceMinor: 599 })), kind: 'e_books' as const }
  const given = await fillBag(buyer, [{ ...gift, giftEmail: `${randomUUID()}@post.example` }])
  expect(await mailOf(await checkOut(buyer, given))).toMatchObject({ forOneself: false })
})

test('an order has one payment: a second checkout returns the stored one, so the provider’s idempotency key may expire', async () => {
  const buyer = await aBuyer(at.shop)
  const { cart, intent } = await twoCheckouts(buyer)
  const calls: string[] = []
  at.payments.onCall = (call, when) => void (when === 'before' && calls.push(call))
  expect((await checkOut(buyer, cart)).intent).toBe(intent)
  at.payments.onCall = () => undefined
  expect(calls).toEqual(['retrievePayment'])
})

test('another code creates another order, even with an equal discount: the code typed last is the one that is used', async () => {
  const buyer = await aBuyer(at.shop)
  const first = await twoCheckouts(buyer, 'FIFTH')
  expect((await checkOut(buyer, first.cart, 'FIFTH')).order).toBe(first.order)
  const second = await checkOut(buyer, first.cart, 'ALSOFIFTH')
  expect(second.order).not.toBe(first.order)
  expect(await held(second.order)).toMatchObject({ couponCode: 'ALSOFIFTH' })
})

test('a title that the buyer got before paying is refused, line by line', async () => {
  const buyer = await aBuyer(at.shop)
  const { own, order } = await twoCheckouts(buyer)
  await inLibrary(at.shop, buyer.user, own)
  const paid = await payOrder(at.shop.db, at.shop, await held(order), { type: 'card', last4: '4242' })
  expect(paid).toEqual({ refused: ['owned'] })
})

test('an order awaits payment until it is abandoned, once', async () => {
  const { order } = await twoCheckouts(await aBuyer(at.shop))
  expect(await abandonOrder(at.shop.db, order)).toBe(true)
  expect(await abandonOrder(at.shop.db, order)).toBe(false)
})

test('refunds may be reported repeatedly and in any order: the largest total counts, and is emailed once', async () => {
  const buyer = await aBuyer(at.shop, { firstName: 'Shay', lastName: 'Quill' })
  const refund = async (id: string, minor: number, more: { quietly?: boolean } = {}) => {
    await refundOrder(at.shop.db, at.shop, await held(id), minor, more)
    const shown = (await buyer.ask('GET', `/api/order_carts/${id}`)).json() as OrderMember
    const written = await at.shop.db
      .select({ data: mails.data })
      .from(mails)
      .where(like(mails.key, `title_refunded:${id}:%`))
      .orderBy(mails.key)
    return {
      back: shown.refundedAmount,
      titles: shown.orderItems.filter(({ refundedAt }) => refundedAt !== null).map(({ title }) => title),
      mails: written.map(({ data }) => data),
    }
  }
  const bought = async (code?: string) => {
    const till = await twoCheckouts(buyer, code ?? null)
    // Nothing was paid yet.
    expect(await refund(till.order, 1299)).toEqual({ back: 0, titles: [], mails: [] })
    at.payments.pay(till.intent)
    await comeBack(buyer, till)
    return till.order
  }
  const one = await bought()
  const mail = (titles: readonly string[], amountMinor: number) =>
    expect.objectContaining({ firstName: 'Shay', titles, amountMinor })
  const kept = { back: 12.99, titles: ['Kept'], mails: [mail(['Kept'], 1299)] }
  for (const minor of [1299, 1299, 700]) expect(await refund(one, minor)).toEqual(kept)
  // Goodwill is for no title.
  expect(await refund(one, 1399)).toEqual({ ...kept, back: 13.99 })
  expect(await refund(one, 5000)).toEqual({
    back: 18.98,
    titles: ['Kept', 'Given'],
    // The given title was never in the buyer's library.
    mails: [mail(['Kept'], 1299), mail([], 499)],
  })
  // The difference from the previous total decides which title is refunded.
  const other = await bought()
  for (const [minor, titles] of [
    [100, []],
    [1399, ['Kept']],
  ] as const)
    expect((await refund(other, minor)).titles).toEqual(titles)
  // A repeated refund does not take back a title that a code made free.
  const withFree = await bought('CHEAPEST')
  for (const twice of [500, 500]) expect((await refund(withFree, twice)).titles).toEqual([])
  // With `quietly` the caller sends an email of its own.
  expect(await refund(await bought(), 1898, { quietly: true })).toMatchObject({ back: 18.98, mails: [] })
})

test('an order paid by an invoice is published to its buyer, and to no account if that account is deleted', async () => {
  const buyer = await aBuyer(at.shop)
  const order = await held(await paidMembership(buyer))
  // The trigger refuses this transition.
  const withoutPayment = () =>
    at.shop.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.update(orders).set({ state: 'awaiting_payment', paidAt: null }).where(eq(orders.id, order.id))
    })
  const [membership] = await at.shop.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, buyer.user.id))
  const paidBy = { type: 'card', last4: '4242' } as const
  const told = () => at.shop.db.$count(feedEvents)
  const before = await told()
  const by = { paidBy, paidAt: at.shop.clock.now(), deliveredId: membership!.id }
  await withoutPayment()
  await recordPaid(at.shop.db, at.shop, order, by)
  expect(await told()).toBe(before + 1)
  await withoutPayment()
  await recordPaid(at.shop.db, at.shop, { ...order, userId: null }, by)
  expect(await told()).toBe(before + 1)
})

test('API-70: paid orders are listed newest first, 5 a page, to their buyer only', async () => {
  const [buyer, stranger] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.unshift(await bought(buyer))
  const waiting = await checkOut(
    buyer,
    await fillBag(buyer, [{ ...(await anAudioBook(at.shop)), kind: 'audio_books' }]),
  )
  const page = async (query = '') => {
    const list = (await buyer.ask('GET', `/api/order_carts${query}`)).json()
    expect(misfits(listOrders.reply, list)).toEqual([])
    expect(list['hydra:totalItems']).toBe(7)
    return (list['hydra:member'] as OrderMember[]).map(({ uuid }) => uuid)
  }
  expect(await page()).toEqual(ids.slice(0, 5))
  expect(await page('?page=2&itemsPerPage=5')).toEqual(ids.slice(5))
  expect(await page('?page=3')).toEqual([])
  expect((await buyer.ask('GET', `/api/order_carts/${waiting.order}`)).json().status).toBe('awaiting_payment')

  expect((await stranger.ask('GET', '/api/order_carts')).json()['hydra:totalItems']).toBe(0)
  for (const id of [ids[0]!, randomUUID()])
    expect((await stranger.ask('GET', `/api/order_carts/${id}`)).statusCode).toBe(404)
})

test('ENT-08: the current user has its bag, a token for its event stream, and the number of memberships it pays for others', async () => {
  const buyer = await aBuyer(at.shop)
  const user = async () => (await buyer.ask('GET', '/api/logged-user')).json()
  const before = await user()
  expect(misfits(getLoggedUser.reply, before)).toEqual([])
  expect(before).toMatchObject({ paysSomeone: 0, jwtMercuryToken: expect.stringMatching(/^ey/) })
  expect((await buyer.ask('GET', `/api/carts/${before.cart.uuid}`)).json().itemCount).toBe(0)

  const own = await paidMembership(buyer)
  const given = await paidMembership(buyer)
  await at.shop.db.update(orderLines).set({ gift: true }).where(eq(orderLines.orderId, given))
  expect((await user()).paysSomeone).toBe(1)
  const giftDetails = { firstName: 'Una', day: null, zone: 'Europe/London', christmas: false }
  await at.shop.db
    .update(orderLines)
    .set({ gift: true, kind: 'membership_gift', subscriptionId: null, giftDetails })
    .where(eq(orderLines.orderId, own))
  expect((await user()).paysSomeone).toBe(2)
  await at.shop.db
    .update(orderLines)
    .set({ refundedAt: at.shop.clock.now() })
    .where(inArray(orderLines.orderId, [own, given]))
  expect((await user()).paysSomeone).toBe(0)
})
