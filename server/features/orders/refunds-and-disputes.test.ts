import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { lockOrder, selectLines, selectOrder } from './queries.ts'
import { recordDispute, refundOrder, restoreOrder } from './refunds-and-disputes.ts'
import { typed } from '#tests/support/run-command.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

async function bought() {
  const buyer = await aBuyer(at.shop)
  const book = { ...(await anAudioBook(at.shop, { priceMinor: 1200 })), kind: 'audio_books' as const }
  const { order, intent, ...more } = await checkOut(buyer, await fillBag(buyer, [book]))
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
  const buyer = await aBuyer(at.shop)
  const priced = async (priceMinor: number) => ({
    ...(await anAudioBook(at.shop, { priceMinor })),
    kind: 'audio_books' as const,
  })
  const checkout = await checkOut(buyer, await fillBag(buyer, [await priced(500), await priced(700)]))
  at.payments.pay(checkout.intent)
  await comeBack(buyer, checkout)
  const change = (work: typeof refundOrder | typeof restoreOrder, refundedMinor: number) =>
    at.shop.db.transaction(async (tx) => {
      at.shop.clock.advance(60)
      await work(tx, at.shop, (await lockOrder(tx, checkout.order))!, refundedMinor)
    })
  const refunded = async () =>
    (await selectLines(at.shop.db, [checkout.order]))
      .filter(({ refundedAt }) => refundedAt !== null)
      .map(({ priceMinor }) => priceMinor)
      .toSorted((one, other) => one - other)
  await change(refundOrder, 500)
  await change(refundOrder, 1200)
  expect(await refunded()).toEqual([500, 700])
  // Neither a repeated nor an older total changes anything.
  await change(refundOrder, 1200)
  await change(refundOrder, 500)
  expect(await refunded()).toEqual([500, 700])
  await change(restoreOrder, 700)
  expect(await refunded()).toEqual([500])
  await change(restoreOrder, 500)
  expect(await refunded()).toEqual([500])
  await change(restoreOrder, 499)
  expect(await refunded()).toEqual([])
  await change(refundOrder, 5000)
  expect(await refunded()).toEqual([500, 700])
  expect((await selectOrder(at.shop.db, checkout.order))!.refundedMinor).toBe(1200)
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
