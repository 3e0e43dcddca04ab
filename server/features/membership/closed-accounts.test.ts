import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '#server/db/schema/membership.ts'
import { refunds } from '#server/db/schema/orders.ts'
import { NotAtProvider, PaymentConflict, PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { closingOf, endClosedAccountsAtProvider, deleteAtProvider } from './account-closing.ts'
import { selectClosedAccounts } from './billing-queries.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
  shop.app.log.level = 'silent'
})
afterAll(() => shop.close())

const closedAccount = (providerId: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  userId: null,
  plan: 4 as const,
  status: 'canceled' as const,
  providerId,
  periodStart: shop.clock.now(),
  periodEnd: shop.clock.now(),
  validUntil: shop.clock.now(),
})

/** A provider whose subscriptions end with this outcome. */
function provider(
  end: (id: string) => Promise<unknown>,
  more: Partial<ReturnType<typeof fakeBilling>['invoices']> = {},
) {
  const fake = fakeBilling()
  const erased: string[] = []
  const billing = {
    ...fake,
    invoices: { ...fake.invoices, ...more },
    subscriptions: { ...fake.subscriptions, end },
    customers: { ...fake.customers, erase: async (id: string) => void erased.push(id) },
  } as ReturnType<typeof fakeBilling>
  return { billing, erased }
}

test('many closed accounts that fail at the provider do not keep another one from leaving it', async () => {
  const failing = Array.from({ length: 200 }, (_, place) =>
    closedAccount(`sub_broken_${place}`, `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`),
  )
  await shop.db.insert(subscriptions).values([...failing, closedAccount('sub_well')])
  const { billing, erased } = provider(async (id) => {
    if (id.startsWith('sub_broken')) throw new Error('a bug')
    return { customer: 'cus_well' }
  })
  const at = { ...shop, billing }
  for (let run = 0; run < 2; run += 1) await endClosedAccountsAtProvider(at)
  expect(erased).toEqual(['cus_well'])
  expect(await selectClosedAccounts(shop.db, shop.clock.now(), 10)).toEqual([])
  shop.clock.advance(301)
  expect(await selectClosedAccounts(shop.db, shop.clock.now(), 10)).toHaveLength(10)
})

test('a customer is erased even if the provider does not know a payment that should be refunded', async () => {
  const [row] = await shop.db.insert(subscriptions).values(closedAccount('sub_lost')).returning()
  const invoice = { id: 'in_lost', state: 'paid', paidMinor: 400, payment: 'pi_lost' }
  const { billing, erased } = provider(async () => ({ customer: 'cus_lost' }), {
    list: async function* list() {
      yield invoice as never
    },
    retrieve: async () => invoice as never,
  })
  const payments = {
    ...shop.payments,
    retrievePayment: async (id: string) => {
      throw new NotAtProvider(id)
    },
  }
  await deleteAtProvider({ ...shop, billing, payments }, 'sub_lost')
  expect(erased).toEqual(['cus_lost'])
  const [after] = await shop.db.select().from(subscriptions).where(eq(subscriptions.id, row!.id))
  expect(after!.forgottenAt).not.toBeNull()
})

test('an outage of the provider ends the run without a failure, and the accounts stay due', async () => {
  const away = ['sub_away_1', 'sub_away_2', 'sub_away_3'].map((providerId) => closedAccount(providerId))
  await shop.db.insert(subscriptions).values(away)
  const { billing, erased } = provider(async () => {
    throw new PaymentsUnavailable('away')
  })
  await expect(endClosedAccountsAtProvider({ ...shop, billing })).resolves.toBeUndefined()
  expect(erased).toEqual([])
  const due = await selectClosedAccounts(shop.db, shop.clock.now(), 300)
  expect(due.map(({ providerId }) => providerId)).toEqual(
    expect.arrayContaining(away.map(({ providerId }) => providerId)),
  )
})

test('API-17: a trial and a membership that a code paid for are closed without a charge', async () => {
  const outcomesOf = async (more: Partial<typeof subscriptions.$inferInsert>) => {
    const { user } = await aBuyer(shop)
    await shop.db
      .insert(subscriptions)
      .values({ ...closedAccount(`sub_of_${user.id}`), userId: user.id, ...more })
    const { memberships } = await closingOf(shop.db, user.id, shop.clock.now())
    return memberships.map(({ outcome }) => outcome)
  }
  expect(await outcomesOf({ status: 'trialing' })).toEqual(['no_charge'])
  expect(await outcomesOf({ status: 'active', providerId: null, couponCode: 'WHOLE' })).toEqual(['no_charge'])
  expect(await outcomesOf({ status: 'active' })).toEqual(['too_late'])
  // A membership that has ended or never began, and one that was withdrawn, are not listed.
  for (const over of ['canceled', 'incomplete', 'incomplete_expired'] as const)
    expect(await outcomesOf({ status: over }), over).toEqual([])
  expect(await outcomesOf({ status: 'active', withdrawnAt: shop.clock.now() })).toEqual([])
})

test('of a closed account’s invoices, only those that were paid and became no order are refunded', async () => {
  const [row] = await shop.db.insert(subscriptions).values(closedAccount('sub_late_charge')).returning()
  const invoices = [
    { id: 'in_free', state: 'paid', paidMinor: 0 },
    { id: 'in_part', state: 'open', paidMinor: 300 },
    { id: 'in_charged', state: 'paid', paidMinor: 400 },
  ]
  const { billing } = provider(async () => ({ customer: 'cus_late_charge' }), {
    list: async function* list() {
      for (const invoice of invoices) yield { ...invoice, payment: `pi_${invoice.id}` } as never
    },
    makeVoid: () => Promise.reject(new PaymentConflict('processing')),
    retrieve: (id) => Promise.reject(new NotAtProvider(id)),
  })
  await deleteAtProvider({ ...shop, billing }, row!.providerId!)
  const ids = invoices.map(({ id }) => id)
  const owed = await shop.db.select().from(refunds).where(inArray(refunds.invoiceId, ids))
  expect(owed.map(({ invoiceId, amountMinor }) => [invoiceId, amountMinor])).toEqual([['in_charged', 400]])
})

test('an open payment of a closed account is made void; one that is being paid doesn’t keep it from leaving', async () => {
  await shop.db.insert(subscriptions).values([closedAccount('sub_open'), closedAccount('sub_broken')])
  const voided: string[] = []
  const withInvoices = (makeVoid: (id: string) => Promise<unknown>) =>
    provider(async () => ({ customer: 'cus_open' }), {
      list: async function* list() {
        for (const state of ['draft', 'open', 'void'] as const)
          yield { id: `in_${state}`, state, paidMinor: 0, payment: null } as never
      },
      makeVoid: makeVoid as never,
    })
  const broken = withInvoices(() => Promise.reject(new PaymentsUnavailable('away')))
  await expect(deleteAtProvider({ ...shop, billing: broken.billing }, 'sub_broken')).rejects.toThrow('away')
  expect(broken.erased).toEqual([])
  const { billing, erased } = withInvoices(async (id) => {
    voided.push(id)
    throw new PaymentConflict('processing')
  })
  await deleteAtProvider({ ...shop, billing }, 'sub_open')
  expect([voided, erased]).toEqual([['in_open'], ['cus_open']])
})
