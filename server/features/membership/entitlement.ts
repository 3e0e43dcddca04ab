import { DAY_MS } from '#contract/durations.ts'
import { PLANS, type Plan } from '#contract/plans.ts'

/** Between a period's end and the provider's word of the next one. */
const RENEWING_DAYS = 1
/** A failed charge does not lock anybody out at once (docs/product.md, Access). */
const GRACE_DAYS = 7

export interface Membership {
  readonly plan: number
  readonly status: string
  readonly validUntil: Date
  readonly paymentFailedAt: Date | null
  /** The provider's `sub_…`, which renews; null for one that nobody does. */
  readonly providerId: string | null
  readonly canceledAt: Date | null
  /** While a dispute about its payment is open. */
  readonly suspendedAt: Date | null
}

/**
 * Decides if a membership's benefits hold now (ROLE-10): active or trialing until it ends, past due for seven days
 * after the first failed charge; a dispute suspends it. Until a day after its end a renewing membership still
 * counts, as the provider's word may be late.
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

/** An open payment that failed: the banner shows, also when the benefits are over. */
export const hasFailedPayment = ({ status }: Pick<Membership, 'status'>): boolean =>
  status === 'past_due' || status === 'unpaid'

/** Until when a membership whose payment failed keeps its benefits. */
export const graceEnd = (failedAt: Date): Date => new Date(failedAt.getTime() + GRACE_DAYS * DAY_MS)

export const planOf = ({ plan }: Pick<Membership, 'plan'>): Plan | undefined =>
  Object.values(PLANS).find(({ id }) => id === plan)

/** The titles that a credit takes: editions and current highlights (OP-15). */
export const isClaimable = (book: { readonly edition: boolean; readonly second_edition: boolean }): boolean =>
  book.edition || book.second_edition
