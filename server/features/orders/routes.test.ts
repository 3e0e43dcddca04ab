import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getLoggedUser } from '#contract/account.ts'
import { getOrder, listOrders, type OrderMember } from '#contract/orders.ts'
import { discounts } from '#server/db/schema/discounts.ts'
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
} from '#tests/support/a-purchase.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/fits.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
  await at.shop.db.insert(discounts).values([
    { code: 'ALLFREE', type: 'all', percent: 100 },
    { code: 'FIFTH', type: 'all', percent: 20 },
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

/** As an order of the membership will be written. */
async function paidMembership({ user }: Buyer): Promise<string> {
  const { db } = at.shop
  const now = at.shop.now()
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

test('ENT-10 ENT-11 ENT-44: an order carries all its fields, of a book, a gift, a free one and a membership', async () => {
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
    sumBeforeDiscount: 12.99,
    couponCode: 'FIFTH',
    discountRounded: true,
    percentDiscount: 20,
    discountAmount: 1.99,
    buyerName: 'Shay Quill',
    waiverAt: expect.any(String),
    transactions: [{ type: 'card', last4: '4242' }],
    orderItems: [{ price: 11, originalPrice: 12.99, couponCode: 'FIFTH', percentDiscount: 20, gift: false }],
  })
  const gift = { kind: 'e_books', giftEmail: 'a.friend@post.example' } as const
  expect(await order(await bought(buyer, gift))).toMatchObject({
    sumVat: 0,
    orderItems: [{ gift: true, giftEmail: gift.giftEmail, giftClaimedAt: null, audioBook: null, eBook: {} }],
  })
  expect(await order(await bought(buyer, { code: 'ALLFREE' }))).toMatchObject({
    amount: 0,
    transactions: [{ type: 'free', last4: null }],
    orderItems: [{ price: 0, originalPrice: 12.99 }],
  })
  expect(await order(await paidMembership(buyer))).toMatchObject({
    amount: 120,
    sumVat: 20,
    orderItems: [{ title: 'Avid Reader Annually', audioBook: null, eBook: null, subscription: { plan: 2 } }],
  })
})

test('API-70: orders come newest first, 5 a page, the paid ones, to their buyer alone', async () => {
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

test('ENT-08: the current user carries its bag, the key to its stream, and whom it pays a membership for', async () => {
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
  await at.shop.db.update(orderLines).set({ refundedAt: at.shop.now() }).where(eq(orderLines.orderId, given))
  expect((await user()).paysSomeone).toBe(0)
  expect(own).not.toBe(given)
})
