import { eq, inArray } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { customers } from '#server/db/schema/membership.ts'
import { orders, refunds } from '#server/db/schema/orders.ts'
import { PaymentConflict, PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { booksOf, invoicesOf } from '#tests/support/membership-books.ts'
import { differences } from '#tests/support/membership-differences.ts'
import { thePlug } from '#tests/support/network-switch.ts'
import { soon } from '#tests/support/wait-for.ts'
import { sendDueRefunds } from '../checkout/refund-order-lines.ts'
import { pence } from '../prices/pricing.ts'
import { carryOutStatements } from '../withdrawals/carry-out-statements.ts'
import { carryOutWithdrawals } from './withdraw.ts'
import { reconcileMemberships, reconcileMoneyBack } from './sync-due-memberships.ts'
import { syncInvoicePayment } from './membership-refunds.ts'
import { spendCredit } from './credit-queries.ts'
import { selectAnySubscription } from './queries.ts'
import { withdrawalAt } from './withdrawal-amounts.ts'
import { selectOwedTo } from '../refunds/queries.ts'
import { requestRefund } from '../refunds/service.ts'
import { selectOpenStatements } from '../withdrawals/queries.ts'

const LONGEST = { timeout: process.env.LONG ? 3_600_000 : 300_000 }
/** The distance between the statements at which the test cuts the connection; 1 tests every statement. */
const STATEMENTS = process.env.LONG ? 1 : 9

let all: MembersShop
let titles: TestBook[]
const plug = thePlug()
let billing: MembersShop['shop']['billing']
let payments: MembersShop['shop']['payments']
beforeAll(async () => {
  all = await membersShop()
  all.shop.log.level = 'silent'
  billing = { ...all.shop.billing, subscriptions: { ...all.shop.billing.subscriptions } }
  payments = { ...all.shop.payments }
  titles = await Promise.all([0, 1, 2].map(() => anAudioBook(all.shop, { priceMinor: 1200, edition: true })))
})
afterEach(async () => {
  plug.disarm()
  await all.sandbox.control('refunds', { answer: 'succeeded' })
  Object.assign(all.shop.billing.subscriptions, billing.subscriptions)
  Object.assign(all.shop.payments, payments)
})
afterAll(async () => {
  plug.remove()
  await all?.close()
})

const on = (member: Member, path: string, payload: object) =>
  member.ask('POST', `/api/subscriptions/${member.id}${path}`, payload)
const details = async (member: Member) =>
  (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
const shown = async (member: Member): Promise<number> => (await details(member)).withdrawal.amount
const withdraw = async (member: Member, amount?: number) =>
  (await on(member, '/withdraw', { amount: amount ?? (await shown(member)) })).statusCode
const claim = async (member: Member, { slug }: TestBook) =>
  (await member.ask('POST', `/api/audio_books/add-to-library/${slug}`, { waiver: true })).statusCode
const upgrade = async (member: Member, plan: number) =>
  (await member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan })).statusCode
const ordersOf = ({ user }: Member) => all.shop.db.select().from(orders).where(eq(orders.userId, user.id))
async function rowsOf(member: Member) {
  const ids = (await ordersOf(member)).map(({ id }) => id)
  return all.shop.db.select().from(refunds).where(inArray(refunds.orderId, ids))
}
const sum = (minor: readonly number[]) => minor.reduce((one, two) => one + two, 0)
async function back(member: Member): Promise<[number, number]> {
  const there: number[] = []
  for (const payment of await paymentsOf(member))
    there.push((await all.sandbox.payments.retrievePayment(payment)).refundedMinor)
  return [sum((await ordersOf(member)).map(({ refundedMinor }) => refundedMinor)), sum(there)]
}
async function paymentsOf(member: Member): Promise<string[]> {
  const found: string[] = []
  for await (const { payment } of all.sandbox.billing.invoices.list({
    subscription: await member.providerId(),
  }))
    if (payment !== null) found.push(payment)
  return found
}
const jobs = async (duration: string) => {
  await all.pass(duration)
  await carryOutWithdrawals(all.shop)
  await sendDueRefunds(all.shop)
}
const SAID = 'You’ve withdrawn from your membership'
const saidOf = async (member: Member) =>
  (await all.mailsTo(member)).filter((subject) => subject === SAID).length

test('a refund that the provider refuses is not recorded as refunded; it is owed until a bank has taken the money', async () => {
  const member = await all.member(4)
  const [payment] = await paymentsOf(member)
  // The buyer disputed the payment first, and no event has arrived.
  const dispute = await all.sandbox.control(`payment_intents/${payment}/dispute`)
  expect(await withdraw(member)).toBe(200)
  expect(await back(member)).toEqual([0, 0])
  expect(await selectOwedTo(all.shop.db, member.user.id)).toMatchObject([{ amountMinor: 800 }])
  await all.sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome: 'lost' })
  await jobs('P1D')
  expect(await back(member)).toEqual([800, 0])
  expect(await rowsOf(member)).toMatchObject([{ state: 'done', problem: 'the_bank_took_it_back' }])
  expect(await selectOwedTo(all.shop.db, member.user.id)).toEqual([])
  expect(await saidOf(member)).toBe(1)
})

test('without a balance, or if a refund fails days later, the money stays owed and is finally sent, once', async () => {
  const member = await all.member(4)
  await all.sandbox.control('refunds', { answer: 'balance_insufficient' })
  expect(await withdraw(member)).toBe(200)
  expect(await rowsOf(member)).toMatchObject([{ state: 'refused', problem: 'balance_insufficient' }])
  await all.sandbox.control('refunds', { answer: 'pending' })
  await jobs('PT1H')
  const [sent] = await rowsOf(member)
  expect(sent).toMatchObject({ state: 'sent', problem: null })
  await all.sandbox.control(`refunds/${sent!.providerId}`, { status: 'failed' })
  await all.sandbox.control('refunds', { answer: 'succeeded' })
  await jobs('P1D')
  expect(await back(member)).toEqual([0, 0])
  await jobs('P1D')
  expect(await back(member)).toEqual([800, 800])
})

test('a withdrawal refunds the rest of a payment that the owner refunded in part before it could be sent', async () => {
  const member = await all.member(2)
  await all.pass('P1D')
  const promisedMinor = pence(await shown(member))
  await all.sandbox.control('refunds', { answer: 'balance_insufficient' })
  expect(await withdraw(member)).toBe(200)
  await all.sandbox.control('refunds', { answer: 'succeeded' })
  const [payment] = await paymentsOf(member)
  await all.sandbox.payments.refundPayment(payment!, { amountMinor: 3133 }, 'by hand')
  await jobs('P1D')
  expect([promisedMinor, await back(member)]).toEqual([11_967, [12_000, 12_000]])
  expect(await rowsOf(member)).toMatchObject([{ state: 'done', amountMinor: 8867 }])
  // The random lives of memberships expect the same.
  const [{ customerId } = { customerId: '' }] = await all.shop.db
    .select()
    .from(customers)
    .where(eq(customers.userId, member.user.id))
  const known = { taken: 0, withdrawn: new Map([[member.id, promisedMinor]]), wholes: new Set<string>() }
  expect(await differences(all, member, await booksOf(all.sandbox, customerId), known)).toEqual([])
})

test('money that is already owed for a charge is not offered again', async () => {
  const member = await all.member(4)
  expect(await shown(member)).toBe(8)
  const [order] = await ordersOf(member)
  const owed = { reason: 'owner', key: `owner:${order!.id}`, orderId: order!.id, amountMinor: 300 } as const
  await requestRefund(all.shop.db, owed, all.shop.clock.now())
  expect(await shown(member)).toBe(5)
})

test('a partial refund that failed after its credit note, without an event, is sent again with the same note', async () => {
  const member = await all.member(4)
  await all.pass('P10D')
  const amount = pence(await shown(member))
  expect(await withdraw(member)).toBe(200)
  const [gone] = await rowsOf(member)
  expect(gone).toMatchObject({ state: 'done', amountMinor: amount })
  await all.sandbox.control(`refunds/${gone!.providerId}`, { status: 'failed' })
  await reconcileMoneyBack(all.shop)
  expect(await rowsOf(member)).toMatchObject([{ state: 'failed', attempts: 1 }])
  await jobs('P1D')
  expect(await back(member)).toEqual([amount, amount])
  const { creditedMinor } = await all.sandbox.billing.invoices.retrieve(gone!.invoiceId!)
  expect(creditedMinor).toBe(amount)
  expect(await all.sandbox.billing.invoices.creditNotes(gone!.invoiceId!)).toHaveLength(1)
})

test('each refund has a credit note, also one made in the provider’s dashboard', async () => {
  const member = await all.member(4)
  const [payment] = await paymentsOf(member)
  await all.sandbox.payments.refundPayment(payment!, { amountMinor: 300 }, `by-hand:${payment}`)
  for (let night = 0; night < 2; night += 1) await reconcileMoneyBack(all.shop)
  const [invoice] = await invoicesOf(all.sandbox, await member.providerId())
  expect(invoice!.creditedMinor).toBe(300)
})

test('after a withdrawal was recorded no title can be claimed, however long the provider takes', async () => {
  const member = await all.member(1)
  const claims: number[] = []
  all.shop.billing.subscriptions.end = async (id) => {
    for (const title of titles) claims.push(await claim(member, title))
    return billing.subscriptions.end(id)
  }
  expect(await withdraw(member, 12)).toBe(200)
  expect([claims, await back(member)]).toEqual([
    [422, 422, 422],
    [1200, 1200],
  ])
})

test('a title that is chosen during a withdrawal counts: its share is not refunded', async () => {
  const member = await all.member(1)
  const { asked } = await all.shop.db.transaction(async (tx) => {
    await spendCredit(tx, member.user.id, titles[0]!.id, all.shop.clock.now())
    const withdrawing = withdraw(member, 12)
    await soon(async () => {
      const { rows } = await all.shop.database.pool.query('select 1 from pg_locks where not granted')
      expect(rows).not.toEqual([])
    })
    return { asked: withdrawing }
  })
  expect(await asked).toBe(409)
  expect([await shown(member), await back(member)]).toEqual([6, [0, 0]])
})

test('an upgrade neither ends nor restarts the right to withdraw, and both charges are refunded in part', async () => {
  const member = await all.member(4)
  await all.pass('P3D')
  expect(await upgrade(member, 1)).toBe(200)
  await all.pass('P1D')
  const [joined, upgraded] = (await ordersOf(member)).toSorted((one, two) => two.totalMinor - one.totalMinor)
  const amount = Math.round((joined!.totalMinor * 26) / 30) + Math.round((upgraded!.totalMinor * 26) / 27)
  const { withdrawal } = await details(member)
  expect(withdrawal.amount).toBe(amount / 100)
  expect(new Date(withdrawal.until).getTime() - joined!.paidAt!.getTime()).toBe(14 * 86_400_000)
  expect(await withdraw(member)).toBe(200)
  expect(await back(member)).toEqual([amount, amount])
})

test('an upgrade that was charged after the sum was calculated is refunded too', async () => {
  const member = await all.member(4)
  all.shop.billing.subscriptions.end = async (id) => {
    await all.sandbox.billing.subscriptions.upgrade(
      id,
      { price: 'plan_1', at: all.shop.clock.now() },
      `late:${id}`,
    )
    return billing.subscriptions.end(id)
  }
  expect(await withdraw(member, 8)).toBe(200)
  const charged = sum((await ordersOf(member)).map(({ totalMinor }) => totalMinor))
  expect(charged).toBeGreaterThan(800)
  expect(await back(member)).toEqual([charged, charged])
})

test('withdrawing is refused while a dispute is open or if nothing is left, and the page shows why', async () => {
  const [disputed, empty] = [await all.member(4), await all.member(4)]
  const [payment] = await paymentsOf(disputed)
  await all.sandbox.control(`payment_intents/${payment}/dispute`)
  await syncInvoicePayment(all.shop, payment!)
  expect((await details(disputed)).withdrawal).toMatchObject({ disputed: true })
  expect(await withdraw(disputed)).toBe(422)
  expect(await claim(empty, titles[0]!)).toBe(200)
  expect((await details(empty)).withdrawal).toMatchObject({ amount: 0, disputed: false })
  const refusal = await on(empty, '/withdraw', { amount: 0 })
  expect(refusal.statusCode).toBe(422)
  expect(refusal.json()['hydra:description']).toBe('There’s nothing to refund.')
  expect(await back(empty)).toEqual([0, 0])
})

test('an interrupted withdrawal sends its receipt at once, is finished by a job, and then emails the refund', async () => {
  const member = await all.member(4)
  const away = async () => {
    throw new PaymentsUnavailable('away')
  }
  all.shop.billing.subscriptions.end = away
  const statedAt = all.shop.clock.now().toISOString()
  expect(await withdraw(member)).toBe(200)
  expect(await member.current()).toBeNull()
  await member.settle()
  expect(await saidOf(member)).toBe(0)
  // Only the email about the refund waits for the provider.
  const receipt = (await all.lettersTo(member)).at(-1)!
  expect(receipt.subject).toBe('We’ve received your withdrawal')
  expect(receipt.text).toMatch(/Your membership \(Reader, monthly\)/)
  expect(receipt.text).toContain(`at ${statedAt.slice(11, 16)} (UTC)`)
  Object.assign(all.shop.billing.subscriptions, billing.subscriptions)
  all.shop.payments.refundPayment = away
  await jobs('PT10M')
  Object.assign(all.shop.payments, payments)
  await jobs('PT10M')
  await jobs('PT10M')
  expect(await back(member)).toEqual([800, 800])
  expect(await saidOf(member)).toBe(1)
  expect((await all.sandbox.billing.subscriptions.retrieve(await member.providerId())).state).toBe('ended')
})

test('a statement without a log-in ends its order’s membership as of its own time, with one receipt', async () => {
  const member = await all.member(4)
  const [paid] = await ordersOf(member)
  await all.pass('P13DT23H')
  const amount = pence(await shown(member))
  const payload = { name: 'Una Reed', contract: paid!.number, email: member.user.email }
  expect((await all.shop.app.inject({ method: 'POST', url: '/api/withdrawals', payload })).statusCode).toBe(
    201,
  )
  await all.pass('PT2H')
  await carryOutStatements(all.shop)
  expect(await member.current()).toBeNull()
  expect(await back(member)).toEqual([amount, amount])
  const subjects = await all.mailsTo(member)
  expect(subjects.filter((subject) => subject === 'We’ve received your withdrawal')).toHaveLength(1)
  expect(await saidOf(member)).toBe(1)
  expect(await selectOpenStatements(all.shop.db, 10)).toEqual([])

  // Too late by law: the owner answers.
  const late = await all.member(4)
  const [old] = await ordersOf(late)
  await all.pass('P15D')
  await all.shop.app.inject({
    method: 'POST',
    url: '/api/withdrawals',
    payload: { ...payload, contract: old!.number, email: late.user.email },
  })
  await carryOutStatements(all.shop)
  expect(await late.current()).not.toBeNull()
  expect(await selectOpenStatements(all.shop.db, 10)).toMatchObject([{ contract: old!.number }])
})

test('killed at any statement, a withdrawal is refunded once and ends the membership', LONGEST, async () => {
  const member = await all.member(4)
  for (let statements = 1, wasCut = true; wasCut; statements += STATEMENTS) {
    plug.armAfter(statements)
    await on(member, '/withdraw', { amount: 8 }).catch(() => undefined)
    await carryOutWithdrawals(all.shop).catch(() => undefined)
    await sendDueRefunds(all.shop).catch(() => undefined)
    wasCut = plug.disarm()
    // So that the interrupted work is due again.
    await all.pass('PT10M')
  }
  await jobs('P1D')
  expect(await back(member)).toEqual([800, 800])
  expect(await saidOf(member)).toBe(1)
})

test('a member who withdrew within a year gets the audiobooks of another membership after its first 14 days', async () => {
  const member = await all.member(4)
  expect(await withdraw(member)).toBe(200)
  await all.pass('P300D')
  const { id } = (
    await member.ask('POST', '/api/subscriptions', { plan: 4, startNow: true, paymentMethod: 'pm_card_visa' })
  ).json()
  const again: Member = {
    ...member,
    id,
    async current() {
      return (await member.ask('GET', `/api/subscriptions/${id}/details`)).json()
    },
  }
  expect(await claim(again, titles[0]!)).toBe(422)
  const { credits: held } = (await again.current()) as { credits: { left: number; from: string } }
  expect(held).toMatchObject({ left: 0, from: expect.any(String) })
  await all.pass('P14D')
  await all.pass('PT1M')
  expect(await claim(again, titles[0]!)).toBe(200)
})

test('after a yearly renewal only the current month counts: last year’s free audiobooks are not included', async () => {
  const member = await all.member(5)
  await all.pass('P1Y2D')
  await reconcileMemberships(all.shop)
  expect(await ordersOf(member)).toHaveLength(2)
  expect(await shown(member)).toBeGreaterThan(79)
  expect(await claim(member, titles[0]!)).toBe(200)
  expect((await details(member)).withdrawal).toMatchObject({ amount: 0 })
})

test('at the instant a month begins, its own free audiobook counts and the previous month’s does not', async () => {
  const member = await all.member(5)
  await all.pass('P350D')
  expect(await claim(member, titles[0]!)).toBe(200)
  await all.pass('P17D')
  await reconcileMemberships(all.shop)
  const row = await selectAnySubscription(all.shop.db, member.id)
  const amountMinor = async () => (await withdrawalAt(all.shop.db, row!, row!.periodStart))?.amountMinor
  expect(await amountMinor()).toBe(8000)
  expect(await claim(member, titles[1]!)).toBe(200)
  expect(await amountMinor()).toBe(0)
})

test('an upgrade of a yearly membership does not restart the right to withdraw', async () => {
  const member = await all.member(5)
  await all.pass('P3D')
  expect(await upgrade(member, 2)).toBe(200)
  const joinedAt = Math.min(...(await ordersOf(member)).map(({ paidAt }) => paidAt!.getTime()))
  const { withdrawal } = await details(member)
  expect(new Date(withdrawal.until).getTime() - joinedAt).toBe(14 * 86_400_000)
})

test('a monthly renewal opens no withdrawal period', async () => {
  const member = await all.member(4)
  await all.pass('P1M2D')
  await reconcileMemberships(all.shop)
  expect(await ordersOf(member)).toHaveLength(2)
  expect((await details(member)).withdrawal).toBeNull()
})

test('after a month for £0 the first paid charge opens the withdrawal period', async () => {
  const member = await all.member(4)
  const [free] = await ordersOf(member)
  await all.shop.db.update(orders).set({ totalMinor: 0, vatMinor: 0 }).where(eq(orders.id, free!.id))
  await all.pass('P1M2D')
  await reconcileMemberships(all.shop)
  expect(await shown(member)).toBeGreaterThan(7)
})

test('a refund that the provider refused without a reason is requested again', async () => {
  const member = await all.member(4)
  all.shop.payments.refundPayment = async () => {
    throw new PaymentConflict('no')
  }
  expect(await withdraw(member)).toBe(200)
  expect(await back(member)).toEqual([0, 0])
  Object.assign(all.shop.payments, payments)
  await jobs('PT10M')
  expect(await back(member)).toEqual([800, 800])
})
