import { type PlanId, PLANS } from '#contract/plans.ts'
import type { Transaction } from '#server/db/open.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { grantFor } from '#server/features/membership/credits.ts'
import { monthOf } from '#server/features/membership/months.ts'

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
  // The provider counts in whole seconds: what it grants for the same time must be the same.
  const inDays = (days: number) => new Date(Math.floor(now.getTime() / 1000) * 1000 + days * DAY)
  if (membership) {
    const row = subscriptionOf(userId, membership, inDays)
    const [inserted] = await tx.insert(subscriptions).values(row).returning({ id: subscriptions.id })
    await grantCredits(tx, { ...row, id: inserted!.id, userId }, membership.creditsLeft, now)
  }
  const usableUntil = inDays(GIVEN_CREDIT_DAYS)
  const rows = Array.from({ length: given }, () => ({ userId, usableUntil }))
  if (rows.length > 0) await tx.insert(credits).values(rows)
}

type Begun = ReturnType<typeof subscriptionOf> & { readonly id: string; readonly userId: string }

/**
 * The rest of the month under way; the months of a long period that are still to come are granted with it (OP-15,
 * OP-32).
 */
async function grantCredits(tx: Transaction, of: Begun, left: number, now: Date): Promise<void> {
  const { id: subscriptionId, userId, plan, anchor, periodStart, periodEnd } = of
  const isLong = anchor.getTime() === periodStart.getTime()
  const month = isLong ? monthOf(anchor, now) : { from: periodStart, until: periodEnd }
  // A paid month grants all of its free audiobooks; those that aren't left were taken back.
  const granted = of.status === 'active' && !isLong && !of.gift ? PLANS[plan].creditsPerMonth : left
  const rows = Array.from({ length: Math.max(left, granted) }, (_, ordinal) => ({
    userId,
    subscriptionId,
    ordinal,
    usableFrom: month.from,
    usableUntil: month.until,
    revokedAt: ordinal < left ? null : month.from,
  }))
  if (rows.length > 0) await tx.insert(credits).values(rows)
  if (isLong)
    await grantFor(
      tx,
      { id: subscriptionId, userId, plan: PLANS[plan], anchor },
      { from: month.until, until: periodEnd },
    )
}

function subscriptionOf(userId: string, membership: DemoMembership, inDays: (days: number) => Date) {
  const { plan, status, startedDaysAgo, periodStartedDaysAgo, periodDays, payment, discount } = membership
  const periodStart = inDays(-periodStartedDaysAgo)
  const periodEnd = inDays(periodDays - periodStartedDaysAgo)
  const ago = (days: number | undefined) => (days === undefined ? null : inDays(-days))
  return {
    userId,
    plan,
    status,
    orderedAt: inDays(-startedDaysAgo),
    periodStart,
    periodEnd,
    // A month of 30 days is none of the calendar's: those to come are counted from its end.
    anchor: periodDays > MONTH_DAYS ? periodStart : periodEnd,
    validUntil:
      membership.failedDaysAgo === undefined ? periodEnd : inDays(GRACE_DAYS - membership.failedDaysAgo),
    trialEndsAt: status === 'trialing' ? periodEnd : null,
    canceledAt: ago(membership.canceledDaysAgo),
    paymentFailedAt: ago(membership.failedDaysAgo),
    gift: membership.gift ?? false,
    paymentType: payment ?? null,
    cardLast4: payment === 'card' ? '4242' : null,
    percentDiscount: discount?.percent ?? null,
    discountDuration: discount?.duration ?? null,
    discountDurationMonths: discount?.months ?? null,
  } satisfies typeof subscriptions.$inferInsert
}
