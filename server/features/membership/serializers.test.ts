import { expect, test } from 'vitest'
import { aMembership } from '#tests/support/membership-rows.ts'
import { benefitsView, detailsView, invoiceView, subscriptionView } from './serializers.ts'

const at = (day: string) => new Date(`${day}T09:00:00Z`)
const [BEGAN, ENDS] = ['2026-03-01T09:00:00.000Z', '2026-04-01T09:00:00.000Z']

test('ENT-09: claimedAt is the order date of a gift, and null for a membership that was bought', () => {
  expect(subscriptionView(aMembership({ gift: true }), null)).toMatchObject({ gift: true, claimedAt: BEGAN })
  expect(subscriptionView(aMembership(), 'line')).toMatchObject({
    gift: false,
    claimedAt: null,
    orderItem: 'line',
  })
})

test('ENT-09: payment is the next amount in pounds, 0 if nothing renews, and null without a payment method', () => {
  const payment = (more: Parameters<typeof aMembership>[0]) =>
    subscriptionView(aMembership(more), null).payment
  expect(payment({ nextMinor: 650 })).toEqual({ type: 'card', amount: 6.5 })
  expect(payment({ canceledAt: at('2026-03-05') })).toEqual({ type: 'card', amount: 0 })
  expect(payment({ paymentType: null })).toBeNull()
})

test('details show a planned change only if plan and day are known, and every amount in pounds', () => {
  const details = (more: object, rest: object = {}) =>
    detailsView({
      row: aMembership(more),
      orderItem: null,
      next: null,
      droppedPlan: null,
      creditsLeft: 2,
      creditsUntil: null,
      leavesToPayBackMinor: null,
      confirmAddressFirst: false,
      creditsFrom: null,
      withdrawal: null,
      failedPayment: null,
      endedUnpaid: null,
      ...rest,
    })
  expect(details({ pendingPlan: 6, pendingAt: at('2026-04-01') }).pendingPlan).toEqual({ plan: 6, at: ENDS })
  expect(details({ pendingPlan: 6 }).pendingPlan).toBeNull()
  expect(details({ pendingAt: at('2026-04-01') }).pendingPlan).toBeNull()
  expect(details({})).toMatchObject({
    nextPayment: null,
    credits: { left: 2, until: null, from: null, leavesToPayBack: null, confirmAddressFirst: false },
    withdrawal: null,
    failedPayment: null,
  })
  const all = {
    droppedPlan: null,
    next: { at: at('2026-04-01'), amountMinor: 1250, plan: 1 },
    creditsUntil: at('2026-04-01'),
    withdrawal: { until: at('2026-04-01'), amountMinor: 533, shares: [] },
    failedPayment: { since: at('2026-03-01'), benefitsUntil: at('2026-04-01') },
  }
  expect(details({}, all)).toMatchObject({
    nextPayment: { at: ENDS, amount: 12.5, plan: 1 },
    credits: { left: 2, until: ENDS, from: null },
    withdrawal: { until: ENDS, amount: 5.33, disputed: false, blocked: false },
    disputedSince: null,
    failedPayment: { since: BEGAN, benefitsUntil: ENDS },
  })
})

test('details say if the provider can’t refund a charge, and leave out an unknown amount that failed', () => {
  const row = aMembership()
  const details = (more: object) =>
    detailsView({
      ...{ row, orderItem: null, next: null, droppedPlan: null, creditsLeft: 0, creditsUntil: null },
      ...{ confirmAddressFirst: false, leavesToPayBackMinor: null, creditsFrom: null, withdrawal: null },
      ...{ failedPayment: null, endedUnpaid: null, ...more },
    })
  const withdrawal = { until: at('2026-04-01'), amountMinor: 0, shares: [] }
  expect(details({ withdrawal: { ...withdrawal, isBlocked: true } }).withdrawal?.blocked).toBe(true)
  const failed = { since: at('2026-03-01'), benefitsUntil: at('2026-04-01') }
  const amount = (amountMinor: number | null) =>
    details({ failedPayment: { ...failed, amountMinor } }).failedPayment?.amount
  expect([amount(800), amount(null)]).toEqual([8, null])
})

test('a charge is dated by its payment, otherwise by the start of its period', () => {
  const charge = {
    invoiceId: 'in_1',
    orderId: 'order',
    orderNumber: 'M-1',
    lineId: 'line',
    plan: 4,
    paidMinor: 800,
    refundedMinor: 533,
    isRefundable: true,
    isDisputed: false,
    from: at('2026-03-01'),
    until: at('2026-04-01'),
  }
  expect(invoiceView({ ...charge, paidAt: at('2026-03-02') })).toMatchObject({
    at: '2026-03-02T09:00:00.000Z',
    amount: 8,
    refunded: 5.33,
  })
  expect(invoiceView({ ...charge, paidAt: null }).at).toBe(BEGAN)
})

test('the current user’s fields contain the membership that gives benefits, and which payments failed', () => {
  const current = aMembership()
  const failed = aMembership({ status: 'unpaid', paymentFailedAt: at('2026-03-01'), nextMinor: 800 })
  expect(benefitsView({ current, subscriptions: [current, failed], hasCredit: true })).toMatchObject({
    currentSubscription: { plan: 4, canceledAt: null, validUntil: ENDS },
    subscriptions: [
      { paymentFailed: false },
      { paymentFailed: true, amount: 8, benefitsUntil: '2026-03-08T09:00:00.000Z' },
    ],
    hasCredit: true,
  })
  expect(benefitsView({ current: null, subscriptions: [], hasCredit: false }).currentSubscription).toBeNull()
})

test('the current user’s fields contain the member’s price if it differs from the plan’s current price', () => {
  const priceOf = (more: Parameters<typeof aMembership>[0]) =>
    benefitsView({ current: aMembership(more), subscriptions: [], hasCredit: false }).currentSubscription
  expect(priceOf({ priceMinor: 700 })).toMatchObject({ price: 7 })
  for (const more of [{ priceMinor: 800 }, { priceMinor: null }, { priceMinor: 700, gift: true }])
    expect(priceOf(more)).not.toHaveProperty('price')
})
