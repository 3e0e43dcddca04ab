import type { BusinessTime } from '../../clock.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { DAY_MS } from '#contract/durations.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { isDue, lastTried } from '../../due-work/queries.ts'
import { users } from '../../db/schema/accounts.ts'
import {
  customers,
  leavingAnswers,
  membershipSecrets,
  UNENDED_STATES,
  subscriptionInvoices,
  subscriptions,
  trials,
} from '../../db/schema/membership.ts'
import type { SubscriptionRow } from './queries.ts'

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

/** Superseded joins that may still be running at the provider. A `userId` of null selects those of all accounts. */
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

/** Takes the number of a provider query, higher than all earlier ones on any server. Call it before querying. */
export async function nextSyncNumber(db: Db): Promise<number> {
  const { rows } = await db.execute<{ number: string }>(sql`select nextval('settlements') as number`)
  return Number(rows[0]!.number)
}

/** As text: a `Date` would lose the microseconds. */
export async function selectNow(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`)
  return rows[0]!.now
}

export const selectUnchecked = (db: Db, since: string, limit: number) =>
  db
    .select({ id: subscriptions.id, providerId: subscriptions.providerId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.providerId),
        inArray(subscriptions.status, [...UNENDED_STATES]),
        or(isNull(subscriptions.checkedAt), sql`${subscriptions.checkedAt} < ${since}::timestamptz`),
      ),
    )
    .orderBy(sql`${subscriptions.checkedAt} asc nulls first`, asc(subscriptions.id))
    .limit(limit)

export const selectContradicted = (db: Db, { after, limit }: Page) =>
  db
    .select({ id: subscriptions.id, providerId: subscriptions.providerId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.contradictedAt),
        isNotNull(subscriptions.providerId),
        inArray(subscriptions.status, ['canceled', 'incomplete_expired']),
        after === null ? undefined : gt(subscriptions.id, after),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(limit)

export const selectWithdrawing = (db: Db, now: BusinessTime, limit: number): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.withdrawal, 'recorded'),
        // The condition of the index, and always true for these.
        isNotNull(subscriptions.withdrawnAt),
        sql`${subscriptions.status} <> 'canceled'`,
        isDue('withdrawal', subscriptions.id, now),
      ),
    )
    .orderBy(
      lastTried('withdrawal', subscriptions.id),
      desc(subscriptions.withdrawnAt),
      asc(subscriptions.id),
    )
    .limit(limit)

export const selectClosedAccounts = (db: Db, now: BusinessTime, limit: number): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        isNull(subscriptions.userId),
        isNotNull(subscriptions.providerId),
        isNull(subscriptions.forgottenAt),
        isDue('closed-account', subscriptions.id, now),
      ),
    )
    .orderBy(lastTried('closed-account', subscriptions.id), asc(subscriptions.id))
    .limit(limit)

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

export async function insertCustomer(db: Db, customer: typeof customers.$inferInsert): Promise<void> {
  await db.insert(customers).values(customer).onConflictDoNothing()
}

const NAME = sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`

/** Customers whose email or name differs from the provider's copy. */
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

export async function updateSynced(
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

/** True if one of the hashes was used for a trial, not counting the trial of membership `but`. */
export async function hadTrial(db: Db, hashes: readonly string[], but: string | null): Promise<boolean> {
  const rows = await db
    .select({ subscriptionId: trials.subscriptionId })
    .from(trials)
    .where(inArray(trials.hash, [...hashes]))
  return rows.some(({ subscriptionId }) => subscriptionId === null || subscriptionId !== but)
}

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
  begunAt: BusinessTime,
): Promise<void> {
  await db
    .insert(trials)
    .values(hashes.map((hash) => ({ hash, subscriptionId, begunAt })))
    .onConflictDoNothing()
}

/** Only for a trial that never started. */
export async function deleteTrial(db: Db, subscriptionId: string): Promise<void> {
  await db.delete(trials).where(eq(trials.subscriptionId, subscriptionId))
}

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

export const selectInvoices = (db: Db, subscriptionId: string): Promise<SoldInvoice[]> =>
  db
    .select()
    .from(subscriptionInvoices)
    .where(eq(subscriptionInvoices.subscriptionId, subscriptionId))
    .orderBy(desc(subscriptionInvoices.periodStart))
    .limit(1000)

const inDays = (now: BusinessTime, days: number) => new Date(now.getTime() + days * DAY_MS)

const isBetween = (column: PgColumn, after: Date, until: Date) => and(gt(column, after), lte(column, until))

const DUE = {
  /** Gifts, and memberships that a code paid in full: the provider does not renew them, so the schedule ends them. */
  lapsed: (now: BusinessTime) => [
    eq(subscriptions.status, 'active'),
    isNull(subscriptions.providerId),
    lt(subscriptions.validUntil, now),
    or(eq(subscriptions.gift, true), isNull(subscriptions.paymentType)),
  ],
  trialEnding: (now: BusinessTime) => [
    eq(subscriptions.status, 'trialing'),
    isNull(subscriptions.canceledAt),
    isBetween(subscriptions.trialEndsAt, now, inDays(now, 7)),
  ],
  freeEnding: (now: BusinessTime) => [
    eq(subscriptions.status, 'active'),
    isNull(subscriptions.providerId),
    or(eq(subscriptions.gift, true), isNotNull(subscriptions.couponCode)),
    isBetween(subscriptions.validUntil, now, inDays(now, 7)),
  ],
  renewing: (now: BusinessTime) => [
    eq(subscriptions.status, 'active'),
    isNotNull(subscriptions.providerId),
    isNull(subscriptions.canceledAt),
    isBetween(subscriptions.periodEnd, now, inDays(now, 14)),
  ],
  graceEnding: (now: BusinessTime) => [
    eq(subscriptions.status, 'past_due'),
    isBetween(subscriptions.paymentFailedAt, inDays(now, -7), inDays(now, -5)),
  ],
}

export type Due = keyof typeof DUE

export const selectDue = (
  db: Db,
  due: Due,
  { now, after, limit }: Page & { readonly now: BusinessTime },
): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(and(...DUE[due](now), after === null ? undefined : gt(subscriptions.id, after)))
    .orderBy(asc(subscriptions.id))
    .limit(limit)

export async function selectNextDue(db: Db, now: BusinessTime): Promise<Date | null> {
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
