import { and, desc, isNotNull, notInArray, sql } from 'drizzle-orm'
import type { MemberState } from '#contract/office/member-states.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { subscriptions as s } from '../../db/schema/membership.ts'

/** One row an account: its membership that runs, the own before a given one, else its last one. */
export function membershipsOfAccounts(db: Db, now: BusinessTime) {
  const at = sql`${now.toISOString()}::timestamptz`
  // As `isOngoing` in features/membership/entitlement.ts.
  const isRunning = sql<boolean>`(${s.status} <> 'canceled' and ${s.withdrawnAt} is null
    and (${s.providerId} is not null and ${s.canceledAt} is null or ${s.validUntil} > ${at}))`
  const state = sql<MemberState>`case
    when not ${isRunning} then 'lapsed'
    when ${s.suspendedAt} is not null then 'suspended'
    when ${s.status} in ('past_due', 'unpaid') then 'failing'
    when ${s.canceledAt} is not null then 'leaving'
    when ${s.status} = 'trialing' then 'trial'
    when ${s.gift} then 'gift'
    else 'active' end`
  // As `nextPaymentOf` in features/membership/next-payment.ts.
  const nextAt = sql<string | null>`case when ${isRunning} and not ${s.gift} and ${s.paymentType} is not null
    and ${s.canceledAt} is null and ${s.status} in ('active', 'trialing')
    then case when ${s.status} = 'trialing' then coalesce(${s.trialEndsAt}, ${s.periodEnd}) else ${s.periodEnd} end end`
  return db
    .selectDistinctOn([s.userId], {
      userId: s.userId,
      subscriptionId: s.id,
      plan: s.plan,
      orderedAt: s.orderedAt,
      state: state.as('state'),
      nextAt: nextAt.as('next_at'),
    })
    .from(s)
    .where(and(isNotNull(s.userId), notInArray(s.status, ['incomplete', 'incomplete_expired'])))
    .orderBy(s.userId, desc(isRunning), s.gift, desc(s.orderedAt), s.id)
    .as('membership')
}
export type MembershipOfAccount = ReturnType<typeof membershipsOfAccounts>
