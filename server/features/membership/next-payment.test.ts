import { expect, test } from 'vitest'
import { aMembership } from '#tests/support/membership-rows.ts'
import type { BusinessTime } from '../../clock.ts'
import { droppedChange, nextPaymentOf, plannedChange } from './next-payment.ts'
import type { SubscriptionRow } from './queries.ts'

const at = (iso: string) => new Date(iso)
const ORDERED = at('2026-03-01T09:00:00Z')
const PERIOD_END = at('2026-04-01T09:00:00Z')
const TRIAL_END = at('2026-03-31T09:00:00Z')

const reader = (more: Partial<SubscriptionRow> = {}) =>
  aMembership({ orderedAt: ORDERED, periodEnd: PERIOD_END, ...more })
const amount = (more: Partial<SubscriptionRow>) => nextPaymentOf(reader(more))?.amountMinor

test('a renewing membership is charged when its period ends, a trial when the trial ends', () => {
  expect(nextPaymentOf(reader())).toEqual({ at: PERIOD_END, plan: 4, amountMinor: 800 })
  expect(nextPaymentOf(reader({ status: 'trialing', trialEndsAt: TRIAL_END }))?.at).toEqual(TRIAL_END)
  expect(nextPaymentOf(reader({ status: 'trialing' }))?.at).toEqual(PERIOD_END)
  expect(nextPaymentOf(reader({ trialEndsAt: TRIAL_END }))?.at).toEqual(PERIOD_END)
})

test('gifts, free, cancelled and unpaid memberships have no next payment', () => {
  const none: Partial<SubscriptionRow>[] = [
    { gift: true },
    { paymentType: null },
    { canceledAt: ORDERED },
    { status: 'past_due' },
    { status: 'incomplete' },
    { status: 'canceled' },
  ]
  for (const more of none) expect(nextPaymentOf(reader(more)), JSON.stringify(more)).toBeNull()
})

test('the planned plan is the one that will be charged; the provider’s amount is preferred if it is known', () => {
  expect(nextPaymentOf(reader({ pendingPlan: 6 }))).toMatchObject({ plan: 6, amountMinor: 300 })
  expect(amount({ nextMinor: 650 })).toBe(650)
  expect(amount({ nextMinor: 0 })).toBe(0)
})

test('MEMB-35 MEMB-47 MEMB-48: a percentage is taken off to the penny for as long as the discount lasts', () => {
  expect(amount({ percentDiscount: 33, discountDuration: 'forever' })).toBe(536)
  expect(amount({ percentDiscount: 50, discountDuration: 'once' })).toBe(800)
  // Without a duration a discount applies once: a charge within the first month still includes it.
  expect(amount({ percentDiscount: 50 })).toBe(800)
  expect(amount({ percentDiscount: 50, periodEnd: TRIAL_END })).toBe(400)
  const twice = { percentDiscount: 50, discountDuration: 'repeating', discountDurationMonths: 2 } as const
  expect(amount(twice)).toBe(400)
  expect(amount({ ...twice, periodEnd: at('2026-05-01T09:00:00Z') })).toBe(800)
})

test('a planned change has a plan and a day', () => {
  expect(plannedChange(reader({ pendingPlan: 6, pendingAt: PERIOD_END }))).toEqual({
    plan: 6,
    at: PERIOD_END,
  })
  expect(plannedChange(reader({ pendingPlan: 6 }))).toBeNull()
  expect(plannedChange(reader({ pendingAt: PERIOD_END }))).toBeNull()
})

test('a dropped change can be chosen again until its day, unless it is the plan by now or another one is planned', () => {
  const now = ORDERED as BusinessTime
  const dropped = { droppedPlan: 6, droppedAt: PERIOD_END } as const
  const of = (more: Partial<SubscriptionRow>) => droppedChange(reader({ ...dropped, ...more }), now)
  expect(of({})).toEqual({ plan: 6, at: PERIOD_END })
  for (const more of [
    { plan: 6 },
    { pendingPlan: 5, pendingAt: PERIOD_END },
    { droppedPlan: null },
    { droppedAt: null },
    { droppedAt: now },
  ] as const)
    expect(of(more), JSON.stringify(more)).toBeNull()
})
