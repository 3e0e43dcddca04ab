import { DAY_MS } from '#contract/durations.ts'
import { PLANS, type Plan } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import { graceEnd } from './failed-payments.ts'

/** The provider may report a renewal late, after the end of the previous period. */
const RENEWING_DAYS = 1

export interface Membership {
  readonly plan: number
  readonly status: string
  readonly validUntil: Date
  readonly paymentFailedAt: Date | null
  /** The provider's `sub_…`; null if the provider does not renew it. */
  readonly providerId: string | null
  readonly canceledAt: Date | null
  /** Set while a dispute about its payment is open or lost. */
  readonly suspendedAt: Date | null
}

/**
 * Decides whether a membership gives benefits now (ROLE-10). Active and trialing memberships do until they end,
 * past-due ones for seven days after the first failed charge, disputed ones not at all. A renewing membership counts
 * for one more day, because the provider's report of the renewal may be late.
 */
export function isInForce(membership: Membership, now: BusinessTime): boolean {
  const { status, validUntil, paymentFailedAt, suspendedAt } = membership
  if (suspendedAt !== null) return false
  if (status === 'past_due') return paymentFailedAt !== null && now <= graceEnd(paymentFailedAt)
  if (status !== 'active' && status !== 'trialing') return false
  return validUntil.getTime() + (renews(membership) ? RENEWING_DAYS * DAY_MS : 0) > now.getTime()
}

const renews = ({ providerId, canceledAt }: Membership): boolean => providerId !== null && canceledAt === null

export const planWithId = ({ plan }: Pick<Membership, 'plan'>): Plan | undefined =>
  Object.values(PLANS).find(({ id }) => id === plan)

export const isClaimable = (book: { readonly edition: boolean; readonly second_edition: boolean }): boolean =>
  book.edition || book.second_edition
