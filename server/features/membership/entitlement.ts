import { DAY_MS } from '#contract/durations.ts'
import { PLANS, type Plan } from '#contract/plans.ts'

/** The provider may report a renewal late, after the end of the previous period. */
const RENEWING_DAYS = 1
/** A failed charge does not end the benefits at once (docs/product.md, Access). */
const GRACE_DAYS = 7

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
export function isInForce(membership: Membership, now: Date): boolean {
  const { status, validUntil, paymentFailedAt, suspendedAt } = membership
  if (suspendedAt !== null) return false
  if (status === 'past_due')
    return paymentFailedAt !== null && now.getTime() - paymentFailedAt.getTime() <= GRACE_DAYS * DAY_MS
  if (status !== 'active' && status !== 'trialing') return false
  return validUntil.getTime() + (renews(membership) ? RENEWING_DAYS * DAY_MS : 0) > now.getTime()
}

const renews = ({ providerId, canceledAt }: Membership): boolean => providerId !== null && canceledAt === null

/** A failed payment is still open. The banner shows this even after the benefits have ended. */
export const hasFailedPayment = ({ status }: Pick<Membership, 'status'>): boolean =>
  status === 'past_due' || status === 'unpaid'

export const graceEnd = (failedAt: Date): Date => new Date(failedAt.getTime() + GRACE_DAYS * DAY_MS)

export const planOf = ({ plan }: Pick<Membership, 'plan'>): Plan | undefined =>
  Object.values(PLANS).find(({ id }) => id === plan)

export const isClaimable = (book: { readonly edition: boolean; readonly second_edition: boolean }): boolean =>
  book.edition || book.second_edition
