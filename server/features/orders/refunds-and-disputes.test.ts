import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedEvents } from '#server/db/schema/feed.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { salesCommand } from '#server/commands/sales.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, signedIn } from '#tests/support/builders.ts'
import { requestRefund } from '../refunds/service.ts'
import { lockOrder, selectLines, selectOrder, selectUndecidedOf } from './queries.ts'
import { recordDispute, refundOrder, restoreOrder } from './refunds-and-disputes.ts'
import { typed } from '#tests/support/run-command.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

/** An order of one title for each price. */
async function bought(...prices: number[]) {
  const buyer = await aBuyer(at.shop)
  const bag = []
  for (const priceMinor of prices.length > 0 ? prices : [1200])
    bag.push({ ...(await anAudioBook(at.shop, { priceMinor })), kind: 'audio_books' as const })
  const { order, intent, ...more } = await checkOut(buyer, await fillBag(buyer, bag))
  at.payments.pay(intent)
  await comeBack(buyer, { order, intent, ...more })
  return { buyer, order, intent }
}
/** Log in for each request: the clock moves by weeks between them. */
const orderOf = async ({ user }: Buyer, id: string) => {
  const headers = await signedIn(at.shop, user)
  return (await at.shop.app.inject({ url: `/api/order_carts/${id}`, headers })).json()
}
const wordsTo = async ({ user }: Buyer) =>
  (await at.shop.db.select().from(mails).where(eq(mails.recipient, user.email)).orderBy(mails.queuedAt))
    .filter(({ kind }) => /refunded|disputed/.test(kind))
    .map(({ kind, data }) => [kind, (data as { outcome?: string }).outcome])
/** Refunds or restores up to this total, a minute after the last change. */
const change = (order: string, work: typeof refundOrder | typeof restoreOrder, refundedMinor: number) =>
  at.shop.db.transaction(async (tx) => {
    at.shop.clock.advance(60)
    await work(tx, at.shop, (await lockOrder(tx, order))!, refundedMinor)
  })
const refundedLines = async (order: string) =>
  (await selectLines(at.shop.db, [order])).filter(({ refundedAt }) => refundedAt !== null)
/** The prices of the lines that were taken back, and the amounts that wait for a decision. */
const refundsOf = async (order: string) => ({
  taken: (await refundedLines(order)).map(({ priceMinor }) => priceMinor).toSorted((one, two) => one - two),
  undecided: (await selectUndecidedOf(at.shop.db, order)).map(({ amountMinor }) => amountMinor),
})
const inLibrary = ({ user }: Buyer) => at.shop.db.$count(libraryEntries, eq(libraryEntries.userId, user.id))
const paidBack = async () => (await typed(at.shop, salesCommand, [])).said.split('\n').at(-1)!

test('ORDER-09: an open dispute refunds nothing: email, order and sales say so, and winning it corrects them', async () => {
  const { buyer, order, intent } = await bought()
  const [before, sold] = [await orderOf(buyer, order), await paidBack()]
  const shelf = await inLibrary(buyer)
  at.payments.dispute(intent)
  await hearOf(at, intent, undefined, 'charge.dispute.created')
  expect(await wordsTo(buyer)).toEqual([['payment_disputed', 'open']])
  expect(await orderOf(buyer, order)).toMatchObject({
    status: 'paid',
    dispute: 'open',
    refundedAmount: 0,
    orderItems: [{ refundedAt: null }],
  })
  expect(await paidBack()).toBe(sold)
  expect(await inLibrary(buyer)).toBe(shelf - 1)
  at.payments.closeDispute(intent, 'won')
  await hearOf(at, intent, undefined, 'charge.dispute.closed')
  expect(await wordsTo(buyer)).toEqual([
    ['payment_disputed', 'open'],
    ['payment_disputed', 'won'],
  ])
  expect(await orderOf(buyer, order)).toEqual({ ...before, dispute: 'won' })
  expect(await paidBack()).toBe(sold)
  expect(await inLibrary(buyer)).toBe(shelf)
})

test('ORDER-09: a second dispute of a payment gets emails of its own', async () => {
  const { buyer, intent } = await bought()
  for (const outcome of ['won', 'lost'] as const) {
    at.payments.dispute(intent)
    await hearOf(at, intent, undefined, 'charge.dispute.created')
    at.shop.clock.advance(86_400)
    at.payments.closeDispute(intent, outcome)
    await hearOf(at, intent, undefined, 'charge.dispute.closed')
    at.shop.clock.advance(86_400)
  }
  expect((await wordsTo(buyer)).map(([, outcome]) => outcome)).toEqual(['open', 'won', 'open', 'lost'])
})

test('ORDER-09: the recipient of a given book reads what is true: on hold, back, and returned only once the dispute is lost', async () => {
  const giver = await aBuyer(at.shop)
  const friend = await aBuyer(at.shop)
  const book = { ...(await anAudioBook(at.shop, { priceMinor: 1200 })), kind: 'audio_books' as const }
  const checkout = await checkOut(giver, await fillBag(giver, [{ ...book, giftEmail: friend.user.email }]))
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  await at.shop.db
    .update(gifts)
    .set({ claimedAt: at.shop.clock.now(), claimedBy: friend.user.id })
    .where(eq(gifts.email, friend.user.email))
  const told = async () =>
    (await at.shop.db.select().from(mails).where(eq(mails.recipient, friend.user.email)))
      .filter(({ kind }) => kind === 'gift_withdrawn')
      .map(({ data }) => (data as { dispute: string }).dispute)
  for (const outcome of ['won', 'lost'] as const) {
    at.payments.dispute(checkout.intent)
    await hearOf(at, checkout.intent, undefined, 'charge.dispute.created')
    at.shop.clock.advance(86_400)
    at.payments.closeDispute(checkout.intent, outcome)
    await hearOf(at, checkout.intent, undefined, 'charge.dispute.closed')
    at.shop.clock.advance(86_400)
  }
  expect((await told()).toSorted()).toEqual(['lost', 'open', 'open', 'won'])
})

test('ORDER-09: a lost dispute counts as a refund on the day it is lost, and the email names the bank', async () => {
  const { buyer, order, intent } = await bought()
  at.payments.dispute(intent)
  await hearOf(at, intent, undefined, 'charge.dispute.created')
  at.shop.clock.advance(20 * 86_400)
  const today = at.shop.clock.now().toISOString().slice(0, 10)
  at.payments.closeDispute(intent, 'lost')
  await hearOf(at, intent, undefined, 'charge.dispute.closed')
  expect(await wordsTo(buyer)).toEqual([
    ['payment_disputed', 'open'],
    ['payment_disputed', 'lost'],
  ])
  expect(await orderOf(buyer, order)).toMatchObject({
    status: 'refunded',
    dispute: 'lost',
    refundedAmount: 12,
  })
  const { said } = await typed(at.shop, salesCommand, ['--from', today, '--to', today])
  expect(said).toMatch(new RegExp(`${today}\\s+0\\s.*£12\\.00`))
})

test('a lost dispute is announced once, also if the provider later refuses refunds of the payment', async () => {
  const { order } = await bought()
  const row = { ...(await selectOrder(at.shop.db, order))!, dispute: 'lost', isRefundable: true } as const
  const details = { state: 'lost', isRefundable: false } as const
  const news = await at.shop.db.transaction((tx) => recordDispute(tx, row, details, at.shop.clock.now()))
  expect(news).toBeNull()
})

test('money that did not go back restores the line that was refunded last, as far as the rest covers the others', async () => {
  const { buyer, order } = await bought(500, 700)
  const refunded = async () => (await refundsOf(order)).taken
  await change(order, refundOrder, 500)
  await change(order, refundOrder, 1200)
  expect(await refunded()).toEqual([500, 700])
  const published = () => at.shop.db.$count(feedEvents, eq(feedEvents.userId, buyer.user.id))
  const before = await published()
  // Neither a repeated nor an older total changes anything.
  await change(order, refundOrder, 1200)
  await change(order, refundOrder, 500)
  expect([await refunded(), await published()]).toEqual([[500, 700], before])
  await change(order, restoreOrder, 700)
  expect(await refunded()).toEqual([500])
  await change(order, restoreOrder, 500)
  expect(await refunded()).toEqual([500])
  await change(order, restoreOrder, 499)
  expect(await refunded()).toEqual([])
  await change(order, refundOrder, 5000)
  expect(await refunded()).toEqual([500, 700])
  expect((await selectOrder(at.shop.db, order))!.refundedMinor).toBe(1200)
})

test('while it is open for which line an amount went back, other lines are refunded and restored without it', async () => {
  const { buyer, order } = await bought(999, 999, 500)
  await change(order, refundOrder, 999)
  expect(await refundsOf(order)).toEqual({ taken: [], undecided: [999] })
  await change(order, refundOrder, 1499)
  expect(await refundsOf(order)).toEqual({ taken: [500], undecided: [999] })
  const sent = await at.shop.db.select().from(mails).where(eq(mails.recipient, buyer.user.email))
  expect(sent.filter(({ kind }) => kind === 'title_refunded').map(({ data }) => data)).toEqual([
    expect.objectContaining({ amountMinor: 500 }),
  ])
  await change(order, restoreOrder, 999)
  expect(await refundsOf(order)).toEqual({ taken: [], undecided: [999] })
  await change(order, refundOrder, 1499)
  await change(order, restoreOrder, 500)
  expect(await refundsOf(order)).toEqual({ taken: [500], undecided: [] })
})

test('of two amounts that are open for their lines, only the one that did not go back is dropped', async () => {
  const { order } = await bought(999, 999, 500, 500)
  await change(order, refundOrder, 999)
  await change(order, refundOrder, 1499)
  expect(await refundsOf(order)).toEqual({ taken: [], undecided: [999, 500] })
  await change(order, restoreOrder, 500)
  expect(await refundsOf(order)).toEqual({ taken: [], undecided: [500] })
})

test('of two lines with the same price, the one that a refund names is taken back once that money went back', async () => {
  const { order } = await bought(999, 999, 500)
  const [, second] = await selectLines(at.shop.db, [order])
  await requestRefund(
    at.shop.db,
    {
      ...{ reason: 'owner', key: `owner:${order}`, orderId: order },
      ...{ lineIds: [second!.id], amountMinor: 999 },
    },
    at.shop.clock.now(),
  )
  await change(order, refundOrder, 500)
  expect(await refundsOf(order)).toEqual({ taken: [500], undecided: [] })
  await change(order, refundOrder, 1499)
  expect(await refundsOf(order)).toEqual({ taken: [500, 999], undecided: [] })
  expect((await refundedLines(order)).map(({ id }) => id)).toContain(second!.id)
})

test('ORDER-09: a line that was refunded before the dispute is no part of it: neither its day changes nor does the email name it', async () => {
  const { buyer, order, intent } = await bought(500, 700)
  at.payments.giveBack(intent, 500)
  await hearOf(at, intent, undefined, 'charge.refunded')
  const [before] = await refundedLines(order)
  at.shop.clock.advance(86_400)
  at.payments.dispute(intent)
  await hearOf(at, intent, undefined, 'charge.dispute.created')
  at.shop.clock.advance(86_400)
  at.payments.closeDispute(intent, 'lost')
  await hearOf(at, intent, undefined, 'charge.dispute.closed')
  const after = await refundedLines(order)
  expect(after).toHaveLength(2)
  expect(after).toContainEqual(before)
  const sent = await at.shop.db.select().from(mails).where(eq(mails.recipient, buyer.user.email))
  const titles = after.filter(({ id }) => id !== before!.id).map(({ title }) => title)
  const disputed = sent.filter(({ kind }) => kind === 'payment_disputed')
  expect(disputed.map(({ data }) => data)).toEqual([
    expect.objectContaining({ titles }),
    expect.objectContaining({ titles }),
  ])
})

test('ORDER-09: only a change of a dispute is reported, and a dispute that is first seen after it was won is not', async () => {
  const { order } = await bought()
  const row = (await selectOrder(at.shop.db, order))!
  const news = (
    before: object,
    details: { state: 'none' | 'open' | 'won' | 'lost'; isRefundable?: boolean },
  ) =>
    at.shop.db.transaction((tx) =>
      recordDispute(tx, { ...row, ...before }, { isRefundable: true, ...details }, at.shop.clock.now()),
    )
  const none = { dispute: null, disputedAt: null, isRefundable: true }
  const open = { ...none, dispute: 'open', disputedAt: new Date('2026-03-01T10:00:00Z') }
  expect(await news(none, { state: 'none' })).toBeNull()
  expect(await news(none, { state: 'open' })).toBe('open')
  expect((await selectOrder(at.shop.db, order))!.disputedAt).toEqual(at.shop.clock.now())
  expect(await news(open, { state: 'open' })).toBeNull()
  expect(await news(open, { state: 'open', isRefundable: false })).toBeNull()
  expect(await selectOrder(at.shop.db, order)).toMatchObject({
    ...{ dispute: 'open', isRefundable: false, disputedAt: open.disputedAt },
  })
  expect(await news(open, { state: 'won' })).toBe('won')
  expect((await selectOrder(at.shop.db, order))!.disputedAt).toBeNull()
  expect(await news(open, { state: 'lost' })).toBe('lost')
  expect(await news(none, { state: 'lost' })).toBe('lost')
  expect(await news(none, { state: 'won' })).toBeNull()
  expect(await news({ ...none, dispute: 'lost' }, { state: 'won' })).toBeNull()
  // The previous release stored only the time.
  expect(await news({ ...open, dispute: null }, { state: 'open' })).toBeNull()
  expect(await news({ ...open, dispute: null }, { state: 'won' })).toBe('won')
})
