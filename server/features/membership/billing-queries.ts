import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { DAY_MS } from '#contract/durations.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import {
  customers,
  leavingAnswers,
  membershipSecrets,
  RUNNING_STATES,
  subscriptionInvoices,
  subscriptions,
  trials,
} from '../../db/schema/membership.ts'
import type { SubscriptionRow } from './queries.ts'

/** Finds a membership by the provider's `sub_…`. */
export async function selectByProvider(
  db: Db,
  providerId: string,
): Promise<Pick<SubscriptionRow, 'id' | 'suspendedAt' | 'nextMinor' | 'quotedFor'> | undefined> {
  const { id, suspendedAt, nextMinor, quotedFor } = subscriptions
  const [row] = await db
    .select({ id, suspendedAt, nextMinor, quotedFor })
    .from(subscriptions)
    .where(eq(subscriptions.providerId, providerId))
  return row
}

/** Selects superseded joins, of an account or of all, that the provider may not have ended. */
export const selectSuperseded = (
  db: Db,
  { userId, after, limit }: Page & { readonly userId: string | null },
): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.supersededAt),
        isNull(subscriptions.endedAt),
        userId === null ? undefined : eq(subscriptions.userId, userId),
        after === null ? undefined : gt(subscriptions.id, after),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(limit)

/** Its user, its state, whether another membership replaced it, and whether it started as a trial. */
export async function selectReservation(
  db: Db,
  id: string,
): Promise<Pick<SubscriptionRow, 'id' | 'userId' | 'status' | 'supersededAt' | 'trialEndsAt'> | undefined> {
  const { userId, status, supersededAt, trialEndsAt } = subscriptions
  const [row] = await db
    .select({ id: subscriptions.id, userId, status, supersededAt, trialEndsAt })
    .from(subscriptions)
    .where(eq(subscriptions.id, id))
  return row
}

/** A number for who is about to ask the provider, higher than all before it on any server. */
export async function nextSettlement(db: Db): Promise<number> {
  const { rows } = await db.execute<{ number: string }>(sql`select nextval('settlements') as number`)
  return Number(rows[0]!.number)
}

/** As text, since a `Date` would lose what is less than a millisecond. */
export async function selectNow(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`)
  return rows[0]!.now
}

/** Those that the provider knows, that are not over and were not asked about since; the longest unasked first. */
export const selectUnchecked = (db: Db, since: string, limit: number) =>
  db
    .select({ id: subscriptions.id, providerId: subscriptions.providerId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.providerId),
        inArray(subscriptions.status, [...RUNNING_STATES]),
        or(isNull(subscriptions.checkedAt), sql`${subscriptions.checkedAt} < ${since}::timestamptz`),
      ),
    )
    .orderBy(sql`${subscriptions.checkedAt} asc nulls first`, asc(subscriptions.id))
    .limit(limit)

/** Selects memberships that are over here and of which the provider says something else. */
export const selectContradicted = (db: Db, limit: number) =>
  db
    .select({ id: subscriptions.id, providerId: subscriptions.providerId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.contradictedAt),
        isNotNull(subscriptions.providerId),
        inArray(subscriptions.status, ['canceled', 'incomplete_expired']),
      ),
    )
    .orderBy(asc(subscriptions.contradictedAt))
    .limit(limit)

/** Selects memberships that somebody has withdrawn from and that the provider has not ended. */
export const selectWithdrawing = (db: Db, limit: number): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.withdrawnAt),
        sql`${subscriptions.status} <> 'canceled'`,
        sql`${subscriptions.status} <> 'incomplete_expired'`,
      ),
    )
    .orderBy(desc(subscriptions.withdrawnAt), asc(subscriptions.id))
    .limit(limit)

/** Selects memberships of closed accounts whose means of payment the provider still knows. */
export const selectClosedAccounts = (db: Db, limit: number): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        isNull(subscriptions.userId),
        isNotNull(subscriptions.providerId),
        isNull(subscriptions.forgottenAt),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(limit)

/** Selects memberships that lost their benefits to a dispute after `since`. */
export const selectSuspended = (db: Db, since: Date): Promise<{ id: string }[]> =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(isNotNull(subscriptions.providerId), gt(subscriptions.suspendedAt, since)))
    .orderBy(desc(subscriptions.suspendedAt))
    .limit(1000)

export type StoredSecret = typeof membershipSecrets.$inferSelect & { readonly userId: string | null }

export async function insertSecret(db: Db, secret: typeof membershipSecrets.$inferInsert): Promise<void> {
  await db.insert(membershipSecrets).values(secret).onConflictDoNothing()
}

export async function selectSecret(db: Db, id: string): Promise<StoredSecret | undefined> {
  const [row] = await db
    .select({ secret: membershipSecrets, userId: subscriptions.userId })
    .from(membershipSecrets)
    .innerJoin(subscriptions, eq(subscriptions.id, membershipSecrets.subscriptionId))
    .where(eq(membershipSecrets.id, id))
  return row && { ...row.secret, userId: row.userId }
}

export async function insertLeavingAnswer(db: Db, row: typeof leavingAnswers.$inferInsert): Promise<void> {
  await db.insert(leavingAnswers).values(row)
}

export async function selectCustomer(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ customerId: customers.customerId })
    .from(customers)
    .where(eq(customers.userId, userId))
  return row?.customerId ?? null
}

/** The account's own; the first one that was noted stays. */
export async function insertCustomer(db: Db, customer: typeof customers.$inferInsert): Promise<void> {
  await db.insert(customers).values(customer).onConflictDoNothing()
}

const NAME = sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`

/** Those who are called something else than the provider knows. */
export const selectUnsynced = (db: Db, { after, limit }: Page) =>
  db
    .select({
      userId: customers.userId,
      customerId: customers.customerId,
      email: users.email,
      name: NAME,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.userId))
    .where(
      and(
        sql`(${customers.syncedEmail}, ${customers.syncedName}) is distinct from (${users.email}, ${NAME})`,
        after === null ? undefined : gt(customers.userId, after),
      ),
    )
    .orderBy(asc(customers.userId))
    .limit(limit)

export async function noteSynced(
  db: Db,
  userId: string,
  synced: { readonly syncedEmail: string; readonly syncedName: string },
): Promise<void> {
  await db.update(customers).set(synced).where(eq(customers.userId, userId))
}

export async function selectUserOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: customers.userId })
    .from(customers)
    .where(eq(customers.customerId, customerId))
  return row?.userId ?? null
}

/** True if one of these had a trial that was not this one. */
export async function hadTrial(db: Db, hashes: readonly string[], but: string | null): Promise<boolean> {
  const rows = await db
    .select({ subscriptionId: trials.subscriptionId })
    .from(trials)
    .where(inArray(trials.hash, [...hashes]))
  return rows.some(({ subscriptionId }) => subscriptionId === null || subscriptionId !== but)
}

/** True if this membership started as a trial. */
export async function hasBegunTrial(db: Db, subscriptionId: string): Promise<boolean> {
  const rows = await db
    .select({ hash: trials.hash })
    .from(trials)
    .where(eq(trials.subscriptionId, subscriptionId))
    .limit(1)
  return rows.length > 0
}

export async function insertTrials(
  db: Db,
  hashes: readonly string[],
  subscriptionId: string,
  begunAt: Date,
): Promise<void> {
  await db
    .insert(trials)
    .values(hashes.map((hash) => ({ hash, subscriptionId, begunAt })))
    .onConflictDoNothing()
}

/** It never began. */
export async function deleteTrial(db: Db, subscriptionId: string): Promise<void> {
  await db.delete(trials).where(eq(trials.subscriptionId, subscriptionId))
}

export async function insertInvoice(
  db: Db,
  invoice: typeof subscriptionInvoices.$inferInsert,
): Promise<void> {
  await db.insert(subscriptionInvoices).values(invoice)
}

/** The orders that a subscription's invoices became, by invoice. */
export async function selectInvoiceOrders(db: Db, subscriptionId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ invoiceId: subscriptionInvoices.invoiceId, orderId: subscriptionInvoices.orderId })
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.subscriptionId, subscriptionId))
  return new Map(rows.map(({ invoiceId, orderId }) => [invoiceId, orderId]))
}

export type SoldInvoice = typeof subscriptionInvoices.$inferSelect

export async function selectInvoice(db: Db, invoiceId: string): Promise<SoldInvoice | undefined> {
  const [row] = await db
    .select()
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.invoiceId, invoiceId))
  return row
}

/** The charges of a membership, each with its time. */
export const selectInvoices = (db: Db, subscriptionId: string): Promise<SoldInvoice[]> =>
  db
    .select()
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.subscriptionId, subscriptionId))
    .orderBy(desc(subscriptionInvoices.periodStart))
    .limit(1000)

const inDays = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS)
const isBetween = (column: PgColumn, after: Date, until: Date) => and(gt(column, after), lte(column, until))

/** Memberships that the calendar looks for. */
const DUE = {
  /** Given, or paid whole by a code: nobody renews them, so they end by the calendar. */
  lapsed: (now: Date) => [
    eq(subscriptions.status, 'active'),
    isNull(subscriptions.providerId),
    lt(subscriptions.validUntil, now),
    or(eq(subscriptions.gift, true), isNull(subscriptions.paymentType)),
  ],
  trialEnding: (now: Date) => [
    eq(subscriptions.status, 'trialing'),
    isNull(subscriptions.canceledAt),
    isBetween(subscriptions.trialEndsAt, now, inDays(now, 7)),
  ],
  /** Given, or paid whole by a code, and it ends soon. */
  freeEnding: (now: Date) => [
    eq(subscriptions.status, 'active'),
    isNull(subscriptions.providerId),
    or(eq(subscriptions.gift, true), isNotNull(subscriptions.couponCode)),
    isBetween(subscriptions.validUntil, now, inDays(now, 7)),
  ],
  renewing: (now: Date) => [
    eq(subscriptions.status, 'active'),
    isNotNull(subscriptions.providerId),
    isNull(subscriptions.canceledAt),
    isBetween(subscriptions.periodEnd, now, inDays(now, 14)),
  ],
  /** The days of grace are nearly over, and the payment is still open. */
  graceEnding: (now: Date) => [
    eq(subscriptions.status, 'past_due'),
    isBetween(subscriptions.paymentFailedAt, inDays(now, -7), inDays(now, -5)),
  ],
}
export type Due = keyof typeof DUE

/** A page of those that are due; the next one begins after the last of this one. */
export const selectDue = (
  db: Db,
  due: Due,
  { now, after, limit }: Page & { readonly now: Date },
): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(and(...DUE[due](now), after === null ? undefined : gt(subscriptions.id, after)))
    .orderBy(asc(subscriptions.id))
    .limit(limit)

/** When the calendar has something to do next, after `now`; what is due already is left out. */
export async function selectNextDue(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string | Date | null }>(sql`
    select min(due.at) as at
    from subscriptions s, lateral (values
      (case when s.status = 'active' and s.provider_id is null and (s.gift or s.payment_type is null)
        then s.valid_until + interval '1 millisecond' end),
      (case when s.status = 'active' and s.provider_id is null and s.coupon_code is not null
        then s.valid_until - interval '7 days' end),
      (case when s.status = 'trialing' and s.canceled_at is null then s.trial_ends_at - interval '7 days' end),
      (case when s.status = 'trialing' and s.canceled_at is null then s.trial_ends_at - interval '3 days' end),
      (case when s.status = 'active' and s.provider_id is not null and s.canceled_at is null
        then s.period_end - interval '14 days' end),
      (case when s.status = 'past_due' then s.payment_failed_at + interval '5 days' end)
    ) due (at)
    where due.at > ${now.toISOString()}::timestamptz`)
  const at = rows[0]?.at ?? null
  return at === null ? null : new Date(at)
}
