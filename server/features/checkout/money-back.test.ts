import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { outletLines, outletReaders } from '#server/db/schema/cards.ts'
import {
  aBuyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, inLibrary } from '#tests/support/builders.ts'
import { aBookshop } from '#tests/support/cards.ts'
import { wholeOrder } from '../orders/service.ts'
import { selectUnsettledMismatches } from '../orders/queries.ts'
import { reconcile } from './reconcile-payments.ts'
import { refundLines } from './refund-order-lines.ts'
import { settleBy } from './settle-payment.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const libraryOf = async (userId: string) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, userId))).map(
    ({ bookId }) => bookId,
  )
const audio = async (fields: Parameters<typeof anAudioBook>[1] = {}) => ({
  ...(await anAudioBook(at.shop, { priceMinor: 1200, ...fields })),
  kind: 'audio_books' as const,
})

test('a refund takes the title out of the library, and an email says so', async () => {
  const buyer = await aBuyer(at.shop)
  const friend = await aBuyer(at.shop)
  const [one, two, gift] = [
    await audio({ title: 'One' }),
    await audio({ title: 'Two', priceMinor: 900 }),
    await audio(),
  ]
  const cart = await fillBag(buyer, [one, two, { ...gift, giftEmail: friend.user.email }])
  const till = await checkOut(buyer, cart)
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  const [{ token }] = (
    await at.shop.db.select().from(mails).where(eq(mails.recipient, friend.user.email))
  ).map(({ data }) => data as { token: string }) as [{ token: string }]
  const mailOf = (back: number) =>
    at.shop.db.$count(mails, eq(mails.key, `title_refunded:${till.order}:${back}`))
  const status = async () => (await buyer.ask('GET', `/api/order_carts/${till.order}`)).json().status

  at.payments.giveBack(till.intent, 900)
  for (let twice = 0; twice < 2; twice++) await hearOf(at, till.intent, undefined, 'charge.refunded')
  expect(await libraryOf(buyer.user.id)).toEqual([one.id])
  expect([await status(), await mailOf(900)]).toEqual(['partly_refunded', 1])
  // Goodwill that equals no line's price leaves the library unchanged.
  at.payments.giveBack(till.intent, 100)
  await hearOf(at, till.intent, undefined, 'charge.refunded')
  expect(await libraryOf(buyer.user.id)).toEqual([one.id])
  expect(await mailOf(1000)).toBe(0)

  at.payments.giveBack(till.intent)
  await hearOf(at, till.intent, undefined, 'charge.refunded')
  expect(await libraryOf(buyer.user.id)).toEqual([])
  expect([await status(), await mailOf(3300)]).toEqual(['refunded', 1])
  expect((await friend.ask('POST', `/api/audio_books/claim/${token}`)).statusCode).toBe(404)
})

test('an order whose event is repeated keeps every title, also one that a code made free', async () => {
  await at.shop.db.insert(discounts).values({ code: 'GIFTED', type: 'cheapest_book', percent: 100 })
  const buyer = await aBuyer(at.shop)
  const bought = [await audio(), await audio({ priceMinor: 700 })]
  const till = await checkOut(buyer, await fillBag(buyer, bought), 'GIFTED')
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  for (let twice = 0; twice < 2; twice++) await hearOf(at, till.intent)
  expect(new Set(await libraryOf(buyer.user.id))).toEqual(new Set(bought.map(({ id }) => id)))
  const order = (await buyer.ask('GET', `/api/order_carts/${till.order}`)).json()
  expect(order).toMatchObject({ status: 'paid', refundedAmount: 0 })
})

test('a refund reported before its payment, and a dispute, leave the library as the money is', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.pay(till.intent)
  at.payments.giveBack(till.intent)
  await hearOf(at, till.intent, undefined, 'charge.refunded')
  await hearOf(at, till.intent)
  expect(await libraryOf(buyer.user.id)).toEqual([])
  expect((await buyer.ask('GET', `/api/order_carts/${till.order}`)).json().status).toBe('refunded')

  const other = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.pay(other.intent)
  await comeBack(buyer, other)
  expect(await libraryOf(buyer.user.id)).toHaveLength(1)
  at.payments.dispute(other.intent)
  await hearOf(at, other.intent, undefined, 'charge.dispute.created')
  expect(await libraryOf(buyer.user.id)).toEqual([])
})

test('a title that came into the library during the payment is refunded', async () => {
  const buyer = await aBuyer(at.shop)
  const [book, other] = [await audio(), await audio({ priceMinor: 700 })]
  const till = await checkOut(buyer, await fillBag(buyer, [book, other]))
  await inLibrary(at.shop, buyer.user, book, { source: 'credit' })
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  for (let twice = 0; twice < 2; twice++) expect((await reconcile(at.shop)).wrong).toEqual([])
  expect(at.payments.made.get(till.intent)!.refundedMinor).toBe(1200)
  expect(new Set(await libraryOf(buyer.user.id))).toEqual(new Set([book.id, other.id]))
})

test('the reconciliation settles payments without an event, and abandons unpaid orders', async () => {
  const [silent, away] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const paid = await checkOut(silent, await fillBag(silent, [await audio()]))
  const unpaid = await checkOut(away, await fillBag(away, [await audio()]))
  at.payments.pay(paid.intent)
  at.shop.clock.advance(300)
  expect(await reconcile(at.shop)).toMatchObject({ settled: 1, wrong: [] })
  expect(await libraryOf(silent.user.id)).toHaveLength(1)
  expect(await reconcile(at.shop)).toMatchObject({ settled: 0, wrong: [] })
  at.shop.clock.advance(25 * 3600)
  expect((await reconcile(at.shop)).abandoned).toBeGreaterThan(0)
  expect(at.payments.made.get(unpaid.intent)!.state).toBe('cancelled')
  expect(await at.shop.db.$count(orders, eq(orders.state, 'awaiting_payment'))).toBe(0)
})

test('a refund of an old purchase is found without an event', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  const { made } = at.payments
  made.set(till.intent, { ...made.get(till.intent)!, createdAt: new Date(0) })
  at.payments.giveBack(till.intent)
  await reconcile(at.shop)
  expect(await libraryOf(buyer.user.id)).toEqual([])
})

test('a payment with an amount mismatch delivers nothing, and is reported', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.reprice(till.intent, 100)
  at.payments.pay(till.intent)
  const errors = vi.spyOn(at.shop.log, 'error').mockReturnValue(undefined)
  expect((await comeBack(buyer, till)).json().outcome).toBe('checking')
  expect((await reconcile(at.shop)).wrong).toEqual([till.intent])
  expect(errors).toHaveBeenCalled()
  errors.mockRestore()
  expect(await libraryOf(buyer.user.id)).toEqual([])
  const reported = async () =>
    (await selectUnsettledMismatches(at.shop.db, 50)).some(({ intentId }) => intentId === till.intent)
  for (const [refunded, isReported] of [
    [99, true],
    [1, false],
  ] as const) {
    at.payments.giveBack(till.intent, refunded)
    await hearOf(at, till.intent, undefined, 'charge.refunded')
    expect(await reported()).toBe(isReported)
  }
})

test('a refunded gift leaves the recipient’s library, and the recipient gets an email', async () => {
  const [buyer, friend] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const gift = { ...(await audio({ title: 'Lent' })), giftEmail: friend.user.email }
  const till = await checkOut(buyer, await fillBag(buyer, [gift]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  const [mail] = await at.shop.db.select().from(mails).where(eq(mails.recipient, friend.user.email))
  const { token } = mail!.data as { token: string }
  await friend.ask('POST', `/api/audio_books/claim/${token}`)
  expect(await libraryOf(friend.user.id)).toEqual([gift.id])

  at.payments.giveBack(till.intent)
  for (let twice = 0; twice < 2; twice++) await hearOf(at, till.intent, undefined, 'charge.refunded')
  expect(await libraryOf(friend.user.id)).toEqual([])
  const told = await at.shop.db.select().from(mails).where(eq(mails.recipient, friend.user.email))
  expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['gift_book', 'gift_withdrawn']))
  expect(told).toHaveLength(2)
})

test('an account that is deleted during a payment gets a refund', async () => {
  const buyer = await aBuyer(at.shop)
  const gift = { ...(await audio({ priceMinor: 800 })), giftEmail: 'a.friend@post.example' }
  const till = await checkOut(buyer, await fillBag(buyer, [await audio(), gift]))
  expect(
    (
      await buyer.ask('POST', `/api/users/${buyer.user.id}/delete-account`, {
        password: buyer.user.password,
      })
    ).statusCode,
  ).toBe(204)
  at.payments.pay(till.intent)
  expect((await hearOf(at, till.intent)).statusCode).toBe(200)
  const errors = vi.spyOn(at.shop.log, 'error').mockReturnValue(undefined)
  for (let twice = 0; twice < 2; twice++) expect((await reconcile(at.shop)).wrong).not.toContain(till.intent)
  errors.mockRestore()
  expect(at.payments.made.get(till.intent)!.refundedMinor).toBe(2000)
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, till.order))
  expect(order).toMatchObject({ userId: null, buyerName: '', buyerEmail: '', refundedMinor: 2000 })
  expect(await at.shop.db.$count(mails, eq(mails.recipient, gift.giftEmail))).toBe(0)
})

test('a payment cancelled at the provider is followed by another payment for another order', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const first = await checkOut(buyer, cart)
  await at.payments.cancelPayment(first.intent)
  const second = await checkOut(buyer, cart)
  expect(second.order).not.toBe(first.order)
  expect(at.payments.made.get(second.intent)).toMatchObject({ state: 'open', amountMinor: 1200 })
})

test('a won dispute restores titles, gifts and a bookshop’s commission, with or without an event', async () => {
  const { outletId: outlet } = await aBookshop(at.shop)
  for (const isTold of [true, false]) {
    const [buyer, friend] = [await aBuyer(at.shop), await aBuyer(at.shop)]
    await at.shop.db.insert(outletReaders).values({
      userId: buyer.user.id,
      outletId: outlet,
      since: new Date(0),
      until: new Date('2030-01-01'),
    })
    const [own, gift] = [await audio(), await audio()]
    const till = await checkOut(buyer, await fillBag(buyer, [own, { ...gift, giftEmail: friend.user.email }]))
    at.payments.pay(till.intent)
    await comeBack(buyer, till)
    const [{ token }] = (
      await at.shop.db.select().from(mails).where(eq(mails.recipient, friend.user.email))
    ).map(({ data }) => data as { token: string }) as [{ token: string }]
    await friend.ask('POST', `/api/audio_books/claim/${token}`)
    const earned = async () =>
      (await at.shop.db.select().from(outletLines))
        .filter(({ outletId }) => outletId === outlet)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    const all = async () => ({
      libraries: [await libraryOf(buyer.user.id), await libraryOf(friend.user.id)],
      earned: await earned(),
      order: (await buyer.ask('GET', `/api/order_carts/${till.order}`)).json(),
    })
    const before = await all()
    at.payments.dispute(till.intent)
    await hearOf(at, till.intent, undefined, 'charge.dispute.created')
    expect((await all()).libraries).toEqual([[], []])
    expect(await earned()).not.toBe(before.earned)
    at.payments.closeDispute(till.intent, 'won')
    if (isTold) await hearOf(at, till.intent, undefined, 'charge.dispute.closed')
    else await reconcile(at.shop)
    const after = { ...before, order: { ...before.order, dispute: 'won' } }
    expect(await all()).toEqual(after)
    await hearOf(at, till.intent)
    await reconcile(at.shop)
    expect(await all()).toEqual(after)
  }
})

test('an out-of-date response of the provider does not undo a newer one', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  const old = at.payments.made.get(till.intent)!
  at.payments.giveBack(till.intent)
  await hearOf(at, till.intent, undefined, 'charge.refunded')
  await settleBy(at.shop, old)
  expect(await libraryOf(buyer.user.id)).toEqual([])
})

test('a line shows the goodwill that the provider refunded, even if less was left than was asked for', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio(), await audio({ priceMinor: 900 })]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  const shown = async () => (await buyer.ask('GET', `/api/order_carts/${till.order}`)).json()
  at.payments.giveBack(till.intent, 1900)
  const { order } = (await wholeOrder(at.shop.db, till.order))!
  await refundLines(at.shop, order.number, [1], 500, { amountMinor: 500 })
  const { orderItems, refundedAmount } = await shown()
  expect(refundedAmount).toBe(21)
  expect(orderItems[0].goodwillRefunds).toMatchObject([{ amount: 2 }])
})
