import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlanPrices } from '#contract/joining.ts'
import * as contract from '#contract/membership.ts'
import { PLANS } from '#contract/plans.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { entitlementOf } from './service.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const DAY = 24 * 3_600_000
const BEGAN = new Date('2026-03-02T08:00:00.000Z')
const inDays = (days: number) => new Date(BEGAN.getTime() + days * DAY)

type Buyer = Awaited<ReturnType<typeof aBuyer>>
const withMembership = async (
  buyer: Buyer,
  more: Partial<typeof subscriptions.$inferInsert> = {},
): Promise<string> => {
  const [row] = await shop.db
    .insert(subscriptions)
    .values({
      userId: buyer.user.id,
      plan: 4,
      status: 'active',
      orderedAt: inDays(-10),
      periodStart: inDays(-10),
      periodEnd: inDays(20),
      validUntil: inDays(20),
      paymentType: 'card',
      cardLast4: '4242',
      ...more,
    })
    .returning()
  return row!.id
}
const current = async (buyer: Buyer) => (await buyer.ask('GET', '/api/get-current-subscription')).json()
const details = async (buyer: Buyer, id: string) =>
  (await buyer.ask('GET', `/api/subscriptions/${id}/details`)).json()

test('API-80 ENT-43: an account’s memberships have every field: by card, by PayPal, in a trial, a gift, cancelled', async () => {
  const buyer = await aBuyer(shop)
  await withMembership(buyer, {
    status: 'canceled',
    orderedAt: inDays(-400),
    paymentType: 'paypal',
    cardLast4: null,
  })
  await withMembership(buyer, {
    status: 'canceled',
    orderedAt: inDays(-300),
    gift: true,
    plan: 3,
    paymentType: null,
    cardLast4: null,
  })
  await withMembership(buyer, { status: 'canceled', orderedAt: inDays(-30), canceledAt: inDays(-1) })
  await withMembership(buyer, { status: 'trialing', trialEndsAt: inDays(20), orderedAt: inDays(-9) })
  const list = (await buyer.ask('GET', '/api/subscriptions?itemsPerPage=1000')).json()
  expect(misfits(contract.listSubscriptions.reply, list)).toEqual([])
  expect(list['hydra:totalItems']).toBe(4)
  expect(list['hydra:member']).toMatchObject([
    { status: 'trialing', payment: { type: 'card', amount: 8 }, cardLast4: '4242', canceledAt: null },
    { status: 'canceled', canceledAt: expect.any(String), payment: { type: 'card', amount: 0 } },
    { plan: 3, gift: true, claimedAt: expect.any(String), payment: null, cardLast4: null },
    { status: 'canceled', payment: { type: 'paypal' }, cardLast4: null },
  ])
})

test('API-84 API-88: the current membership gives benefits, or has a failed payment; a visitor gets 401', async () => {
  const buyer = await aBuyer(shop)
  expect(await current(buyer)).toBeNull()
  expect((await buyer.ask('GET', '/api/subscriptions/default-payment')).json()).toBeNull()
  await withMembership(buyer, { status: 'past_due', paymentFailedAt: inDays(-20), plan: 1 })
  expect(await current(buyer)).toMatchObject({ plan: 1, status: 'past_due' })
  await withMembership(buyer, { orderedAt: inDays(-1), gift: true })
  const found = await current(buyer)
  expect(misfits(contract.Subscription, found)).toEqual([])
  expect(found).toMatchObject({ plan: 4, status: 'active' })
  expect((await buyer.ask('GET', '/api/subscriptions/default-payment')).json()).toEqual({
    type: 'card',
    last4: '4242',
  })
  expect((await shop.app.inject('/api/get-current-subscription')).statusCode).toBe(401)
})

test('details have the discounted next payment, the credits’ last day and the days of grace; other accounts get 404', async () => {
  const buyer = await aBuyer(shop)
  const id = await withMembership(buyer, {
    percentDiscount: 25,
    discountDuration: 'repeating',
    discountDurationMonths: 3,
  })
  await shop.db.insert(credits).values([
    { userId: buyer.user.id, usableUntil: inDays(5) },
    { userId: buyer.user.id, usableUntil: inDays(20) },
  ])
  const shown = await details(buyer, id)
  expect(misfits(contract.SubscriptionDetails, shown)).toEqual([])
  expect(shown).toMatchObject({
    nextPayment: { at: inDays(20).toISOString(), amount: 6, plan: 4 },
    credits: { left: 2, until: inDays(5).toISOString(), from: null },
    withdrawal: null,
    failedPayment: null,
  })
  const over = await aBuyer(shop)
  const failed = await withMembership(over, { status: 'past_due', paymentFailedAt: inDays(-2) })
  expect(await details(over, failed)).toMatchObject({
    nextPayment: null,
    failedPayment: { since: inDays(-2).toISOString(), benefitsUntil: inDays(5).toISOString() },
  })
  expect(await details(over, failed)).toMatchObject({ endedUnpaid: null })
  const ended = { status: 'canceled', paymentFailedAt: inDays(-30), endedAt: inDays(-2) } as const
  const unpaid = await details(over, await withMembership(over, ended))
  expect(misfits(contract.SubscriptionDetails, unpaid)).toEqual([])
  expect(unpaid).toMatchObject({
    failedPayment: null,
    endedUnpaid: { at: inDays(-2).toISOString(), failedAt: inDays(-30).toISOString() },
  })
  for (const path of ['details', 'invoice'])
    expect((await over.ask('GET', `/api/subscriptions/${id}/${path}`)).statusCode).toBe(404)
})

test('a set-up names the payment method that the provider still checks, if there is one', async () => {
  const fake = fakeBilling()
  const methodOf = async (method: object | null) => {
    const setUp = { id: 'seti_1', clientSecret: 'seti_1_secret_1', state: 'pending', method }
    const setUps = { ...fake.setUps, create: async () => setUp as never }
    const checking = await testShop({ billing: { ...fake, setUps } })
    const buyer = await aBuyer(checking)
    const { id: userId } = buyer.user
    const at = { periodStart: BEGAN, periodEnd: inDays(20), validUntil: inDays(20) }
    const row = { ...at, userId, plan: 4, status: 'active', providerId: 'sub_checks' } as const
    await checking.db.insert(subscriptions).values(row)
    const answer = (await buyer.ask('GET', '/api/setup-intent')).json()
    await checking.close()
    return answer.payment_method
  }
  expect([await methodOf({ id: 'pm_checked' }), await methodOf(null)]).toEqual(['pm_checked', null])
})

test('a gift without a charge has nothing to refund', async () => {
  const buyer = await aBuyer(shop)
  const id = await withMembership(buyer, { gift: true, paymentType: null, cardLast4: null })
  expect(await details(buyer, id)).toMatchObject({ subscription: { gift: true }, withdrawal: null })
})

test('a discount that ends before the next payment is not applied to it', async () => {
  const buyer = await aBuyer(shop)
  const id = await withMembership(buyer, {
    percentDiscount: 50,
    discountDuration: 'once',
    orderedAt: inDays(-10),
  })
  expect(await details(buyer, id)).toMatchObject({ nextPayment: { amount: 8 } })
})

test('every plan has its price, including the VAT to the penny', async () => {
  const answer = (await shop.app.inject('/api/plan_prices')).json()
  expect(misfits(listPlanPrices.reply, answer)).toEqual([])
  expect(answer.plans).toEqual(
    Object.values(PLANS).map(({ id, priceMinor }) => ({
      plan: id,
      price: priceMinor / 100,
      vatPercent: 20,
      vat: Math.round(priceMinor / 6) / 100,
    })),
  )
})

test('ROLE-10: the tier follows from the stored membership: days of grace, an open dispute, a late renewal', async () => {
  const now = inDays(0)
  const tierOf = async (more: Partial<typeof subscriptions.$inferInsert>) => {
    const buyer = await aBuyer(shop)
    await withMembership(buyer, more)
    return (await entitlementOf(shop.db, buyer.user.id, now)).tier
  }
  expect(await tierOf({})).toBe('reader')
  expect(await tierOf({ plan: 1, suspendedAt: inDays(-1) })).toBeNull()
  const failed = { status: 'past_due', validUntil: inDays(-6) } as const
  expect(await tierOf({ ...failed, paymentFailedAt: inDays(-6) })).toBe('reader')
  expect(await tierOf({ ...failed, paymentFailedAt: inDays(-8) })).toBeNull()
  const due = { validUntil: inDays(-0.5), providerId: 'sub_late' }
  expect(await tierOf(due)).toBe('reader')
  expect(await tierOf({ ...due, providerId: 'sub_left', canceledAt: inDays(-3) })).toBeNull()
})

test('a visitor, and an account that never had a membership, have no tier and no free audiobook', async () => {
  const { user } = await aBuyer(shop)
  for (const userId of [null, user.id])
    expect(await entitlementOf(shop.db, userId, inDays(0))).toEqual({ tier: null, hasCredit: false })
})
