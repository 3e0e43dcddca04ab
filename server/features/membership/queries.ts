import type { BusinessTime } from '../../clock.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { membershipGifts } from '../../db/schema/gifts.ts'
import { UNENDED_STATES, subscriptionInvoices, subscriptions } from '../../db/schema/membership.ts'
import { type Charge, selectCharges } from '../orders/queries.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

export type NewSubscription = typeof subscriptions.$inferInsert

/** Excludes unclaimed gifts: they belong to no account. */
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

export const selectUnended = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, [...UNENDED_STATES])))
    .orderBy(desc(subscriptions.orderedAt))
    .limit(20)

export async function lockSubscription(tx: Db, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
  return row
}

export async function insertSubscription(db: Db, row: NewSubscription): Promise<SubscriptionRow> {
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

/** One join, claim or start of a gift at a time. Lock the account before its memberships. */
export async function lockAccount(tx: Db, userId: string): Promise<void> {
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
      choiceEmails: users.choiceEmails,
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

export async function updateGiftBegun(
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

export async function insertInvoice(
  db: Db,
  invoice: typeof subscriptionInvoices.$inferInsert,
): Promise<void> {
  await db.insert(subscriptionInvoices).values(invoice)
}

export interface Invoice extends Charge {
  readonly invoiceId: string
  readonly from: Date
  readonly until: Date
}

export async function invoicesFor(db: Db, subscriptionId: string): Promise<Invoice[]> {
  const periods = new Map(
    (await selectPaidPeriods(db, subscriptionId)).map(({ orderId, ...period }) => [orderId, period]),
  )
  return (await selectCharges(db, [...periods.keys()])).map((charge) => ({
    ...charge,
    ...periods.get(charge.orderId)!,
  }))
}
