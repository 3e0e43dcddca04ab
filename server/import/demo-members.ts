import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { PLANS } from '#contract/plans.ts'
import type { Database } from '#server/db/open.ts'
import { users } from '#server/db/schema/accounts.ts'
import { customers, subscriptions } from '#server/db/schema/membership.ts'
import { discountAtProvider } from '../features/billing/rules.ts'
import { daysAfter } from '../features/membership/rules.ts'
import { priceKeyOf } from '../outside/stripe/membership-prices.ts'
import type { LongMember, StandIn } from '../outside/stripe/stand-in.ts'

const MONTH_DAYS = 30

/**
 * The demo's members become members at the provider's stand-in too, as if they had joined there long ago, so that whatever a
 * member may do works for them. Answers how many; nothing is done for those that are there, so it runs at every start.
 */
export async function enrolDemoMembers(db: Database, provider: StandIn): Promise<number> {
  const rows = await db
    .select({ row: subscriptions, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(
      and(
        isNull(subscriptions.providerId),
        isNotNull(subscriptions.paymentType),
        eq(subscriptions.gift, false),
        inArray(subscriptions.status, ['active', 'trialing', 'past_due']),
      ),
    )
  if (rows.length === 0) return 0
  const made = await provider.members(
    rows.map(({ row, email, firstName, lastName }) => ({
      email,
      name: `${firstName} ${lastName}`,
      ...pastOf(row),
    })),
  )
  const personOf = new Map(
    rows.map(({ row, email, firstName, lastName }) => [
      row.id,
      { userId: row.userId!, toldEmail: email, toldName: `${firstName} ${lastName}` },
    ]),
  )
  await db.transaction(async (tx) => {
    for (const {
      subscription: id,
      providerId,
      customer,
      anchor,
      periodStart,
      periodEnd,
      nextMinor,
    } of made) {
      await tx
        .insert(customers)
        .values({ ...personOf.get(id)!, customerId: customer })
        .onConflictDoNothing()
      await tx
        .update(subscriptions)
        .set({ providerId, anchor, periodStart, periodEnd, validUntil: periodEnd, nextMinor })
        .where(eq(subscriptions.id, id))
    }
  })
  return made.length
}

function pastOf(row: typeof subscriptions.$inferSelect): Omit<LongMember, 'email' | 'name'> {
  const { percentDiscount: percent, discountDuration: duration, discountDurationMonths: durationMonths } = row
  const isRefused = row.status === 'past_due'
  const isYearly = PLANS[row.plan].yearly
  return {
    metadata: { subscription: row.id, user: row.userId! },
    price: priceKeyOf(row.plan),
    method: row.paymentType!,
    startedAt: row.orderedAt,
    // What failed is the renewal: the month before it was paid.
    periodStart: isRefused ? daysAfter(row.periodStart, -MONTH_DAYS) : row.periodStart,
    periodEnd: isRefused ? row.periodStart : isYearly ? null : row.periodEnd,
    isTrial: row.status === 'trialing',
    canceledAt: row.canceledAt,
    isRefused,
    discount:
      percent === null
        ? null
        : {
            percent,
            lasts: discountAtProvider({ percent, amountMinor: null, duration, durationMonths }, row.plan)
              .lasts,
          },
  }
}
