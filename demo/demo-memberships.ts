import { type PlanId, PLANS } from '#contract/plans.ts'
import type { Transaction } from '#server/db/open.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { grantFor } from '#server/features/membership/credits.ts'
import { monthOf } from '#server/features/membership/months.ts'

/** Days count from the day on which the shop is filled. */
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
  readonly credits?: number | undefined
}

const DAY = 24 * 3_600_000
/** Days that the benefits stay after a failed charge (docs/product.md, Access). */
const GRACE_DAYS = 7
const MONTH_DAYS = 30
const GIVEN_CREDIT_DAYS = 60

export async function insertMembership(
  tx: Transaction,
  { userId, membership, credits: given = 0 }: Holder,
  now: Date,
): Promise<void> {
  // Stripe counts in whole seconds, and the same period must give the same credits.
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

/** Grants the current month, and for a yearly period its future months too (OP-15, OP-32). */
async function grantCredits(tx: Transaction, of: Begun, left: number, now: Date): Promise<void> {
  const { id: subscriptionId, userId, plan, anchor, periodStart, periodEnd } = of
  const isLong = anchor.getTime() === periodStart.getTime()
  const month = isLong ? monthOf(anchor, now) : { from: periodStart, until: periodEnd }
  // A paid month grants all its free audiobooks; the used ones are revoked.
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
    // A period of 30 days is not a calendar month, so future months count from its end.
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
