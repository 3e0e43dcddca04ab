import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { membershipGifts } from '../../db/schema/membership-gifts.ts'
import { credits, subscriptionInvoices, subscriptions } from '../../db/schema/membership.ts'
import type { Membership } from './entitlement.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

/** Newest first; a gift that nobody claimed belongs to no account and is not among them. */
export const selectSubscriptions = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.orderedAt))
    .limit(1000)

/** One of an account's; undefined for everybody else's. */
export async function selectSubscription(
  db: Db,
  userId: string,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.userId, userId)))
  return row
}

/** The times that a membership's invoices paid for, each with its order. */
export const selectPaidPeriods = (db: Db, subscriptionId: string) =>
  db
    .select({
      invoiceId: subscriptionInvoices.invoiceId,
      orderId: subscriptionInvoices.orderId,
      from: subscriptionInvoices.periodStart,
      until: subscriptionInvoices.periodEnd,
    })
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.subscriptionId, subscriptionId))
    .orderBy(desc(subscriptionInvoices.periodStart))
    .limit(500)

/** The credit that is spent next, since it ends first: when, and what granted it; undefined where none is usable. */
export async function selectNextCredit(db: Db, userId: string, now: Date) {
  const [row] = await db
    .select({ until: credits.usableUntil, subscriptionId: credits.subscriptionId })
    .from(credits)
    .where(and(eq(credits.userId, userId), ...usable(now)))
    .orderBy(credits.usableUntil, credits.id)
    .limit(1)
  return row
}

/** Granted for a month that has begun and not ended, neither spent nor taken back. */
const usable = (now: Date) => [
  isNull(credits.spentAt),
  isNull(credits.revokedAt),
  lte(credits.usableFrom, now),
  gt(credits.usableUntil, now),
  or(isNull(credits.heldUntil), lte(credits.heldUntil, now)),
]

export async function countUsableCredits(db: Db, userId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ usable: count() })
    .from(credits)
    .where(and(eq(credits.userId, userId), ...usable(now)))
  return row?.usable ?? 0
}

interface ExistingRow extends Record<string, unknown> {
  user_id: string
  /** Null for the line that says that a credit can be used. */
  plan: number | null
  status: string
  /** Milliseconds, which cost less to read than dates. */
  valid_until: number
  payment_failed_at: number | null
  suspended_at: number | null
  provider_id: string | null
  canceled_at: number | null
}

interface Standings {
  hasCredit: boolean
  /** Newest first. */
  readonly memberships: Membership[]
}

/** The facts that decide how accounts stand; one statement, however many ask. An account with neither is left out. */
export async function selectStandings(
  db: Db,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, Standings>> {
  // One parameter however many accounts, so that the statement stays the same.
  const asked = sql.param([...new Set(userIds)])
  const ms = (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`
  const { rows } = await db.execute<ExistingRow>(sql`
    select s.user_id, s.plan, s.status, ${ms('s.valid_until')} as valid_until,
      ${ms('s.payment_failed_at')} as payment_failed_at, ${ms('s.suspended_at')} as suspended_at,
      s.provider_id, ${ms('s.canceled_at')} as canceled_at, s.ordered_at
    from subscriptions s where s.user_id = any(${asked}::uuid[]) and s.withdrawn_at is null
    union all
    select a.id, null, '', 0, null, null, null, null, null from unnest(${asked}::uuid[]) as a(id)
    where exists (select from ${credits} where ${and(sql`${credits.userId} = a.id`, ...usable(now))})
    order by ordered_at desc`)
  const known = new Map<string, Standings>()
  for (const row of rows) {
    let of = known.get(row.user_id)
    if (!of) known.set(row.user_id, (of = { hasCredit: false, memberships: [] }))
    if (row.plan === null) of.hasCredit = true
    else of.memberships.push(membershipOf(row, row.plan))
  }
  return known
}

const membershipOf = (row: ExistingRow, plan: number): Membership => ({
  plan,
  status: row.status,
  validUntil: new Date(row.valid_until),
  paymentFailedAt: instantOf(row.payment_failed_at),
  suspendedAt: instantOf(row.suspended_at),
  providerId: row.provider_id,
  canceledAt: instantOf(row.canceled_at),
})

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

export async function insertSubscription(db: Db, row: typeof subscriptions.$inferInsert): Promise<string> {
  const [inserted] = await db.insert(subscriptions).values(row).returning({ id: subscriptions.id })
  if (!inserted) throw new Error('The subscription was not stored')
  return inserted.id
}

export interface Grant {
  readonly subscriptionId: string
  readonly userId: string
  readonly ordinal: number
  readonly usableFrom: Date
  readonly usableUntil: Date
}

/**
 * Each once: the same month's grant again changes nothing. Free audiobooks of a membership that its member has
 * withdrawn from cannot be taken, and who withdrew from another one within a year gets them after 14 days
 * (docs/product.md, Memberships).
 */
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

/** Those of a membership that are neither spent nor begun at `from`. They were promised by a plan that is left. */
export async function deleteGrantsFrom(db: Db, subscriptionId: string, from: Date): Promise<void> {
  await db
    .delete(credits)
    .where(
      and(eq(credits.subscriptionId, subscriptionId), isNull(credits.spentAt), gte(credits.usableFrom, from)),
    )
}

/**
 * Takes back what is not spent of the months that a span touches: what an upgrade paid for begins in the middle of one. Null
 * gives it back.
 */
export async function revokeGrants(
  db: Db,
  subscriptionId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
  at: Date | null,
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

/** The free audiobooks that a membership granted, for the sum that comes back at a withdrawal. */
export function selectGrants(
  db: Db,
  subscriptionId: string,
  { lock }: { readonly lock: boolean },
): Promise<(typeof credits.$inferSelect)[]> {
  const grants = db.select().from(credits).where(eq(credits.subscriptionId, subscriptionId)).limit(1000)
  return lock ? grants.for('update') : grants
}

/** When the first of those comes that are held back; null where none is. */
export async function selectHeldUntil(db: Db, userId: string, now: Date): Promise<Date | null> {
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

/** Spends the credit that ends first; false where none is usable. Never the same one twice. */
export async function spendOneCredit(db: Db, userId: string, bookId: number, now: Date): Promise<boolean> {
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

/** Until the transaction ends nobody else joins, claims or begins for this account. */
export async function lockAccountRow(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`membership:${userId}`}, 0))`)
}

export async function selectMember(db: Db, userId: string) {
  const [row] = await db
    .select({
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      country: users.countryCode,
    })
    .from(users)
    .where(eq(users.id, userId))
  return row
}

const waits = [
  isNotNull(membershipGifts.claimedAt),
  isNull(membershipGifts.begunAt),
  isNull(membershipGifts.revokedAt),
  isNull(membershipGifts.suspendedAt),
]

/** The gift that an account claimed first of those that wait. */
export async function nextWaitingGift(db: Db, userId: string) {
  const [row] = await waitingGiftOf(db, userId)
  return row
}

/** The same, locked: its money may be going back at this moment. */
export async function lockNextWaitingGift(tx: Db, userId: string) {
  const [row] = await waitingGiftOf(tx, userId).for('update')
  return row
}

const waitingGiftOf = (db: Db, userId: string) =>
  db
    .select({
      id: membershipGifts.id,
      plan: membershipGifts.plan,
      giverName: membershipGifts.giverName,
      claimedAt: sql<Date>`${membershipGifts.claimedAt}`.mapWith(membershipGifts.claimedAt),
    })
    .from(membershipGifts)
    .where(and(eq(membershipGifts.claimedBy, userId), ...waits))
    .orderBy(asc(membershipGifts.claimedAt), asc(membershipGifts.id))
    .limit(1)

/** A page of the accounts for which a gift waits. */
export async function selectWaitingAccounts(db: Db, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: membershipGifts.claimedBy })
    .from(membershipGifts)
    .where(
      and(
        isNotNull(membershipGifts.claimedBy),
        ...waits,
        after === null ? undefined : gt(membershipGifts.claimedBy, after),
      ),
    )
    .orderBy(asc(membershipGifts.claimedBy))
    .limit(limit)
  return rows.flatMap(({ userId }) => (userId === null ? [] : [userId]))
}

export async function noteBegun(
  tx: Db,
  id: string,
  begun: { readonly subscriptionId: string; readonly begunAt: Date },
): Promise<void> {
  await tx.update(membershipGifts).set(begun).where(eq(membershipGifts.id, id))
}

/** The price paid for a membership that was given; undefined for every other one. */
export async function selectGiftCharge(db: Db, subscriptionId: string) {
  const [row] = await db
    .select({
      paidMinor: membershipGifts.paidMinor,
      paidAt: membershipGifts.givenAt,
      orderId: membershipGifts.orderId,
    })
    .from(membershipGifts)
    .where(eq(membershipGifts.subscriptionId, subscriptionId))
  return row
}
