import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { feedEvents } from '#server/db/schema/feed.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orderLines, orders, payments } from '#server/db/schema/orders.ts'
import { NotAtProvider, PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import {
  aBuyer,
  checkOut,
  comeBack,
  fillBag,
  payingShop,
  type Buyer,
  type PayingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, inLibrary } from '#tests/support/builders.ts'
import { sendDueRefunds } from './refund-order-lines.ts'
import { reconcile, reconcileInTurn } from './reconcile-payments.ts'
import { settleOrder, settlePayment } from './settle-payment.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  const left = eq(orders.state, 'awaiting_payment')
  await at.shop.db.update(orders).set({ state: 'abandoned' }).where(left)
})
afterEach(() => {
  at.payments.onCall = () => undefined
  vi.restoreAllMocks()
})
afterAll(() => at.shop.close())

const audio = async (title = 'A Book') => ({
  ...(await anAudioBook(at.shop, { priceMinor: 1200, title })),
  kind: 'audio_books' as const,
})
async function waiting(buyer?: Buyer) {
  const who = buyer ?? (await aBuyer(at.shop))
  const till = await checkOut(who, await fillBag(who, [await audio()]))
  return { buyer: who, ...till }
}
/** Paid although the title came into the library in another way, so a refund is due. */
async function paidTwice() {
  const buyer = await aBuyer(at.shop)
  const book = await audio()
  const till = await checkOut(buyer, await fillBag(buyer, [book]))
  await inLibrary(at.shop, buyer.user, book, { source: 'credit' })
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  return { buyer, ...till }
}
const statusOf = async ({ buyer, order }: { buyer: Buyer; order: string }) =>
  (await buyer.ask('GET', `/api/order_carts/${order}`)).json().status
const backOf = async (order: string) =>
  (await at.shop.db.select().from(orders).where(eq(orders.id, order)))[0]!.refundedMinor
const checkOf = async (order: string) =>
  (await at.shop.db.select().from(payments).where(eq(payments.orderId, order)))[0]!
const quiet = () => vi.spyOn(at.shop.log, 'warn').mockReturnValue(undefined)

test('an order that the provider does not know stops neither the others nor the refunds that are due', async () => {
  const warned = quiet()
  const bad = await waiting()
  at.payments.made.delete(bad.intent)
  const good = await waiting()
  at.payments.pay(good.intent)
  const twice = await paidTwice()

  at.shop.clock.advance(300)
  expect(await reconcile(at.shop)).toMatchObject({ settled: 1, failed: 1, wrong: [] })
  expect(await statusOf(good)).toBe('paid')
  expect(at.payments.made.get(twice.intent)!.refundedMinor).toBe(1200)
  const noted = await checkOf(bad.order)
  expect(noted.checkProblem).toContain(bad.intent)
  expect(warned).toHaveBeenCalledWith(
    expect.objectContaining({ order: bad.order, err: expect.any(NotAtProvider) }),
    'an order could not be reconciled',
  )
})

test('a payment that cannot be compared with an order is counted, and does not stop the others', async () => {
  quiet()
  const good = await waiting()
  const odd = await waiting()
  at.payments.pay(good.intent)
  at.payments.pay(odd.intent)
  const { made } = at.payments
  // It belongs to another shop with the same provider account.
  made.set(odd.intent, { ...made.get(odd.intent)!, metadata: { order: 'A-17' } })
  expect(await reconcile(at.shop)).toMatchObject({ settled: 1, failed: 1, wrong: [] })
  expect(await statusOf(good)).toBe('paid')
  made.delete(odd.intent)
})

test('a payment for an account deleted in the meantime is refunded, and no email is sent', async () => {
  const { order, intent } = await waiting()
  const erased = { userId: null, buyerName: '', buyerEmail: '' }
  await at.shop.db.update(orders).set(erased).where(eq(orders.id, order))
  at.payments.pay(intent)
  at.shop.clock.advance(300)
  await reconcile(at.shop)
  expect(at.payments.made.get(intent)).toMatchObject({ refundedMinor: 1200 })
  expect(await at.shop.db.$count(mails, eq(mails.key, `order_confirmed:${order}`))).toBe(0)
})

test('a payment of another shop with the same provider account is not an order here', async () => {
  const { intent } = await waiting()
  const { made } = at.payments
  for (const metadata of [{ order: 'A-17' }, {}]) {
    made.set('pi_other', { ...made.get(intent)!, id: 'pi_other', state: 'paid', metadata })
    expect(await settleOrder(at.shop, 'pi_other')).toEqual({ outcome: 'paid', order: null })
  }
  made.delete('pi_other')
})

test.each([
  ['the reconciliation', () => reconcile(at.shop)],
  ['its webhook event', (intent: string) => settlePayment(at.shop, intent)],
])('a payment that was charged before the shop could store it is found by %s', async (_how, find) => {
  const killed = await waiting()
  // As a server leaves it that is killed before it stores the payment; the database refuses this change otherwise.
  await at.shop.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.update(payments).set({ intentId: null }).where(eq(payments.orderId, killed.order))
  })
  at.payments.pay(killed.intent)
  await find(killed.intent)
  expect(await statusOf(killed)).toBe('paid')
  expect(await checkOf(killed.order)).toMatchObject({ intentId: killed.intent })
})

test('the pauses of a failing order grow, and it is abandoned after a day', async () => {
  quiet()
  const bad = await waiting()
  at.payments.made.delete(bad.intent)
  const pauses: number[] = []
  at.shop.clock.advance(300)
  for (let failure = 1; failure <= 3; failure++) {
    expect((await reconcile(at.shop)).failed).toBe(1)
    expect((await reconcile(at.shop)).failed).toBe(0)
    const pause = ((await checkOf(bad.order)).checkAfter!.getTime() - at.shop.now().getTime()) / 60_000
    pauses.push(Math.round(pause))
    at.shop.clock.advance(pause * 60 + 1)
  }
  expect(pauses).toEqual([5, 10, 20])
  at.shop.clock.advance(25 * 3600)
  expect(await reconcile(at.shop)).toMatchObject({ failed: 0, abandoned: 1 })
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, bad.order))
  expect(order!.state).toBe('abandoned')
})

test('while the provider is down not every order is checked, and no order is postponed for it', async () => {
  quiet()
  for (let count = 0; count < 5; count++) at.payments.pay((await waiting()).intent)
  at.shop.clock.advance(300)
  let asked = 0
  at.payments.onCall = () => {
    asked += 1
    throw new PaymentsUnavailable('away')
  }
  // Three orders, and the three steps that were interrupted.
  expect(await reconcile(at.shop)).toMatchObject({ failed: 6 })
  expect(asked).toBe(5)
  at.payments.onCall = () => undefined
  expect(await reconcile(at.shop)).toMatchObject({ settled: 5, failed: 0 })
})

test('a paid line that nothing delivers is refunded, and a line of an unknown kind can’t be stored', async () => {
  const order = await waiting()
  const ofOrder = eq(orderLines.orderId, order.order)
  await expect(at.shop.db.update(orderLines).set({ bookId: null }).where(ofOrder)).rejects.toThrow()
  await at.shop.db.update(orderLines).set({ kind: 'membership', bookId: null, plan: 4 }).where(ofOrder)
  at.payments.pay(order.intent)
  await comeBack(order.buyer, order)
  expect(await statusOf(order)).toBe('paid')
  expect((await reconcile(at.shop)).failed).toBe(0)
  expect(at.payments.made.get(order.intent)!.refundedMinor).toBe(1200)
  expect(await statusOf(order)).toBe('refunded')
  expect(await at.shop.db.$count(mails, eq(mails.key, `title_refunded:${order.order}:1200`))).toBe(1)
})

test('two refunds of mutual gifts write feed events in the same order of accounts, so that they can’t deadlock', async () => {
  const [ada, ben] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const give = async (from: Buyer, to: Buyer) => {
    const cart = await fillBag(from, [{ ...(await audio()), giftEmail: to.user.email }])
    const till = await checkOut(from, cart)
    at.payments.pay(till.intent)
    await comeBack(from, till)
    const held = await at.shop.db.select().from(mails).where(eq(mails.recipient, to.user.email))
    const { token } = held.map(({ data }) => data as { token?: string }).find((data) => data.token)!
    expect((await to.ask('POST', `/api/audio_books/claim/${token}`)).statusCode).toBe(200)
    return till
  }
  const gifts = [await give(ada, ben), await give(ben, ada)]
  await at.shop.db.delete(feedEvents)
  const told: string[][] = []
  for (const { intent } of gifts) {
    at.payments.giveBack(intent)
    await reconcile(at.shop)
    const events = await at.shop.db.select().from(feedEvents).orderBy(feedEvents.sequence)
    told.push(events.map(({ userId }) => userId))
    await at.shop.db.delete(feedEvents)
  }
  const inOrder = [ada.user.id, ben.user.id].sort()
  expect(told).toEqual([inOrder, inOrder])
})

test('a refund made elsewhere during ours is not repeated, and is not a failure', async () => {
  const order = await paidTwice()
  at.payments.onCall = (call, when) => {
    if (call === 'refundPayment' && when === 'before') at.payments.giveBack(order.intent)
  }
  expect(await reconcile(at.shop)).toMatchObject({ failed: 0, wrong: [] })
  expect(at.payments.made.get(order.intent)!.refundedMinor).toBe(1200)
  expect(await statusOf(order)).toBe('refunded')
})

test('if one response of two refunds is lost, both titles are refunded once, and the third one stays paid', async () => {
  quiet()
  const buyer = await aBuyer(at.shop)
  const priced = async (priceMinor: number) => ({
    ...(await anAudioBook(at.shop, { priceMinor })),
    kind: 'audio_books' as const,
  })
  const [lost, other, kept] = [await priced(1200), await priced(500), await priced(700)]
  const till = await checkOut(buyer, await fillBag(buyer, [lost, other, kept]))
  for (const book of [lost, other]) await inLibrary(at.shop, buyer.user, book, { source: 'credit' })
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  let refunds = 0
  at.payments.onCall = (call, when) => {
    if (call === 'refundPayment' && when === 'after' && ++refunds === 1) throw new PaymentsUnavailable('away')
  }
  for (let run = 0; run < 3; run += 1) {
    await reconcile(at.shop)
    await sendDueRefunds(at.shop)
    at.shop.clock.advance(3600)
  }
  // Both were reported as one sum, which equals no line's price.
  expect(refunds).toBeGreaterThan(1)
  expect(at.payments.made.get(till.intent)!.refundedMinor).toBe(1700)
  // The owner would resolve it; the other tests use orders of their own.
  const ofOrder = eq(orderLines.orderId, till.order)
  await at.shop.db.update(orderLines).set({ refundedAt: at.shop.clock.now() }).where(ofOrder)
})

test('a refund that fails now is sent by a later run', async () => {
  quiet()
  const order = await paidTwice()
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  expect((await reconcile(at.shop)).failed).toBe(1)
  expect((await checkOf(order.order)).checkProblem).toContain('away')
  at.payments.onCall = () => undefined
  at.shop.clock.advance(3600)
  await sendDueRefunds(at.shop)
  expect((await reconcile(at.shop)).failed).toBe(0)
  expect(at.payments.made.get(order.intent)!.refundedMinor).toBe(1200)
  const written = eq(mails.key, `title_refunded:${order.order}:1200`)
  const [mail] = await at.shop.db.select({ data: mails.data }).from(mails).where(written)
  // The title stays in the library, so the email names no removed title.
  expect(mail!.data).toMatchObject({ titles: [], amountMinor: 1200 })
})

test('a payment that is pending at the bank is not abandoned, however old its order is', async () => {
  const order = await waiting()
  at.payments.keepPending(order.intent)
  at.shop.clock.advance(25 * 3600)
  expect(await reconcile(at.shop)).toMatchObject({ abandoned: 0, settled: 0, failed: 0 })
  const [row] = await at.shop.db.select().from(orders).where(eq(orders.id, order.order))
  expect(row!.state).toBe('awaiting_payment')
})

test('an order is abandoned after a day, and not before', async () => {
  await waiting()
  at.shop.clock.advance(24 * 3600)
  expect(await reconcile(at.shop)).toMatchObject({ abandoned: 0, failed: 0 })
  at.shop.clock.advance(1)
  expect(await reconcile(at.shop)).toMatchObject({ abandoned: 1, failed: 0 })
})

test('an order paid a day ago without an event is settled without trying to cancel it', async () => {
  const paid = await waiting()
  at.payments.pay(paid.intent)
  at.shop.clock.advance(24 * 3600 + 1)
  vi.spyOn(at.payments, 'listPayments').mockImplementation(async function* () {})
  const cancelled = vi.spyOn(at.payments, 'cancelPayment')
  expect(await reconcile(at.shop)).toMatchObject({ abandoned: 0, failed: 0 })
  const [row] = await at.shop.db.select().from(orders).where(eq(orders.id, paid.order))
  expect(row!.state).toBe('paid')
  expect(cancelled).not.toHaveBeenCalled()
})

test('a new order is left to its return page for two minutes; a payment that the provider lists as paid is settled', async () => {
  const order = await waiting()
  vi.spyOn(at.payments, 'listReturned').mockImplementation(async function* () {})
  let asked = 0
  at.payments.onCall = (call, when) => {
    if (call === 'retrievePayment' && when === 'before') asked += 1
  }
  expect(await reconcile(at.shop)).toMatchObject({ settled: 0, failed: 0 })
  at.shop.clock.advance(119)
  await reconcile(at.shop)
  expect(asked).toBe(0)
  at.shop.clock.advance(2)
  await reconcile(at.shop)
  expect(asked).toBe(1)

  const paid = await waiting()
  at.payments.pay(paid.intent)
  expect(await reconcile(at.shop)).toMatchObject({ settled: 1, failed: 0 })
  expect(await statusOf(paid)).toBe('paid')
  expect(await statusOf(order)).not.toBe('paid')
})

test('a refund of an old order is found without an event', async () => {
  const old = await waiting()
  at.payments.pay(old.intent)
  await comeBack(old.buyer, old)
  at.shop.clock.advance(30 * 24 * 3600)
  at.payments.giveBack(old.intent)
  // It was paid too long ago to be listed.
  vi.spyOn(at.payments, 'listPayments').mockImplementation(async function* () {})
  await reconcile(at.shop)
  expect(await backOf(old.order)).toBe(1200)
})

test('a refund that cannot be compared is counted and does not stop others; one without an order here is ignored', async () => {
  const gone = [await waiting(), await waiting(), await waiting()] as const
  for (const order of gone) {
    at.payments.pay(order.intent)
    await comeBack(order.buyer, order)
  }
  at.shop.clock.advance(30 * 24 * 3600)
  for (const { intent } of gone) at.payments.giveBack(intent)
  vi.spyOn(at.payments, 'listPayments').mockImplementation(async function* () {})
  const ids = ['pi_of_nobody', ...gone.map(({ intent }) => intent)]
  vi.spyOn(at.payments, 'listReturned').mockImplementation(async function* () {
    yield* ids
  })
  const warned = quiet()
  const bad = at.payments.made.get(gone[0].intent)!
  at.payments.made.delete(gone[0].intent)
  expect(await reconcile(at.shop)).toMatchObject({ failed: 1, wrong: [] })
  expect(warned).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ intent: gone[0].intent }),
    'money that went back could not be compared',
  )
  expect(await Promise.all(gone.map(({ order }) => backOf(order)))).toEqual([0, 1200, 1200])

  at.payments.made.set(bad.id, bad)
  const asked: unknown[] = []
  vi.spyOn(at.payments, 'retrievePayment').mockImplementation(async (id) => {
    asked.push(id)
    return at.payments.made.get(id)!
  })
  expect(await reconcile(at.shop)).toMatchObject({ failed: 0 })
  expect(await backOf(gone[0].order)).toBe(1200)
  expect(asked).toEqual([bad.id])
})

test('a run that is told to stop starts nothing new', async () => {
  const paid = await waiting()
  at.payments.pay(paid.intent)
  at.shop.clock.advance(300)
  await reconcileInTurn(at.shop)(AbortSignal.abort())
  expect(await statusOf(paid)).not.toBe('paid')
  await reconcileInTurn(at.shop)()
  expect(await statusOf(paid)).toBe('paid')
})

test('an error is logged if a payment and the library disagree, and only then', async () => {
  const errors = vi.spyOn(at.shop.log, 'error').mockReturnValue(undefined)
  const run = reconcileInTurn(at.shop)
  await run()
  expect(errors).not.toHaveBeenCalled()
  const odd = await waiting()
  at.payments.reprice(odd.intent, 100)
  at.payments.pay(odd.intent)
  await run()
  expect(errors).toHaveBeenCalledWith({ payments: [odd.intent] }, expect.any(String))
  // The owner has refunded the payment in the provider's dashboard.
  at.payments.giveBack(odd.intent)
  errors.mockClear()
  await run()
  expect(errors).not.toHaveBeenCalledWith({ payments: [odd.intent] }, expect.any(String))
  at.payments.made.delete(odd.intent)
})

test('the first run looks far back, then one run each hour', async () => {
  const since: number[] = []
  vi.spyOn(at.payments, 'listPayments').mockImplementation(async function* (asked) {
    since.push((at.shop.now().getTime() - asked.since!.getTime()) / 3_600_000)
    yield* []
  })
  const run = reconcileInTurn(at.shop)
  for (const minutes of [0, 5, 50, 5, 5]) {
    at.shop.clock.advance(minutes * 60)
    await run()
  }
  expect(since).toEqual([96, 2, 2, 96, 2])
})

// Last, because the payment stays disputed.
test('a dispute of a recent payment is found without an event, once', async () => {
  const order = await waiting()
  at.payments.pay(order.intent)
  await comeBack(order.buyer, order)
  at.payments.dispute(order.intent)
  vi.spyOn(at.payments, 'listReturned').mockImplementation(async function* () {})
  const disputedAt = async () =>
    (await at.shop.db.select().from(orders).where(eq(orders.id, order.order)))[0]!.disputedAt
  await reconcile(at.shop)
  const found = await disputedAt()
  expect(found).not.toBeNull()
  at.shop.clock.advance(3600)
  await reconcile(at.shop)
  expect(await disputedAt()).toEqual(found)
})
