import { expect, test } from 'vitest'
import { PLANS, reaches } from '#contract/plans.ts'
import { graceEnd, hasFailedPayment, isInForce, isClaimable, planOf } from './entitlement.ts'

const NOW = new Date('2026-03-15T12:00:00Z')
const days = (count: number) => new Date(NOW.getTime() + count * 24 * 3_600_000)
const member = (
  status: string,
  more: {
    validUntil?: Date
    paymentFailedAt?: Date | null
    suspendedAt?: Date
    providerId?: string | null
    canceledAt?: Date
  } = {},
) => ({
  plan: 4,
  status,
  providerId: more.providerId ?? null,
  canceledAt: more.canceledAt ?? null,
  validUntil: more.validUntil ?? days(10),
  paymentFailedAt: more.paymentFailedAt ?? null,
  suspendedAt: more.suspendedAt ?? null,
})

test('ROLE-10: active and trialing count until they end, past due for seven days after the first failed charge', () => {
  expect(isInForce(member('active'), NOW)).toBe(true)
  expect(isInForce(member('trialing'), NOW)).toBe(true)
  expect(isInForce(member('active', { validUntil: days(-1) }), NOW)).toBe(false)
  expect(isInForce(member('active', { suspendedAt: days(-1) }), NOW)).toBe(false)
  expect(isInForce(member('past_due', { paymentFailedAt: days(-2), validUntil: days(-2) }), NOW)).toBe(true)
  expect(isInForce(member('past_due', { paymentFailedAt: days(-7) }), NOW)).toBe(true)
  expect(isInForce(member('past_due', { paymentFailedAt: days(-8) }), NOW)).toBe(false)
  expect(isInForce(member('canceled'), NOW)).toBe(false)
  expect(isInForce(member('incomplete'), NOW)).toBe(false)
  expect(isInForce(member('unpaid'), NOW)).toBe(false)
})

test('what renews holds until the provider says otherwise, a day beyond its period at most', () => {
  const ended = (ms: number) => new Date(NOW.getTime() - ms)
  const renewing = { providerId: 'sub_1' }
  for (const status of ['active', 'trialing'])
    expect(isInForce(member(status, { ...renewing, validUntil: ended(1) }), NOW)).toBe(true)
  expect(isInForce(member('active', { ...renewing, validUntil: ended(24 * 3_600_000 - 1) }), NOW)).toBe(true)
  expect(isInForce(member('active', { ...renewing, validUntil: ended(24 * 3_600_000) }), NOW)).toBe(false)
  // Nobody renews what was cancelled or given.
  expect(isInForce(member('active', { ...renewing, validUntil: NOW, canceledAt: days(-3) }), NOW)).toBe(false)
  expect(isInForce(member('active', { validUntil: NOW }), NOW)).toBe(false)
  expect(isInForce(member('canceled', { ...renewing, validUntil: ended(1) }), NOW)).toBe(false)
})

test('benefits are over in the very instant that they were valid until, and never hold for a charge nobody tried', () => {
  expect(isInForce(member('active', { validUntil: NOW }), NOW)).toBe(false)
  expect(isInForce(member('past_due'), NOW)).toBe(false)
})

test('the days of grace end seven days after the charge that failed', () => {
  expect(graceEnd(NOW)).toEqual(days(7))
})

test('a payment has failed while it is tried again, and when nobody tries any more', () => {
  const failed = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete'].filter(
    (status) => hasFailedPayment({ status }),
  )
  expect(failed).toEqual(['past_due', 'unpaid'])
})

test('OP-15: a credit takes an edition or a highlight and nothing else', () => {
  const takes = (edition: boolean, highlight: boolean) => isClaimable({ edition, second_edition: highlight })
  expect([takes(true, false), takes(false, true), takes(false, false)]).toEqual([true, true, false])
})

test('a plan is known by its number; none has another number', () => {
  expect(planOf({ plan: 5 })?.name).toBe('Reader Annually')
  expect(planOf({ plan: 8 })).toBeUndefined()
})

test('CONST-03: the Avid Reader constants 12, 120 and 60 are the prices of plans 1, 2 and 3', () => {
  expect([PLANS[1], PLANS[2], PLANS[3]].map(({ priceMinor }) => priceMinor / 100)).toEqual([12, 120, 60])
})

test('ENT-01 ENT-36: seven plans with their names, prices, type and unit labels, and flags', () => {
  expect(
    Object.values(PLANS).map(({ id, name, priceMinor, type, unit, monthly, yearly }) => [
      id,
      name,
      priceMinor / 100,
      type,
      unit,
      monthly,
      yearly,
    ]),
  ).toEqual([
    [1, 'Avid Reader Monthly', 12, 'Avid Reader', 'Month', true, false],
    [2, 'Avid Reader Annually', 120, 'Avid Reader', 'Year', false, true],
    [3, 'Avid Reader 6 Months', 60, 'Avid Reader', '6 Months', false, false],
    [4, 'Reader Monthly', 8, 'Reader', 'Month', true, false],
    [5, 'Reader Annually', 80, 'Reader', 'Year', false, true],
    [6, 'Supporter Monthly', 3, 'Supporter', 'Month', true, false],
    [7, 'Supporter Annually', 30, 'Supporter', 'Year', false, true],
  ])
})

test('a tier has what lower tiers have, and not what higher ones have', () => {
  expect(reaches('avid', 'supporter')).toBe(true)
  expect(reaches('reader', 'reader')).toBe(true)
  expect(reaches('supporter', 'reader')).toBe(false)
})
