import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { BusinessTime } from '../../clock.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { membershipGifts } from '../../db/schema/gifts.ts'
import { RUNNING_STATES, credits, subscriptionInvoices, subscriptions } from '../../db/schema/membership.ts'
import type { Membership } from './entitlement.ts'
import { usable } from './credit-queries.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type NewSubscription = typeof subscriptions.$inferInsert

/** Newest first. Excludes gifts that are not claimed: they belong to no account. */
export const selectSubscriptions = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.orderedAt))
    .limit(1000)

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

export async function selectAnySubscription(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

/** Not over yet, newest first, including gifts and free ones. */
export const selectRunning = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, [...RUNNING_STATES])))
    .orderBy(desc(subscriptions.orderedAt))
    .limit(20)

export async function lockSubscriptionRow(tx: Db, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  return row
}

export async function insertSubscriptionRow(db: Db, row: NewSubscription): Promise<SubscriptionRow> {
  const [inserted] = await db.insert(subscriptions).values(row).returning()
  return inserted!
}

/** Undefined if the row is in another state than those in `follows`; null allows any state. */
export async function updateSubscriptionRow(
  db: Db,
  id: string,
  change: Partial<NewSubscription>,
  follows: readonly SubscriptionRow['status'][] | null,
): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .update(subscriptions)
    .set(change)
    .where(
      and(
        eq(subscriptions.id, id),
        follows === null ? undefined : inArray(subscriptions.status, [...follows]),
      ),
    )
    .returning()
  return row
}

/** By the database's clock, which all servers share. */
export async function updateCheckedAt(db: Db, id: string): Promise<void> {
  await db
    .update(subscriptions)
    .set({ checkedAt: sql`clock_timestamp()` })
    .where(eq(subscriptions.id, id))
}

/** Newest first. */
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

/** By the provider's `in_…`. */
export async function selectInvoice(db: Db, invoiceId: string) {
  const [row] = await db
    .select({
      subscriptionId: subscriptionInvoices.subscriptionId,
      orderId: subscriptionInvoices.orderId,
      until: subscriptionInvoices.periodEnd,
    })
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.invoiceId, invoiceId))
  return row
}

interface ExistingRow extends Record<string, unknown> {
  user_id: string
  /** Null in the row that marks a usable credit. */
  plan: number | null
  status: string
  /** In milliseconds, which are cheaper to parse than dates. */
  valid_until: number
  payment_failed_at: number | null
  suspended_at: number | null
  provider_id: string | null
  canceled_at: number | null
}

interface Benefits {
  hasCredit: boolean
  /** Newest first. */
  readonly memberships: Membership[]
}

/**
 * What decides the benefits of accounts, in one statement for all of them. Omits accounts without memberships and
 * credits.
 */
export async function selectBenefits(
  db: Db,
  userIds: readonly string[],
  now: BusinessTime,
): Promise<Map<string, Benefits>> {
  // A single array parameter, so that the statement text is the same for any number of accounts.
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
  const known = new Map<string, Benefits>()
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

/**
 * Locks an account until the transaction ends: one join, claim or start of a gift at a time. Lock it before its
 * memberships.
 */
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
      confirmedAt: users.confirmedAt,
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

export async function nextWaitingGift(db: Db, userId: string) {
  const [row] = await waitingGiftOf(db, userId)
  return row
}

/** The same, locked, because it may be refunded at the same time. */
export async function lockNextWaitingGift(tx: Db, userId: string) {
  const [row] = await waitingGiftOf(tx, userId).for('update')
  return row
}

const waitingGiftOf = (db: Db, userId: string) =>
  db
    .select({
      id: membershipGifts.id,
      plan: membershipGifts.plan,
      months: membershipGifts.months,
      giverName: membershipGifts.giverName,
      claimedAt: sql<Date>`${membershipGifts.claimedAt}`.mapWith(membershipGifts.claimedAt),
    })
    .from(membershipGifts)
    .where(and(eq(membershipGifts.claimedBy, userId), ...waits))
    .orderBy(asc(membershipGifts.claimedAt), asc(membershipGifts.id))
    .limit(1)

export async function selectWaitingAccounts(db: Db, { after, limit }: Page): Promise<string[]> {
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

export async function selectInvoiceOf(db: Db, orderId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ invoiceId: subscriptionInvoices.invoiceId })
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.orderId, orderId))
  return row?.invoiceId
}

export async function insertClaimedGift(
  tx: Db,
  gift: Omit<
    typeof membershipGifts.$inferInsert,
    'paidMinor' | 'givenAt' | 'deliverAt' | 'sentAt' | 'claimedAt'
  >,
  at: BusinessTime,
): Promise<void> {
  await tx
    .insert(membershipGifts)
    .values({ ...gift, paidMinor: 0, givenAt: at, deliverAt: at, sentAt: at, claimedAt: at })
}

export async function noteBegun(
  tx: Db,
  id: string,
  begun: { readonly subscriptionId: string; readonly begunAt: Date },
): Promise<void> {
  await tx.update(membershipGifts).set(begun).where(eq(membershipGifts.id, id))
}

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
