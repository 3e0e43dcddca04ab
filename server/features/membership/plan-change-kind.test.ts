import { expect, test } from 'vitest'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { changeTo, type Changing } from './plan-change-kind.ts'

const ids = Object.values(PLANS).map(({ id }) => id)
const member = (plan: PlanId, more: Partial<Changing> = {}): Changing => ({
  plan,
  status: 'active',
  canceledAt: null,
  gift: false,
  ...more,
})
/** As `1→4: period_end`, of every pair. */
const table = (of: (from: PlanId, to: PlanId) => string) =>
  ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => `${from}→${to} ${of(from, to)}`))

test('more in the same rhythm is had at once; less, and another rhythm, when what is paid for ends', () => {
  const now = table((from, to) => {
    const change = changeTo(member(from), to)
    return 'when' in change ? change.when : change.refused
  }).filter((line) => line.endsWith(' now'))
  // Monthly: Reader and Supporter to Avid Reader, Supporter to Reader. Yearly the same.
  expect(now).toEqual(['4→1 now', '5→2 now', '6→1 now', '6→4 now', '7→2 now', '7→5 now'])
  expect(changeTo(member(1), 4)).toEqual({ when: 'period_end' })
  expect(changeTo(member(4), 2)).toEqual({ when: 'period_end' })
  expect(changeTo(member(5), 1)).toEqual({ when: 'period_end' })
})

test('half a year is only given, and what is given is not changed', () => {
  for (const from of ids.filter((id) => id !== 3))
    expect(changeTo(member(from), 3)).toEqual({ refused: 'not_sold' })
  expect(changeTo(member(3, { gift: true }), 1)).toEqual({ refused: 'gift' })
})

test('in a trial a change waits for its end; a failed payment and a cancellation are settled first', () => {
  expect(changeTo(member(4, { status: 'trialing' }), 1)).toEqual({ when: 'trial_end' })
  expect(changeTo(member(4, { status: 'trialing' }), 6)).toEqual({ when: 'trial_end' })
  for (const status of ['past_due', 'unpaid'])
    expect(changeTo(member(4, { status }), 1)).toEqual({ refused: 'payment_failed' })
  expect(changeTo(member(4, { canceledAt: new Date() }), 1)).toEqual({ refused: 'canceled' })
  for (const status of ['canceled', 'incomplete', 'incomplete_expired', 'paused'])
    expect(changeTo(member(4, { status }), 1)).toEqual({ refused: 'not_running' })
  expect(changeTo(member(4), 4)).toEqual({ refused: 'same_plan' })
})
