import { DateTime } from 'luxon'
import { DAY_MS } from '#contract/durations.ts'

/**
 * The calendar of memberships. The provider counts months from an anchor, in UTC, and takes the last day of a month
 * that is shorter: from 31 January come 28 February and 31 March. Adding a month to the month before drifts to the
 * 28th, so every date here is counted from the anchor.
 */
export const monthsAfter = (anchor: Date, months: number): Date =>
  DateTime.fromJSDate(anchor, { zone: 'utc' }).plus({ months }).toJSDate()

export const daysAfter = (from: Date, days: number): Date =>
  DateTime.fromJSDate(from, { zone: 'utc' }).plus({ days }).toJSDate()

export interface Span {
  readonly from: Date
  /** The first instant that is not part of it. */
  readonly until: Date
}

/** All the time that there is. */
export const ALWAYS: Span = { from: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

/** The months of the calendar between two dates, whatever their days. */
export const monthsBetween = (from: Date, until: Date): number =>
  (until.getUTCFullYear() - from.getUTCFullYear()) * 12 + until.getUTCMonth() - from.getUTCMonth()

/** The month of an anchor that `at` lies in; the first one for whatever is earlier. */
export const monthOf = (anchor: Date, at: Date): Span => spanOf(anchor, numberOf(anchor, at))

/** Every month of the anchor that begins within a span that is paid for: the months that credits come in. */
export function monthsWithin(anchor: Date, { from, until }: Span): Span[] {
  const begun = numberOf(anchor, until) + 1
  return Array.from({ length: begun }, (_, month) => spanOf(anchor, month)).filter(
    (month) => month.from >= from && month.from < until,
  )
}

/** A month of the anchor begins in each month of the calendar: `at` lies in that one, or still in the one before. */
function numberOf(anchor: Date, at: Date): number {
  const month = monthsBetween(anchor, at)
  return Math.max(0, monthsAfter(anchor, month) > at ? month - 1 : month)
}

/** Between a month and a year. */
const LONG_MS = 100 * DAY_MS
const isLong = ({ from, until }: Span): boolean => until.getTime() - from.getTime() > LONG_MS

/**
 * From when months were counted at a time that another rhythm has followed, by what was paid for until then. A part of a
 * period, which a change in it paid for, begins none.
 */
export function anchorBefore(paid: readonly Span[], { from: at }: Span): Date {
  const whole = paid.filter(
    ({ from, until }) =>
      from <= at && !paid.some((other) => other.from < from && other.until.getTime() === until.getTime()),
  )
  let last: (Span & { anchor: Date }) | undefined
  for (const span of whole.toSorted((one, two) => one.from.getTime() - two.from.getTime())) {
    const goesOn =
      last &&
      isLong(span) === isLong(last) &&
      monthsAfter(last.anchor, monthsBetween(last.anchor, span.from)).getTime() === span.from.getTime()
    last = { ...span, anchor: last && goesOn ? last.anchor : span.from }
  }
  return last?.anchor ?? at
}

const spanOf = (anchor: Date, month: number): Span => ({
  from: monthsAfter(anchor, month),
  until: monthsAfter(anchor, month + 1),
})

export interface PlanDiscount {
  readonly duration: 'once' | 'repeating' | 'forever'
  /** Of a `repeating` one: how many months, whatever the plan's rhythm is. */
  readonly count: number | null
}

/**
 * When a discount ends (MEMB-35, MEMB-47, MEMB-48): after the first month or year, after so many months, or never. Counted from
 * the order or, for a gift, from the day on which it was claimed.
 */
export function discountEndsAt(
  { duration, count }: PlanDiscount,
  { yearly }: { readonly yearly: boolean },
  since: Date,
): Date | null {
  if (duration === 'forever') return null
  const one = yearly ? 12 : 1
  return monthsAfter(since, duration === 'once' ? one : (count ?? one))
}

export const hasDiscountEnded = (
  discount: PlanDiscount,
  plan: { readonly yearly: boolean },
  since: Date,
  now: Date,
): boolean => {
  const end = discountEndsAt(discount, plan, since)
  return end !== null && now >= end
}
