import { and, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { credits } from '../../db/schema/membership.ts'
import type { Membership } from './entitlement.ts'
import { usable } from './credit-queries.ts'

interface BenefitsRow extends Record<string, unknown> {
  user_id: string
  /** Null in the row that marks a usable credit. */
  plan: Membership['plan'] | null
  status: Membership['status']
  /** In milliseconds, which are cheaper to parse than dates. */
  valid_until: number
  payment_failed_at: number | null
  suspended_at: number | null
  provider_id: string | null
  canceled_at: number | null
  withdrawn_at: number | null
}

interface Benefits {
  hasCredit: boolean
  readonly memberships: Membership[]
}

/** Omits accounts without memberships and credits. */
export async function selectBenefits(
  db: Db,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, Benefits>> {
  // A single array parameter, so that the statement text is the same for any number of accounts.
  const asked = sql.param([...new Set(userIds)])
  const ms = (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`
  const { rows } = await db.execute<BenefitsRow>(sql`
    select s.user_id, s.plan, s.status, ${ms('s.valid_until')} as valid_until,
      ${ms('s.payment_failed_at')} as payment_failed_at, ${ms('s.suspended_at')} as suspended_at,
      s.provider_id, ${ms('s.canceled_at')} as canceled_at, ${ms('s.withdrawn_at')} as withdrawn_at, s.ordered_at
    from subscriptions s where s.user_id = any(${asked}::uuid[])
    union all
    select a.id, null, '', 0, null, null, null, null, null, null from unnest(${asked}::uuid[]) as a(id)
    where exists (select from ${credits} where ${and(sql`${credits.userId} = a.id`, ...usable(now))})
    order by ordered_at desc`)
  const known = new Map<string, Benefits>()
  for (const row of rows) {
    let of = known.get(row.user_id)
    if (!of) known.set(row.user_id, (of = { hasCredit: false, memberships: [] }))
    if (row.plan === null) of.hasCredit = true
    else of.memberships.push(membershipOf(row, row.plan))
  }
  return known
}

const membershipOf = (row: BenefitsRow, plan: Membership['plan']): Membership => ({
  plan,
  status: row.status,
  validUntil: new Date(row.valid_until),
  paymentFailedAt: instantOf(row.payment_failed_at),
  suspendedAt: instantOf(row.suspended_at),
  providerId: row.provider_id,
  canceledAt: instantOf(row.canceled_at),
  withdrawnAt: instantOf(row.withdrawn_at),
})

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

/** `isOngoing` in SQL: true if the account with this email has an ongoing membership. */
export async function selectHasOngoing(db: Db, email: string, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from subscriptions s join users u on u.id = s.user_id
    where lower(u.email) = ${email.toLowerCase()}
      and s.status not in ('incomplete', 'incomplete_expired', 'canceled')
      and (s.valid_until > ${now.toISOString()}::timestamptz or s.provider_id is not null and s.canceled_at is null)
    limit 1`)
  return rows.length > 0
}
