import { DAY_MS } from '#contract/durations.ts'
import { PLANS, type Plan } from '#contract/plans.ts'
import { graceEnd } from './failed-payments.ts'
import type { SubscriptionRow } from './queries.ts'

type State = SubscriptionRow['status']

export type Membership = Pick<
  SubscriptionRow,
  | 'plan'
  | 'status'
  | 'validUntil'
  | 'paymentFailedAt'
  | 'providerId'
  | 'canceledAt'
  | 'suspendedAt'
  | 'withdrawnAt'
>

/** The provider may report a renewal late, after the end of the previous period. */
const RENEWING_DAYS = 1

/** Prices, access and pages depend on this alone. A renewing membership counts for one more day (ROLE-10). */
export function givesBenefits(membership: Membership, now: Date): boolean {
  const { status, validUntil, paymentFailedAt, suspendedAt, withdrawnAt } = membership
  if (suspendedAt !== null || withdrawnAt !== null) return false
  if (status === 'past_due') return paymentFailedAt !== null && now <= graceEnd(paymentFailedAt)
  if (status !== 'active' && status !== 'trialing') return false
  return validUntil.getTime() + (renews(membership) ? RENEWING_DAYS * DAY_MS : 0) > now.getTime()
}

/** The provider will charge it again. Gifts, memberships paid by a code and cancelled ones end by themselves. */
export const renews = ({ providerId, canceledAt }: Pick<Membership, 'providerId' | 'canceledAt'>): boolean =>
  providerId !== null && canceledAt === null

export const hasStarted = (status: State): boolean =>
  status !== 'incomplete' && status !== 'incomplete_expired'

/** `UNENDED_STATES` in the schema lists the other states. */
export const hasEnded = (status: State): boolean => status === 'canceled' || status === 'incomplete_expired'

/** A renewing membership is ongoing until the provider reports its end. `selectHasOngoing` is the same in SQL. */
export const isOngoing = (
  membership: Pick<Membership, 'status' | 'providerId' | 'canceledAt' | 'validUntil'>,
  now: Date,
): boolean =>
  hasStarted(membership.status) &&
  !hasEnded(membership.status) &&
  (renews(membership) || membership.validUntil > now)

export const planWithId = ({ plan }: { readonly plan: number }): Plan | undefined =>
  Object.values(PLANS).find(({ id }) => id === plan)

export const isClaimable = (book: { readonly edition: boolean; readonly second_edition: boolean }): boolean =>
  book.edition || book.second_edition
