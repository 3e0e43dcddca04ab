import { DateTime } from 'luxon'
import { DAY_MS } from '#contract/durations.ts'
import type { BusinessTime } from '../../clock.ts'

/**
 * Months are counted from an anchor in UTC, as the provider counts them; the 31st becomes the last day of a shorter
 * month. From 31 January come 28 February and 31 March. Adding a month to the previous date would drift to the 28th, so
 * every date is counted from the anchor.
 */
export const monthsAfter = (anchor: Date, months: number): Date =>
  DateTime.fromJSDate(anchor, { zone: 'utc' }).plus({ months }).toJSDate()

export const daysAfter = (from: Date, days: number): Date =>
  DateTime.fromJSDate(from, { zone: 'utc' }).plus({ days }).toJSDate()

export interface Span {
  readonly from: Date
  /** Exclusive. */
  readonly until: Date
}

export const ALWAYS: Span = { from: new Date(0), until: new Date('9999-01-01T00:00:00Z') }

export const monthsBetween = (from: Date, until: Date): number =>
  (until.getUTCFullYear() - from.getUTCFullYear()) * 12 + until.getUTCMonth() - from.getUTCMonth()

/** The month, counted from the anchor, that contains `at`; the first month if `at` is before the anchor. */
export const monthOf = (anchor: Date, at: Date): Span => spanOf(anchor, numberOf(anchor, at))

/** The months, counted from the anchor, that begin within a paid period: the months of its credits. */
export function monthsWithin(anchor: Date, { from, until }: Span): Span[] {
  const begun = numberOf(anchor, until) + 1
  return Array.from({ length: begun }, (_, month) => spanOf(anchor, month)).filter(
    (month) => month.from >= from && month.from < until,
  )
}

/** In each calendar month one month of the anchor begins: `at` is in that one, or in the one before. */
function numberOf(anchor: Date, at: Date): number {
  const month = monthsBetween(anchor, at)
  return Math.max(0, monthsAfter(anchor, month) > at ? month - 1 : month)
}

const LONG_MS = 100 * DAY_MS
const isLong = ({ from, until }: Span): boolean => until.getTime() - from.getTime() > LONG_MS

/**
 * The anchor that applied to a period before the plan changed between monthly and yearly, from the periods that were
 * paid until then. Skips the rest of a period that an upgrade paid for, because that does not start a new count.
 */
export function anchorBefore(paid: readonly Span[], { from: at }: Span): Date {
  const whole = paid.filter(
    ({ from, until }) =>
      from <= at && !paid.some((other) => other.from < from && other.until.getTime() === until.getTime()),
  )
  let last: (Span & { anchor: Date }) | undefined
  for (const span of whole.toSorted((one, two) => one.from.getTime() - two.from.getTime())) {
    const continues =
      last &&
      isLong(span) === isLong(last) &&
      monthsAfter(last.anchor, monthsBetween(last.anchor, span.from)).getTime() === span.from.getTime()
    last = { ...span, anchor: last && continues ? last.anchor : span.from }
  }
  return last?.anchor ?? at
}

const spanOf = (anchor: Date, month: number): Span => ({
  from: monthsAfter(anchor, month),
  until: monthsAfter(anchor, month + 1),
})

interface PlanDiscount {
  readonly duration: 'once' | 'repeating' | 'forever'
  /** The number of months of a `repeating` discount, also for a yearly plan. */
  readonly count: number | null
}

/**
 * When a discount ends (MEMB-35, MEMB-47, MEMB-48): after the first month or year, after a number of months, or never
 * (null). Counted from `since`: the order or, for a gift, the day on which it was claimed.
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
  now: BusinessTime,
): boolean => {
  const end = discountEndsAt(discount, plan, since)
  return end !== null && now >= end
}
