import { fc } from '#tests/support/random.ts'
import { expect, test } from 'vitest'
import { daysAfter, monthsAfter } from './calendar.ts'
import { type Charge, withdrawalOf } from './withdrawal.ts'

const PAID = new Date('2026-04-01T10:00:00Z')
const month = (more: Partial<Charge> = {}): Charge => ({
  paidMinor: 800,
  paidAt: PAID,
  paidFor: { from: PAID, until: monthsAfter(PAID, 1) },
  opens: true,
  granted: 1,
  taken: 0,
  ...more,
})
const after = (days: number, charge: Charge) => withdrawalOf(charge, daysAfter(PAID, days))?.amountMinor

test('by days: all of it on the first one, a share of thirty after that, nothing from the fifteenth on', () => {
  expect(after(0.9, month())).toBe(800)
  expect(after(10, month())).toBe(533)
  expect(after(13.99, month())).toBe(453)
  expect(after(14, month())).toBeUndefined()
  expect(withdrawalOf(month(), PAID)?.until).toEqual(new Date('2026-04-15T10:00:00Z'))
})

test('a free audiobook that was taken counts as used; of a year it is one of twelve or of twenty-four', () => {
  expect(after(3, month({ taken: 1 }))).toBe(0)
  const year = month({
    paidMinor: 12_000,
    paidFor: { from: PAID, until: monthsAfter(PAID, 12) },
    granted: 24,
    taken: 2,
  })
  expect(after(3, year)).toBe(11_000)
  expect(after(13, { ...year, taken: 0 })).toBe(Math.round((12_000 * 352) / 365))
  // A Supporter has none to take.
  expect(after(15 - 5, month({ paidMinor: 300, granted: 0 }))).toBe(200)
})

test('a charge that opens nothing, and one of nothing, cannot be withdrawn from', () => {
  expect(after(1, month({ opens: false }))).toBeUndefined()
  expect(after(1, month({ paidMinor: 0 }))).toBeUndefined()
})

test('never more than was paid, never less than nothing, and never more on a later day', () => {
  fc.assert(
    fc.property(
      fc.record({
        paidMinor: fc.integer({ min: 1, max: 20_000 }),
        granted: fc.integer({ min: 0, max: 24 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        months: fc.constantFrom(1, 12),
        day: fc.double({ min: 0, max: 13, noNaN: true }),
      }),
      ({ paidMinor, granted, share, months, day }) => {
        const charge = month({
          paidMinor,
          granted,
          taken: Math.floor(granted * share),
          paidFor: { from: PAID, until: monthsAfter(PAID, months) },
        })
        const [now, later] = [after(day, charge)!, after(day + 0.9, charge)!]
        expect(now).toBeGreaterThanOrEqual(later)
        expect(later).toBeGreaterThanOrEqual(0)
        expect(now).toBeLessThanOrEqual(paidMinor)
      },
    ),
  )
})
