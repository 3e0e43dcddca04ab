import { daysAfter, type Span } from './calendar.ts'

const WITHDRAW_DAYS = 14
const DAY_MS = 24 * 3_600_000

/** A charge of a membership, as far as somebody may change their mind about it. */
export interface Charge {
  readonly paidMinor: number
  readonly paidAt: Date
  readonly paidFor: Span
  /** The first of all, the first after a trial, or the renewal of a year; the law knows no other. */
  readonly opens: boolean
  /** Free audiobooks of the whole span, and how many of them were taken. */
  readonly granted: number
  readonly taken: number
}

/** Until when somebody may withdraw, and what comes back if they do it now, in pence; null where there is nothing. */
export interface Withdrawal {
  readonly until: Date
  readonly amountMinor: number
}

/**
 * Within 14 days the smaller share of what was paid comes back: of the days that are left, or of the free audiobooks that
 * were not taken, where the plan has any (docs/product.md, Memberships). Only days that are over count as used.
 */
export function withdrawalOf(charge: Charge, now: Date): Withdrawal | null {
  const until = daysAfter(charge.paidAt, WITHDRAW_DAYS)
  if (!charge.opens || now >= until || charge.paidMinor === 0) return null
  const { from, until: end } = charge.paidFor
  const days = Math.max(1, Math.round((end.getTime() - from.getTime()) / DAY_MS))
  const used = Math.min(days, Math.max(0, Math.floor((now.getTime() - from.getTime()) / DAY_MS)))
  const ofDays = (charge.paidMinor * (days - used)) / days
  const ofCredits =
    charge.granted === 0
      ? charge.paidMinor
      : (charge.paidMinor * (charge.granted - charge.taken)) / charge.granted
  return { until, amountMinor: Math.round(Math.min(ofDays, ofCredits)) }
}
