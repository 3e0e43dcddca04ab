import { fc } from '#tests/support/random.ts'
import { expect, test } from 'vitest'
import { daysAfter, monthsAfter } from './months.ts'
import { type WithdrawableCharge, isPart, type Month, withdrawalOf } from './withdrawal-amounts.ts'

const PAID = new Date('2026-04-01T10:00:00Z')
const joined = (more: Partial<WithdrawableCharge> = {}): WithdrawableCharge => ({
  orderId: 'joined',
  paidMinor: 800,
  backMinor: 0,
  paidAt: PAID,
  paidFor: { from: PAID, until: monthsAfter(PAID, 1) },
  isWithdrawable: true,
  ...more,
})
const NONE_TAKEN: Month = { given: 1, taken: 0 }
const after = (days: number, charges: readonly WithdrawableCharge[], month = NONE_TAKEN) =>
  withdrawalOf(charges, month, daysAfter(PAID, days))
const sum = (...of: Parameters<typeof after>) => after(...of)?.amountMinor

test('by days: everything on the first day, then a share of the thirty days, and nothing from the fifteenth day', () => {
  expect(sum(0.9, [joined()])).toBe(800)
  expect(sum(10, [joined()])).toBe(533)
  expect(sum(13.99, [joined()])).toBe(453)
  expect(after(14, [joined()])).toBeNull()
  expect(after(0, [joined()])?.until).toEqual(new Date('2026-04-15T10:00:00Z'))
})

test('a free audiobook that was taken counts as used: one of two is half, for a year as for a month', () => {
  expect(sum(3, [joined()], { given: 1, taken: 1 })).toBe(0)
  expect(sum(3, [joined({ paidMinor: 1200 })], { given: 2, taken: 1 })).toBe(600)
  const year = joined({ paidMinor: 12_000, paidFor: { from: PAID, until: monthsAfter(PAID, 12) } })
  expect(sum(3, [year], { given: 2, taken: 1 })).toBe(6000)
  expect(sum(13, [year], { given: 2, taken: 0 })).toBe(Math.round((12_000 * 352) / 365))
  expect(sum(10, [joined({ paidMinor: 300 })], { given: 0, taken: 0 })).toBe(200)
})

test('half a penny is rounded up', () => {
  expect(sum(1, [joined({ paidMinor: 25 })], { given: 2, taken: 1 })).toBe(13)
})

test('an upgrade neither ends nor restarts the right to withdraw: each charge is refunded by its own share', () => {
  const at = daysAfter(PAID, 3)
  const upgraded = joined({
    orderId: 'upgraded',
    paidMinor: 360,
    paidAt: at,
    paidFor: { from: at, until: monthsAfter(PAID, 1) },
    isWithdrawable: false,
  })
  expect(after(4, [upgraded, joined()], { given: 2, taken: 1 })?.shares).toEqual([
    { orderId: 'upgraded', amountMinor: 180 },
    { orderId: 'joined', amountMinor: 400 },
  ])
  // 4 of the 30 days of joining are over, and 1 of the 27 days of the upgrade.
  expect(sum(4, [upgraded, joined()])).toBe(693 + 347)
  expect(after(4, [upgraded, joined()])?.until).toEqual(daysAfter(PAID, 14))
  expect(after(15, [upgraded, joined()])).toBeNull()
  expect(isPart(upgraded.paidFor, [upgraded.paidFor, joined().paidFor])).toBe(true)
  expect(isPart(joined().paidFor, [upgraded.paidFor, joined().paidFor])).toBe(false)
})

test('a yearly renewal opens a withdrawal period for its own charge only, not for earlier ones', () => {
  const renewedAt = monthsAfter(PAID, 12)
  const year = { paidMinor: 8000, isWithdrawable: true }
  const charges = [
    joined({
      ...year,
      orderId: 'renewed',
      paidAt: renewedAt,
      paidFor: { from: renewedAt, until: monthsAfter(PAID, 24) },
    }),
    joined({ ...year, paidFor: { from: PAID, until: renewedAt } }),
  ]
  expect(withdrawalOf(charges, NONE_TAKEN, daysAfter(renewedAt, 2))?.shares).toEqual([
    { orderId: 'renewed', amountMinor: Math.round((8000 * 364) / 366) },
  ])
})

test('charges of £0 or without a right to withdraw refund nothing; a refunded part is not refunded again', () => {
  expect(after(1, [joined({ isWithdrawable: false })])).toBeNull()
  expect(after(1, [joined({ paidMinor: 0 })])).toBeNull()
  expect(sum(0, [joined({ backMinor: 300 })])).toBe(500)
  expect(after(0, [joined({ backMinor: 800 })])).toMatchObject({ amountMinor: 0, shares: [] })
})

test('the refund is never more than the price, never below 0, and never grows over time', () => {
  fc.assert(
    fc.property(
      fc.record({
        paidMinor: fc.integer({ min: 1, max: 20_000 }),
        given: fc.integer({ min: 0, max: 3 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        months: fc.constantFrom(1, 12),
        day: fc.double({ min: 0, max: 13, noNaN: true }),
      }),
      ({ paidMinor, given, share, months, day }) => {
        const charge = joined({ paidMinor, paidFor: { from: PAID, until: monthsAfter(PAID, months) } })
        const month = { given, taken: Math.floor(given * share) }
        const [now, later] = [sum(day, [charge], month)!, sum(day + 0.9, [charge], month)!]
        expect(now).toBeGreaterThanOrEqual(later)
        expect(later).toBeGreaterThanOrEqual(0)
        expect(now).toBeLessThanOrEqual(paidMinor)
      },
    ),
  )
})

test('of two charges that may be withdrawn, the later one sets the end of the time, and both are refunded', () => {
  const later = joined({ orderId: 'later', paidAt: daysAfter(PAID, 5) })
  for (const charges of [
    [joined(), later],
    [later, joined()],
  ]) {
    const found = after(6, charges)!
    expect(found.until).toEqual(daysAfter(PAID, 19))
    // Only charges since the latest one that may be withdrawn.
    expect(found.shares.map(({ orderId }) => orderId)).toEqual(['later'])
  }
})

test('a charge that the provider doesn’t refund blocks a withdrawal, unless it has nothing left to refund', () => {
  const stuck = joined({ isRefundable: false })
  expect(after(1, [stuck])).toMatchObject({ amountMinor: 0, shares: [], isBlocked: true })
  expect(after(1, [joined({ isRefundable: false, backMinor: 800 })])).not.toHaveProperty('isBlocked')
  expect(after(1, [joined({ isRefundable: true })])).not.toHaveProperty('isBlocked')
  const part = joined({ orderId: 'part', isWithdrawable: false })
  expect(after(0, [part, stuck])).toMatchObject({
    ...{ amountMinor: 800, isBlocked: true, shares: [{ orderId: 'part', amountMinor: 800 }] },
  })
})

test('a part of a period ends with it and begins later', () => {
  const span = (from: number, until: number) => ({
    from: daysAfter(PAID, from),
    until: daysAfter(PAID, until),
  })
  expect(isPart(span(3, 30), [span(0, 30)])).toBe(true)
  expect(isPart(span(3, 30), [span(0, 29)])).toBe(false)
  expect(isPart(span(3, 30), [span(3, 30)])).toBe(false)
  expect(isPart(span(0, 30), [span(3, 30)])).toBe(false)
})
