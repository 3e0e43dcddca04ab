import { expect, test } from 'vitest'
import { aMembership } from '#tests/support/a-membership.ts'
import { nextPaymentOf } from './next-payment.ts'
import type { SubscriptionRow } from './queries.ts'

const at = (iso: string) => new Date(iso)
const ORDERED = at('2026-03-01T09:00:00Z')
const PERIOD_END = at('2026-04-01T09:00:00Z')
const TRIAL_END = at('2026-03-31T09:00:00Z')

const reader = (more: Partial<SubscriptionRow> = {}) =>
  aMembership({ orderedAt: ORDERED, periodEnd: PERIOD_END, ...more })
const amount = (more: Partial<SubscriptionRow>) => nextPaymentOf(reader(more))?.amountMinor

test('what renews is charged when its period ends, a trial when it ends itself', () => {
  expect(nextPaymentOf(reader())).toEqual({ at: PERIOD_END, plan: 4, amountMinor: 800 })
  expect(nextPaymentOf(reader({ status: 'trialing', trialEndsAt: TRIAL_END }))?.at).toEqual(TRIAL_END)
  expect(nextPaymentOf(reader({ status: 'trialing' }))?.at).toEqual(PERIOD_END)
  // The trial that it began with is over.
  expect(nextPaymentOf(reader({ trialEndsAt: TRIAL_END }))?.at).toEqual(PERIOD_END)
})

test('what was given, costs nothing, was cancelled or waits for a payment has no next one', () => {
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

test('the plan that waits is the one that is charged; the provider’s own figure stands where it is known', () => {
  expect(nextPaymentOf(reader({ pendingPlan: 6 }))).toMatchObject({ plan: 6, amountMinor: 300 })
  expect(amount({ nextMinor: 650 })).toBe(650)
  expect(amount({ nextMinor: 0 })).toBe(0)
})

test('MEMB-35 MEMB-47 MEMB-48: a percentage comes off to the penny for as long as it holds', () => {
  expect(amount({ percentDiscount: 33, discountDuration: 'forever' })).toBe(536)
  expect(amount({ percentDiscount: 50, discountDuration: 'once' })).toBe(800)
  // One that says nothing holds once: of a period that ends sooner it is still in the charge.
  expect(amount({ percentDiscount: 50 })).toBe(800)
  expect(amount({ percentDiscount: 50, periodEnd: TRIAL_END })).toBe(400)
  const twice = { percentDiscount: 50, discountDuration: 'repeating', discountDurationMonths: 2 } as const
  expect(amount(twice)).toBe(400)
  expect(amount({ ...twice, periodEnd: at('2026-05-01T09:00:00Z') })).toBe(800)
})
