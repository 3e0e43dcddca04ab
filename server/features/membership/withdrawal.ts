import { DAY_MS } from '#contract/durations.ts'
import { daysAfter, type Span } from './calendar.ts'

const WITHDRAW_DAYS = 14

/** A charge for a membership, as far as somebody may change their mind about it. */
export interface Charge {
  readonly orderId: string
  readonly paidMinor: number
  /** The part of it that went back already, or is owed. */
  readonly backMinor: number
  readonly paidAt: Date
  readonly paidFor: Span
  /** The first of all, the first after a trial, or the renewal of a year; the law knows no other, and an upgrade is none. */
  readonly isWithdrawable: boolean
}

/** Free audiobooks of the running month. */
export interface Month {
  readonly given: number
  readonly taken: number
}

export interface Share {
  readonly orderId: string
  readonly amountMinor: number
}

/** Until when somebody may withdraw, and what comes back if they do it now, in pence. */
export interface Withdrawal {
  readonly until: Date
  /** 0 where nothing is left to pay back. */
  readonly amountMinor: number
  /** Of each charge, its own. */
  readonly shares: readonly Share[]
}

/**
 * Within 14 days of a charge that opens them, all that was charged in them comes back in part: of each charge the smaller share, of
 * the days that are left of it, or of the free audiobooks of the running month that were not taken, where it brought any
 * (docs/product.md, Memberships). Null where the days are over.
 */
export function withdrawalOf(charges: readonly Charge[], month: Month, now: Date): Withdrawal | null {
  const opened = charges
    .filter(
      ({ isWithdrawable, paidMinor, paidAt }) =>
        isWithdrawable && paidMinor > 0 && now < daysAfter(paidAt, WITHDRAW_DAYS),
    )
    .toSorted((one, two) => two.paidAt.getTime() - one.paidAt.getTime())[0]
  if (!opened) return null
  const shares = charges
    .filter(({ paidAt }) => paidAt >= opened.paidAt)
    .map((charge) => ({ orderId: charge.orderId, amountMinor: shareOf(charge, month, now) }))
    .filter(({ amountMinor }) => amountMinor > 0)
  const amountMinor = shares.reduce((sum, share) => sum + share.amountMinor, 0)
  return { until: daysAfter(opened.paidAt, WITHDRAW_DAYS), amountMinor, shares }
}

/** Rounded half up. Only days that are over count as used. */
function shareOf(charge: Charge, { given, taken }: Month, now: Date): number {
  const { paidMinor, backMinor, paidFor } = charge
  const { from, until } = paidFor
  const days = Math.max(1, Math.round((until.getTime() - from.getTime()) / DAY_MS))
  const used = Math.min(days, Math.max(0, Math.floor((now.getTime() - from.getTime()) / DAY_MS)))
  const ofDays = (paidMinor * (days - used)) / days
  const ofAudiobooks = given === 0 ? paidMinor : (paidMinor * (given - taken)) / given
  return Math.max(0, Math.min(Math.round(Math.min(ofDays, ofAudiobooks)), paidMinor - backMinor))
}

/** A part of a period, which a change in it paid for, is charged beside the whole of it. */
export const isPart = ({ from, until }: Span, all: readonly Span[]): boolean =>
  all.some((other) => other.from < from && other.until.getTime() === until.getTime())
