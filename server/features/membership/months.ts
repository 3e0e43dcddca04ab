import { DateTime } from 'luxon'
import { DAY_MS } from '#contract/durations.ts'
import type { BusinessTime } from '../../clock.ts'

/** Counted from the anchor in UTC, as the provider does: month by month, the 31st would drift to the 28th. */
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

/** The first month if `at` is before the anchor. */
export const monthOf = (anchor: Date, at: Date): Span => spanOf(anchor, numberOf(anchor, at))

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

/** The anchor before a change of billing interval. Skips partial periods of upgrades: they start no new count. */
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

/** `since` is the order or, for a gift, its claim. Null means for ever (MEMB-35, MEMB-47, MEMB-48). */
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
