import type { PlanId } from '#contract/plans.ts'
import type { Transaction } from '#server/db/open.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'

/** A membership as `accounts.json` describes it; days are counted from the day the shop is filled. */
export interface DemoMembership {
  readonly plan: PlanId
  readonly status: 'active' | 'trialing' | 'past_due' | 'canceled'
  readonly startedDaysAgo: number
  readonly periodStartedDaysAgo: number
  readonly periodDays: number
  readonly creditsLeft: number
  readonly payment?: 'card' | 'paypal'
  readonly canceledDaysAgo?: number
  readonly failedDaysAgo?: number
  readonly gift?: boolean
  readonly discount?: {
    readonly percent: number
    readonly duration: 'once' | 'repeating' | 'forever'
    readonly months?: number
  }
}

interface Holder {
  readonly userId: string
  readonly membership?: DemoMembership | undefined
  /** Single free audiobooks, given by the shop. */
  readonly credits?: number | undefined
}

const DAY = 24 * 3_600_000
/** A charge that failed closes nothing before this (docs/product.md, Access). */
const GRACE_DAYS = 7
const MONTH_DAYS = 30
const GIVEN_CREDIT_DAYS = 60

/** The rows of an account's membership and of the free audiobooks it has left. */
export async function insertMembership(
  tx: Transaction,
  { userId, membership, credits: given = 0 }: Holder,
  now: Date,
): Promise<void> {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY)
  if (membership) await tx.insert(subscriptions).values(subscriptionOf(userId, membership, inDays))
  const rows = [
    ...Array.from({ length: membership?.creditsLeft ?? 0 }, () => ({
      userId,
      usableUntil: inDays(daysLeftOfMonth(membership!)),
    })),
    ...Array.from({ length: given }, () => ({ userId, usableUntil: inDays(GIVEN_CREDIT_DAYS) })),
  ]
  if (rows.length > 0) await tx.insert(credits).values(rows)
}

function subscriptionOf(
  userId: string,
  membership: DemoMembership,
  inDays: (days: number) => Date,
): typeof subscriptions.$inferInsert {
  const { plan, status, startedDaysAgo, periodStartedDaysAgo, periodDays, payment, discount } = membership
  const periodEnd = inDays(periodDays - periodStartedDaysAgo)
  const ago = (days: number | undefined) => (days === undefined ? null : inDays(-days))
  return {
    userId,
    plan,
    status,
    orderedAt: inDays(-startedDaysAgo),
    periodStart: inDays(-periodStartedDaysAgo),
    periodEnd,
    validUntil:
      membership.failedDaysAgo === undefined ? periodEnd : inDays(GRACE_DAYS - membership.failedDaysAgo),
    canceledAt: ago(membership.canceledDaysAgo),
    paymentFailedAt: ago(membership.failedDaysAgo),
    gift: membership.gift ?? false,
    paymentType: payment ?? null,
    cardLast4: payment === 'card' ? '4242' : null,
    percentDiscount: discount?.percent ?? null,
    discountDuration: discount?.duration ?? null,
    discountDurationMonths: discount?.months ?? null,
  }
}

/** A long period grants free audiobooks month by month, and each month's end with it (OP-15, OP-32). */
function daysLeftOfMonth({ periodStartedDaysAgo, periodDays }: DemoMembership): number {
  const months = Math.floor(periodStartedDaysAgo / MONTH_DAYS) + 1
  return Math.min(months * MONTH_DAYS, periodDays) - periodStartedDaysAgo
}
