import { expect, test } from 'vitest'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { planChangeTo, type PlanChangeInput } from './change-plan.ts'

const ids = Object.values(PLANS).map(({ id }) => id)
const member = (plan: PlanId, more: Partial<PlanChangeInput> = {}): PlanChangeInput => ({
  plan,
  status: 'active',
  canceledAt: null,
  gift: false,
  ...more,
})
const table = (of: (from: PlanId, to: PlanId) => string) =>
  ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => `${from}→${to} ${of(from, to)}`))

test('a higher tier with the same interval starts at once; anything else at the end of the paid period', () => {
  const now = table((from, to) => {
    const change = planChangeTo(member(from), to)
    return 'when' in change ? change.when : change.refused
  }).filter((line) => line.endsWith(' now'))
  // Monthly: Reader and Supporter to Avid Reader, Supporter to Reader. Yearly the same.
  expect(now).toEqual(['4→1 now', '5→2 now', '6→1 now', '6→4 now', '7→2 now', '7→5 now'])
  expect(planChangeTo(member(1), 4)).toEqual({ when: 'period_end' })
  expect(planChangeTo(member(4), 2)).toEqual({ when: 'period_end' })
  expect(planChangeTo(member(5), 1)).toEqual({ when: 'period_end' })
})

test('the six-month plan can only be given, and gifts can’t be changed', () => {
  for (const from of ids.filter((id) => id !== 3))
    expect(planChangeTo(member(from), 3)).toEqual({ refused: 'not_sold' })
  expect(planChangeTo(member(3, { gift: true }), 1)).toEqual({ refused: 'gift' })
})

test('a change in a trial starts at its end; a failed payment or a cancellation must be resolved first', () => {
  expect(planChangeTo(member(4, { status: 'trialing' }), 1)).toEqual({ when: 'trial_end' })
  expect(planChangeTo(member(4, { status: 'trialing' }), 6)).toEqual({ when: 'trial_end' })
  for (const status of ['past_due', 'unpaid'])
    expect(planChangeTo(member(4, { status }), 1)).toEqual({ refused: 'payment_failed' })
  expect(planChangeTo(member(4, { canceledAt: new Date() }), 1)).toEqual({ refused: 'canceled' })
  for (const status of ['canceled', 'incomplete', 'incomplete_expired', 'paused'])
    expect(planChangeTo(member(4, { status }), 1)).toEqual({ refused: 'not_running' })
  expect(planChangeTo(member(4), 4)).toEqual({ refused: 'same_plan' })
})
