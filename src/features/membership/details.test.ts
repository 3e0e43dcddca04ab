import { expect, test } from 'vitest'
import { planInWords, PLANS } from '#contract/plans.ts'
import { AT, membershipDetails as details } from '#tests/support/membership-details.ts'
import {
  canCancel,
  canChange,
  canUpdatePayment,
  membershipInWords,
  nextSumInWords,
  stateOf,
} from './model.ts'

const failed = { failedPayment: { since: AT, benefitsUntil: AT, amount: 8 } }

test('MEMB-27 MEMB-28 MEMB-30: the state of a membership determines the first section of its page', () => {
  expect(stateOf(details())).toBe('active')
  expect(stateOf(details({ status: 'trialing' }))).toBe('trial')
  expect(stateOf(details({ canceledAt: AT }))).toBe('cancelled')
  expect(stateOf(details({ gift: true, claimedAt: AT, payment: null }))).toBe('gifted')
  expect(stateOf(details({ status: 'past_due' }, failed))).toBe('failed')
  expect([2, 3, 6].map((plan) => planInWords(PLANS[plan as 2 | 3 | 6]))).toEqual([
    'A year of Avid Reader',
    'Six months of Avid Reader',
    'Supporter, monthly',
  ])
})

test.each([
  [details(), 'Reader, monthly, active since December 2026', '£8.00 on 3rd December 2026'],
  [details({ status: 'trialing' }), 'Reader, monthly, free trial', '£8.00 on 3rd December 2026'],
  [
    details({ canceledAt: AT, validUntil: AT }, { nextPayment: null }),
    'Reader, monthly, cancelled',
    'Yours until 3rd December 2026',
  ],
  [
    details({ gift: true, claimedAt: AT, payment: null, validUntil: AT }, { nextPayment: null }),
    'Reader, monthly, a gift',
    'Yours until 3rd December 2026',
  ],
  [details({ status: 'past_due' }, failed), 'Reader, monthly, payment failed', '£8.00 to pay'],
  [details({}, { disputedSince: AT, nextPayment: null }), 'Reader, monthly, on hold', ''],
])('NAV-60: a membership in one line, and what is next: %#', (membership, words, next) => {
  expect([membershipInWords(membership), nextSumInWords(membership)]).toEqual([words, next])
})

test('MEMB-32: only a membership that renews and is not cancelled can be cancelled', () => {
  expect(canCancel(details())).toBe(true)
  expect(canCancel(details({ status: 'past_due' }, { ...failed, nextPayment: null }))).toBe(true)
  expect(canCancel(details({ canceledAt: AT }))).toBe(false)
  expect(canCancel(details({ gift: true, claimedAt: AT }))).toBe(false)
  expect(canCancel(details({ payment: null }, { nextPayment: null }))).toBe(false)
})

test('MEMB-33 MEMB-49: a new card is offered to card payers, and to PayPal payers after a failed payment; never for a gift', () => {
  const paypal = { payment: { type: 'paypal' as const, amount: 8 }, cardLast4: null }
  expect(canUpdatePayment(details())).toBe(true)
  expect(canUpdatePayment(details(paypal))).toBe(false)
  expect(canUpdatePayment(details({ ...paypal, status: 'past_due' }, failed))).toBe(true)
  expect(canUpdatePayment(details({ gift: true, claimedAt: AT }))).toBe(false)
  expect(canUpdatePayment(details({ canceledAt: AT }))).toBe(false)
})

test('a plan can be changed while active; a cancelled one must be resumed first, a failed payment paid first', () => {
  expect(canChange(details())).toBe(true)
  expect(canChange(details({ status: 'trialing' }))).toBe(true)
  expect(canChange(details({ canceledAt: AT }))).toBe(false)
  expect(canChange(details({ status: 'past_due' }, failed))).toBe(false)
  expect(canChange(details({ gift: true, claimedAt: AT, payment: null }))).toBe(false)
})
