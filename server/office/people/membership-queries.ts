import { and, eq, isNotNull, isNull, ne, not, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { MemberState } from '#contract/office/member-states.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { NEVER, nextCharge, subscriptions as s } from '../../db/schema/membership.ts'

const other = alias(s, 'other')
const UNPAID: ('incomplete' | 'incomplete_expired')[] = ['incomplete', 'incomplete_expired']

/** As `isOngoing` in features/membership/entitlement.ts. */
const isRunningOf = (of: typeof s | typeof other, at: SQL) => sql<boolean>`(${of.status} <> 'canceled'
  and ${of.withdrawnAt} is null
  and (${of.providerId} is not null and ${of.canceledAt} is null or ${of.validUntil} > ${at}))`

/**
 * One row an account: its membership that runs, the own before a given one, else its last one: the one that no other
 * precedes, which is found without sorting all of them. `only` limits it to some accounts; `which` to those whose
 * membership runs, or doesn't. An account has at most one own membership that runs (`subscriptions_one_place`), so that
 * only given ones are then compared with others.
 */
export function membershipsOfAccounts(
  db: Db,
  now: BusinessTime,
  {
    only,
    which = 'all',
  }: { readonly only?: readonly string[] | undefined; readonly which?: 'all' | 'running' | 'lapsed' } = {},
) {
  const isMeant = (of: typeof s | typeof other) =>
    only && sql`${of.userId} = any(${sql.param([...only])}::uuid[])`
  const at = sql`${now.toISOString()}::timestamptz`
  const isRunning = isRunningOf(s, at)
  const state = sql<MemberState>`case
    when not ${isRunning} then 'lapsed'
    when ${s.suspendedAt} is not null then 'suspended'
    when ${s.status} in ('past_due', 'unpaid') then 'failing'
    when ${s.canceledAt} is not null then 'leaving'
    when ${s.status} = 'trialing' then 'trial'
    when ${s.gift} then 'gift'
    else 'active' end`
  // As `nextPaymentOf` in features/membership/next-payment.ts.
  const nextAt = sql<string | null>`case when ${isRunning} then nullif(${nextCharge(s)}, ${NEVER}) end`
  // True for each membership that doesn't run, and an index finds these.
  const mayBeLapsed = or(eq(nextCharge(s), NEVER), isNull(s.providerId))
  const isFirst = notExists(
    db
      .select({ id: other.id })
      .from(other)
      .where(
        and(
          eq(other.userId, s.userId),
          ne(other.id, s.id),
          isMeant(other),
          notInArray(other.status, UNPAID),
          sql`(${isRunningOf(other, at)}, not ${other.gift}, ${other.orderedAt}, ${s.id})
            > (${isRunning}, not ${s.gift}, ${s.orderedAt}, ${other.id})`,
        ),
      ),
  )
  return db
    .select({
      userId: s.userId,
      subscriptionId: s.id,
      plan: s.plan,
      orderedAt: s.orderedAt,
      state: state.as('state'),
      nextAt: nextAt.as('next_at'),
      nextCharge: nextCharge(s).as('next_charge'),
      nextMinor: s.nextMinor,
      priceMinor: s.priceMinor,
    })
    .from(s)
    .where(
      and(
        isNotNull(s.userId),
        isMeant(s),
        notInArray(s.status, UNPAID),
        which === 'running' ? and(isRunning, or(not(s.gift), isFirst)) : isFirst,
        which === 'lapsed' ? and(mayBeLapsed, not(isRunning)) : undefined,
      ),
    )
    .as('membership')
}
export type MembershipOfAccount = ReturnType<typeof membershipsOfAccounts>
