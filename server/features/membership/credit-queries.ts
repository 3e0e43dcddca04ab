import type { BusinessTime } from '../../clock.ts'
import { and, count, eq, gt, gte, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { PlanId } from '#contract/plans.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { credits, subscriptions } from '../../db/schema/membership.ts'

export async function selectNextCredit(db: Db, userId: string, now: BusinessTime) {
  const [row] = await db
    .select({
      until: credits.usableUntil,
      subscriptionId: credits.subscriptionId,
      ofTrial: sql<boolean>`coalesce(${credits.usableUntil} <= ${subscriptions.trialEndsAt}, false)`,
    })
    .from(credits)
    .leftJoin(subscriptions, eq(subscriptions.id, credits.subscriptionId))
    .where(and(eq(credits.userId, userId), ...usable(now)))
    .orderBy(credits.usableUntil, credits.id)
    .limit(1)
  return row
}

export const usable = (now: BusinessTime) => [
  isNull(credits.spentAt),
  isNull(credits.revokedAt),
  lte(credits.usableFrom, now),
  gt(credits.usableUntil, now),
  or(isNull(credits.heldUntil), lte(credits.heldUntil, now)),
]

/** `until`: only spending, granting or revoking a credit changes `hasCredit` before; null: for ever. */
export interface CreditState {
  readonly hasCredit: boolean
  readonly until: Date | null
}

export async function selectCreditStates(
  db: Db,
  userIds: readonly string[],
  now: BusinessTime,
): Promise<CreditState[]> {
  const { rows } = await db.execute<{ user_id: string; has_credit: boolean; until: number | null }>(sql`
    select user_id, bool_or(usable_from <= at.now and (held_until is null or held_until <= at.now)) as has_credit,
      (extract(epoch from min(least(usable_until,
        case when usable_from > at.now then usable_from end,
        case when held_until > at.now then held_until end))) * 1000)::float8 as until
    from credits, (select ${now.toISOString()}::timestamptz as now) at
    where user_id = any(${sql.param([...new Set(userIds)])}::uuid[])
      and spent_at is null and revoked_at is null and usable_until > at.now
    group by user_id`)
  const states = new Map(rows.map((row) => [row.user_id, row]))
  return userIds.map((userId) => {
    const { has_credit: hasCredit = false, until = null } = states.get(userId) ?? {}
    return { hasCredit, until: until === null ? null : new Date(until) }
  })
}

export async function countUsableCredits(db: Db, userId: string, now: BusinessTime): Promise<number> {
  const [row] = await db
    .select({ usable: count() })
    .from(credits)
    .where(and(eq(credits.userId, userId), ...usable(now)))
  return row?.usable ?? 0
}

export interface Grant {
  readonly subscriptionId: string
  readonly userId: string
  readonly ordinal: number
  readonly usableFrom: Date
  readonly usableUntil: Date
}

/** Idempotent. Held for 14 days if the member withdrew from another membership within the year before joining. */
export async function insertGrants(db: Db, grants: readonly Grant[]): Promise<void> {
  if (grants.length === 0) return
  const { rows } = await db.execute<{ withdrawn: string | Date | null; held: string | Date | null }>(sql`
    select s.withdrawn_at as withdrawn, case when exists (
        select from subscriptions w where w.user_id = s.user_id and w.id <> s.id
          and w.withdrawn_at > s.ordered_at - interval '12 months')
      then s.ordered_at + interval '14 days' end as held
    from subscriptions s where s.id = ${grants[0]!.subscriptionId}::uuid`)
  const dateOf = (at: string | Date | null | undefined) => (at ? new Date(at) : null)
  const [revokedAt, heldUntil] = [dateOf(rows[0]?.withdrawn), dateOf(rows[0]?.held)]
  await db
    .insert(credits)
    .values(grants.map((grant) => ({ ...grant, revokedAt, heldUntil })))
    .onConflictDoNothing()
}

export async function deleteGrantsFrom(db: Db, subscriptionId: string, from: Date): Promise<void> {
  await db
    .delete(credits)
    .where(
      and(eq(credits.subscriptionId, subscriptionId), isNull(credits.spentAt), gte(credits.usableFrom, from)),
    )
}

/** Revokes the unspent credits of all months that the span overlaps; null as `at` restores them. */
export async function revokeCredits(
  db: Db,
  subscriptionId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
  at: BusinessTime | null,
): Promise<void> {
  await db
    .update(credits)
    .set({ revokedAt: at })
    .where(
      and(
        eq(credits.subscriptionId, subscriptionId),
        isNull(credits.spentAt),
        gt(credits.usableUntil, from),
        lt(credits.usableFrom, until),
      ),
    )
}

export function selectGrants(
  db: Db,
  subscriptionId: string,
  { lock }: { readonly lock?: boolean | undefined },
): Promise<(typeof credits.$inferSelect)[]> {
  const grants = db.select().from(credits).where(eq(credits.subscriptionId, subscriptionId)).limit(1000)
  return lock ? grants.for('update') : grants
}

export async function selectHeldUntil(db: Db, userId: string, now: BusinessTime): Promise<Date | null> {
  const [row] = await db
    .select({ at: credits.heldUntil })
    .from(credits)
    .where(
      and(
        eq(credits.userId, userId),
        isNull(credits.spentAt),
        isNull(credits.revokedAt),
        gt(credits.heldUntil, now),
        gt(credits.usableUntil, credits.heldUntil),
      ),
    )
    .orderBy(credits.heldUntil)
    .limit(1)
  return row?.at ?? null
}

export async function spendCredit(db: Db, userId: string, bookId: number, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update credits set spent_at = ${now.toISOString()}::timestamptz, book_id = ${bookId}
    where id = (select id from credits where user_id = ${userId}::uuid and spent_at is null and revoked_at is null
        and usable_from <= ${now.toISOString()}::timestamptz and usable_until > ${now.toISOString()}::timestamptz
        and (held_until is null or held_until <= ${now.toISOString()}::timestamptz)
      order by usable_until, id limit 1 for update skip locked)
      and spent_at is null
    returning id`)
  return rows.length > 0
}

/** @returns until when it can be spent again; null if no credit was spent on the title */
export async function unspendCredit(
  tx: Db,
  userId: string,
  bookId: number,
  untilAtLeast: Date,
): Promise<Date | null> {
  const [row] = await tx
    .update(credits)
    .set({
      spentAt: null,
      bookId: null,
      usableUntil: sql`greatest(${credits.usableUntil}, ${untilAtLeast.toISOString()}::timestamptz)`,
    })
    .where(and(eq(credits.userId, userId), eq(credits.bookId, bookId)))
    .returning({ until: credits.usableUntil })
  return row?.until ?? null
}

export async function insertOwnersCredits(
  db: Db,
  {
    userId,
    ids,
    from,
    until,
  }: {
    readonly userId: string
    readonly ids: readonly string[]
    readonly from: Date
    readonly until: Date
  },
): Promise<void> {
  await db.insert(credits).values(ids.map((id) => ({ id, userId, usableFrom: from, usableUntil: until })))
}

export const selectCredits = (db: Db, ids: readonly string[]): Promise<(typeof credits.$inferSelect)[]> =>
  db
    .select()
    .from(credits)
    .where(inArray(credits.id, [...ids]))
    .limit(100)

/** Returns how many were unused, and so could be taken back. */
export async function revokeOwnersCredits(
  db: Db,
  { userId, ids }: { readonly userId: string; readonly ids: readonly string[] },
  now: BusinessTime,
): Promise<number> {
  const revoked = await db
    .update(credits)
    .set({ revokedAt: now })
    .where(
      and(
        eq(credits.userId, userId),
        inArray(credits.id, [...ids]),
        isNull(credits.spentAt),
        isNull(credits.revokedAt),
      ),
    )
    .returning({ id: credits.id })
  return revoked.length
}

export interface Lapsing {
  readonly userId: string
  readonly until: Date
  readonly left: number
}

export async function selectLapsing(
  db: Db,
  { now, until }: { readonly now: BusinessTime; readonly until: Date },
  { after, limit }: Page,
): Promise<Lapsing[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<{ user_id: string; until: string | Date; left: number }>(sql`
    select user_id, min(usable_until) as until, count(*)::int as left
    from credits join users u on u.id = user_id and u.choice_emails
    where spent_at is null and revoked_at is null
      and usable_until > ${at} and usable_until <= ${until.toISOString()}::timestamptz
      and usable_from <= ${at} and (held_until is null or held_until <= ${at})
      and (${after}::uuid is null or user_id > ${after}::uuid)
    group by user_id order by user_id limit ${limit}`)
  return rows.map((row) => ({ userId: row.user_id, until: new Date(row.until), left: row.left }))
}

/** A month of a membership that has begun, with the free audiobooks that are left of it. */
export interface BegunMonth {
  readonly userId: string
  readonly subscriptionId: string
  readonly from: Date
  readonly until: Date
  readonly left: number
}

const monthsOf = (plans: readonly PlanId[]) => sql`
  from credits c join subscriptions s on s.id = c.subscription_id
  where c.revoked_at is null and s.status = 'active'
    and (s.gift or s.plan = any(${sql.param([...plans])}::int[]))
    and c.usable_from > s.period_start`

/** One for each account, the latest, also if everything is spent. The first month of a period has the email about its payment or its gift. */
export async function selectBegunMonths(
  db: Db,
  {
    now,
    until,
    plans,
  }: { readonly now: BusinessTime; readonly until: Date; readonly plans: readonly PlanId[] },
  { after, limit }: Page,
): Promise<BegunMonth[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<{
    user_id: string
    subscription_id: string
    from: string | Date
    until: string | Date
    left: number
  }>(sql`
    select distinct on (c.user_id) c.user_id, c.subscription_id, c.usable_from as from, min(c.usable_until) as until,
      count(*) filter (where c.spent_at is null)::int as left
    ${monthsOf(plans)}
      and c.usable_from <= ${at} and c.usable_until > ${until.toISOString()}::timestamptz
      and (c.held_until is null or c.held_until <= ${at})
      and (${after}::uuid is null or c.user_id > ${after}::uuid)
    group by c.user_id, c.subscription_id, c.usable_from
    order by c.user_id, c.usable_from desc limit ${limit}`)
  return rows.map((row) => ({
    userId: row.user_id,
    subscriptionId: row.subscription_id,
    from: new Date(row.from),
    until: new Date(row.until),
    left: row.left,
  }))
}

export async function selectNextMonth(
  db: Db,
  plans: readonly PlanId[],
  after: BusinessTime,
): Promise<Date | null> {
  const { rows } = await db.execute<{ from: string | Date | null }>(sql`
    select min(c.usable_from) as from ${monthsOf(plans)} and c.spent_at is null and c.usable_from > ${after.toISOString()}::timestamptz`)
  const from = rows[0]?.from ?? null
  return from === null ? null : new Date(from)
}

export async function selectNextLapsing(db: Db, after: Date): Promise<Date | null> {
  const { rows } = await db.execute<{ until: string | Date | null }>(sql`
    select min(usable_until) as until from credits
    where spent_at is null and revoked_at is null and usable_until > ${after.toISOString()}::timestamptz`)
  const until = rows[0]?.until ?? null
  return until === null ? null : new Date(until)
}
