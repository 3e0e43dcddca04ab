import { expect, test } from 'vitest'
import { aMembership } from '#tests/support/a-membership.ts'
import { benefitsView, detailsView, invoiceView, subscriptionView } from './serializers.ts'

const at = (day: string) => new Date(`${day}T09:00:00Z`)
const [BEGAN, ENDS] = ['2026-03-01T09:00:00.000Z', '2026-04-01T09:00:00.000Z']

test('ENT-09: what was given was claimed when it was ordered; what is bought was claimed by nobody', () => {
  expect(subscriptionView(aMembership({ gift: true }), null)).toMatchObject({ gift: true, claimedAt: BEGAN })
  expect(subscriptionView(aMembership(), 'line')).toMatchObject({
    gift: false,
    claimedAt: null,
    orderItem: 'line',
  })
})

test('ENT-09: what it is paid with says what comes next in pounds, nothing where nothing renews, and null without a method', () => {
  const payment = (more: Parameters<typeof aMembership>[0]) =>
    subscriptionView(aMembership(more), null).payment
  expect(payment({ nextMinor: 650 })).toEqual({ type: 'card', amount: 6.5 })
  expect(payment({ canceledAt: at('2026-03-05') })).toEqual({ type: 'card', amount: 0 })
  expect(payment({ paymentType: null })).toBeNull()
})

test('details show a change only with its plan and its day, and every sum in pounds', () => {
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

test('a charge is of the day it was paid, else of the day that it is for', () => {
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

test('the current user’s part: the membership that holds, and which payments failed', () => {
  const current = aMembership()
  const failed = aMembership({ status: 'unpaid', canceledAt: at('2026-03-01') })
  expect(benefitsView({ current, subscriptions: [current, failed], hasCredit: true })).toMatchObject({
    currentSubscription: { plan: 4, canceledAt: null, validUntil: ENDS },
    subscriptions: [{ paymentFailed: false }, { paymentFailed: true }],
    hasCredit: true,
  })
  expect(benefitsView({ current: null, subscriptions: [], hasCredit: false }).currentSubscription).toBeNull()
})

test('the current user’s part says what the plan costs them, where that is not what it costs today', () => {
  const priceOf = (more: Parameters<typeof aMembership>[0]) =>
    benefitsView({ current: aMembership(more), subscriptions: [], hasCredit: false }).currentSubscription
  expect(priceOf({ priceMinor: 700 })).toMatchObject({ price: 7 })
  for (const more of [{ priceMinor: 800 }, { priceMinor: null }, { priceMinor: 700, gift: true }])
    expect(priceOf(more)).not.toHaveProperty('price')
})
