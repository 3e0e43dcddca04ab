import { fc } from '#tests/support/random.ts'
import { expect, test } from 'vitest'
import {
  anchorBefore,
  discountEndsAt,
  hasDiscountEnded,
  monthOf,
  monthsAfter,
  monthsWithin,
} from './months.ts'

const MONTHLY = { yearly: false }
const YEARLY = { yearly: true }
const at = (iso: string) => new Date(iso)
const days = (dates: readonly Date[]) => dates.map((date) => date.toISOString().slice(0, 10))

test('months are counted from their anchor: the last day of a shorter month, and the anchor’s day again after that', () => {
  const anchor = at('2027-01-31T10:00:00Z')
  expect(days([1, 2, 3, 4, 13].map((months) => monthsAfter(anchor, months)))).toEqual([
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2028-02-29',
  ])
  // London's clocks go forward on 28 March, which must change nothing.
  expect(monthsAfter(at('2027-02-28T00:30:00Z'), 1).toISOString()).toBe('2027-03-28T00:30:00.000Z')
})

test('every instant is in exactly one month of an anchor', () => {
  const instant = fc.date({ min: at('2026-01-01'), max: at('2032-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      const [anchor, now] = one < other ? [one, other] : [other, one]
      const month = monthOf(anchor, now)
      expect(month.from <= now && now < month.until).toBe(true)
      expect(monthOf(anchor, month.from)).toEqual(month)
      expect(monthOf(anchor, new Date(month.until.getTime() - 1))).toEqual(month)
      expect(monthOf(anchor, month.until).from).toEqual(month.until)
    }),
  )
})

test('a repeating discount lasts its number of months; a discount for once ignores the number', () => {
  const anchor = at('2026-01-15T12:00:00Z')
  expect(discountEndsAt({ duration: 'once', count: 6 }, MONTHLY, anchor)).toEqual(monthsAfter(anchor, 1))
  expect(discountEndsAt({ duration: 'repeating', count: null }, YEARLY, anchor)).toEqual(
    monthsAfter(anchor, 12),
  )
})

test('an instant before the anchor is in the first month', () => {
  const anchor = at('2027-01-31T10:00:00Z')
  const first = { from: anchor, until: at('2027-02-28T10:00:00Z') }
  expect(monthOf(anchor, at('2026-06-01'))).toEqual(first)
  expect(monthOf(anchor, anchor)).toEqual(first)
  expect(monthOf(anchor, at('2028-01-31T09:59:59Z')).until).toEqual(at('2028-01-31T10:00:00Z'))
})

test('a month that began before a period was paid with the previous period', () => {
  const anchor = at('2026-08-31T09:00:00Z')
  const within = monthsWithin(anchor, { from: at('2026-10-01'), until: at('2027-01-01') })
  expect(days(within.map(({ from }) => from))).toEqual(['2026-10-31', '2026-11-30', '2026-12-31'])
})

test('a paid year contains twelve months, half a year six, a month one, and none twice', () => {
  const anchor = at('2026-08-31T09:00:00Z')
  const year = monthsWithin(anchor, { from: anchor, until: monthsAfter(anchor, 12) })
  expect(year).toHaveLength(12)
  expect(new Set(year.map(({ from }) => from.getTime())).size).toBe(12)
  expect(monthsWithin(anchor, { from: anchor, until: monthsAfter(anchor, 6) })).toHaveLength(6)
  for (const month of year) expect(monthsWithin(anchor, month)).toEqual([month])
})

test('MEMB-35: a discount for once ends one month after the order, or one year for a yearly plan', () => {
  const ordered = at('2026-03-31T12:00:00Z')
  const once = { duration: 'once', count: null } as const
  expect(discountEndsAt(once, MONTHLY, ordered)?.toISOString()).toBe('2026-04-30T12:00:00.000Z')
  expect(discountEndsAt(once, YEARLY, ordered)?.toISOString()).toBe('2027-03-31T12:00:00.000Z')
  expect(hasDiscountEnded(once, MONTHLY, ordered, at('2026-04-30T11:59:59Z'))).toBe(false)
  expect(hasDiscountEnded(once, MONTHLY, ordered, at('2026-04-30T12:00:00Z'))).toBe(true)
})

test('MEMB-47 MEMB-48: a repeating discount ends exactly after its months in every plan; a permanent one never', () => {
  const ordered = at('2026-01-15T12:00:00Z')
  const three = { duration: 'repeating', count: 3 } as const
  expect(hasDiscountEnded(three, MONTHLY, ordered, at('2026-04-14T12:00:00Z'))).toBe(false)
  expect(hasDiscountEnded(three, MONTHLY, ordered, at('2026-04-15T12:00:00Z'))).toBe(true)
  expect(hasDiscountEnded(three, YEARLY, ordered, at('2026-04-14T12:00:00Z'))).toBe(false)
  expect(hasDiscountEnded(three, YEARLY, ordered, at('2026-04-15T12:00:00Z'))).toBe(true)
  // Two yearly payments, not three.
  const two = { duration: 'repeating', count: 24 } as const
  expect(hasDiscountEnded(two, YEARLY, ordered, at('2027-01-15T12:00:00Z'))).toBe(false)
  expect(hasDiscountEnded(two, YEARLY, ordered, at('2028-01-15T12:00:00Z'))).toBe(true)
  expect(discountEndsAt({ duration: 'forever', count: null }, MONTHLY, ordered)).toBeNull()
  expect(hasDiscountEnded({ duration: 'forever', count: null }, YEARLY, ordered, at('2999-01-01'))).toBe(
    false,
  )
})

test('the months of a period before the billing interval changed are counted from their own anchor', () => {
  const span = (from: string, until: string) => ({ from: at(from), until: at(until) })
  const year = span('2027-01-31', '2028-01-31')
  const more = span('2027-02-10', '2028-01-31')
  // The charge of an upgrade is part of its period.
  expect(anchorBefore([year, more], more)).toEqual(at('2027-01-31'))
  const months = [
    span('2028-01-31', '2028-02-29'),
    span('2028-02-29', '2028-03-31'),
    span('2028-03-31', '2028-04-30'),
  ]
  expect(anchorBefore([...months, more, year], months[2]!)).toEqual(at('2028-01-31'))
  // A year that begins on the last day of a short month has a new anchor.
  const next = span('2028-02-29', '2029-02-28')
  expect(anchorBefore([months[0]!, next, year], next)).toEqual(at('2028-02-29'))
  expect(anchorBefore([], year)).toEqual(at('2027-01-31'))
})
