import { asc, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { subscriptions } from '#server/db/schema/membership.ts'
import { NotAtProvider, PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { lastNight, untilNightMs } from '#server/jobs/business-jobs.ts'
import { aUser } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aPaidMembership } from '#tests/support/paid-membership.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { selectNow } from './billing-queries.ts'
import { reconcileMoneyBack, sweepMemberships } from './sync-due-memberships.ts'

/** More than one batch. */
const MANY = 130

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
  shop.app.log.level = 'silent'
  const from = shop.clock.now()
  const until = new Date(from.getTime() + 30 * 86_400_000)
  for (let member = 0; member < MANY; member += 1) {
    const { id: userId } = await aUser(shop)
    await shop.db.insert(subscriptions).values({
      userId,
      plan: 4,
      status: 'active',
      providerId: `sub_${String(member).padStart(3, '0')}`,
      periodStart: from,
      periodEnd: until,
      validUntil: until,
    })
  }
})
afterAll(() => shop?.close())

function settlement(answer: (id: string) => Error = (id) => new NotAtProvider(id), last = Infinity) {
  const asked: string[] = []
  const stopping = new AbortController()
  const billing = fakeBilling()
  const retrieve = async (id: string) => {
    asked.push(id)
    if (asked.length === last) stopping.abort()
    throw answer(id)
  }
  return {
    asked,
    stopping,
    desk: { ...shop, billing: { ...billing, subscriptions: { ...billing.subscriptions, retrieve } } },
  }
}

test('each membership is checked once a night, however often the job runs', async () => {
  const tonight = await selectNow(shop.db)
  const { asked, desk } = settlement()
  await sweepMemberships(desk, tonight)
  await sweepMemberships(desk, tonight)
  expect(asked).toHaveLength(MANY)
  expect(new Set(asked).size).toBe(MANY)
})

test('the next run continues an interrupted one, and memberships that waited longest come first', async () => {
  const [longest] = await shop.db
    .update(subscriptions)
    .set({ checkedAt: null })
    .where(eq(subscriptions.providerId, 'sub_077'))
    .returning({ providerId: subscriptions.providerId })
  const tonight = await selectNow(shop.db)
  const first = settlement(undefined, 50)
  await sweepMemberships(first.desk, tonight, first.stopping.signal)
  expect(first.asked[0]).toBe(longest!.providerId)
  const second = settlement()
  await sweepMemberships(second.desk, tonight)
  expect(second.asked).toHaveLength(MANY - 50)
  expect(first.asked.filter((id) => second.asked.includes(id))).toEqual([])
})

test('a failing membership does not stop others; while the provider is down the run stops, and continues later', async () => {
  const broken = settlement((id) =>
    id.endsWith('7')
      ? new PaymentsUnavailable('500')
      : id.endsWith('8')
        ? new Error('a bug')
        : new NotAtProvider(id),
  )
  // In this order no three memberships in a row are unanswered, which would mean that the provider is down.
  await shop.db
    .update(subscriptions)
    .set({ checkedAt: sql`'2020-01-01'::timestamptz + right(provider_id, 3)::int * interval '1 second'` })
  await sweepMemberships(broken.desk, await selectNow(shop.db))
  expect(broken.asked).toHaveLength(MANY)

  const tonight = await selectNow(shop.db)
  const down = settlement(() => new PaymentsUnavailable('down'))
  await expect(sweepMemberships(down.desk, tonight)).rejects.toThrow(PaymentsUnavailable)
  expect(down.asked.length).toBeLessThan(20)
  const up = settlement()
  await sweepMemberships(up.desk, tonight)
  expect(up.asked.length).toBeGreaterThan(MANY - 20)
  const rows = await shop.db
    .select()
    .from(subscriptions)
    .where(isNull(subscriptions.checkedAt))
    .orderBy(asc(subscriptions.id))
  expect(rows).toEqual([])
})

test('only refunds of a membership that have no credit note yet get one', async () => {
  const fake = fakeBilling()
  const listReturned = async function* listReturned() {
    yield* ['pi_of_a_bag', 'pi_noted', 'pi_new']
  }
  const paidBy = async (id: string) => {
    if (id === 'pi_of_a_bag') return null
    const creditedMinor = id === 'pi_noted' ? 300 : 0
    const payment = { id, refundedMinor: 300, disputed: false, refusal: null }
    return { invoice: `in_of_${id}`, subscription: null, payment, creditedMinor } as never
  }
  const noted: string[] = []
  const creditNotes = async (invoice: string) => {
    noted.push(invoice)
    return []
  }
  const billing = { ...fake, invoices: { ...fake.invoices, paidBy, creditNotes } }
  await reconcileMoneyBack({ ...shop, billing, payments: { ...shop.payments, listReturned } })
  expect(noted).toEqual(['in_of_pi_new'])
})

test('money that went back is looked for in the last 30 days, and in every membership with an open dispute', async () => {
  const now = shop.clock.now()
  const clock = vi.spyOn(shop.clock, 'now').mockReturnValue(now)
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const { invoiceId } = await aPaidMembership(shop, { suspendedAt: daysAgo(60) })
  const asked: unknown[] = []
  const listReturned = async function* listReturned(of: object) {
    asked.push(of)
    yield* []
  }
  const fake = fakeBilling()
  const retrieve = async (id: string) => {
    asked.push(id)
    return { payment: null } as never
  }
  const billing = { ...fake, invoices: { ...fake.invoices, retrieve } }
  await reconcileMoneyBack({ ...shop, billing, payments: { ...shop.payments, listReturned } })
  expect(asked).toEqual([{ since: daysAgo(30) }, invoiceId])
  clock.mockRestore()
})

test.each(['2026-11-22T03:16:59Z', '2026-11-22T03:17:00Z', '2026-11-22T12:00:00Z', '2026-11-22T23:59:59Z'])(
  'at %s the last night began within a day, and the next one does',
  (at) => {
    const now = new Date(at)
    const sinceMs = now.getTime() - lastNight(now).getTime()
    expect(sinceMs).toBeGreaterThanOrEqual(0)
    expect(sinceMs + untilNightMs(now)).toBe(86_400_000)
  },
)
