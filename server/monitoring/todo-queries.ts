import { and, asc, desc, eq, gte, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { jobs, todoDone } from '../db/schema/jobs.ts'
import { mails } from '../db/schema/mails.ts'
import { subscriptions } from '../db/schema/membership.ts'
import { orders, payments } from '../db/schema/orders.ts'

const AT_MOST = 100
/** For this long a mail that was given up may still be useful to its recipient. */
const MAIL_DAYS = 30

export const selectFailingJobs = (db: Db, times: number) =>
  db
    .select({
      name: jobs.name,
      failures: jobs.failures,
      since: jobs.failingSince,
      problem: jobs.problem,
    })
    .from(jobs)
    .where(gte(jobs.failures, times))
    .orderBy(asc(jobs.name))
    .limit(AT_MOST)

/** Mails that were refused, not those that were cancelled; newest first. */
export const selectGivenUpMails = (db: Db) =>
  db
    .select({ id: mails.id, kind: mails.kind, key: mails.key, problem: mails.problem, since: mails.failedAt })
    .from(mails)
    .where(
      and(isNotNull(mails.problem), sql`${mails.failedAt} > now() - make_interval(days => ${MAIL_DAYS})`),
    )
    .orderBy(desc(mails.failedAt))
    .limit(AT_MOST)

export const selectContradictions = (db: Db) =>
  db
    .select({
      id: subscriptions.id,
      providerId: subscriptions.providerId,
      status: subscriptions.status,
      contradictedBy: subscriptions.contradictedBy,
      since: subscriptions.contradictedAt,
    })
    .from(subscriptions)
    .where(isNotNull(subscriptions.contradictedAt))
    .orderBy(asc(subscriptions.contradictedAt))
    .limit(AT_MOST)

export const selectUncheckedOrders = (db: Db, times: number) =>
  db
    .select({
      id: orders.id,
      number: orders.number,
      intentId: payments.intentId,
      failures: payments.checkFailures,
      problem: payments.checkProblem,
      since: payments.checkedAt,
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(gte(payments.checkFailures, times))
    .orderBy(asc(orders.createdAt))
    .limit(AT_MOST)

export const selectDisputes = (db: Db) =>
  db
    .select({ id: orders.id, number: orders.number, intentId: payments.intentId, since: orders.disputedAt })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(isNotNull(orders.disputedAt))
    .orderBy(asc(orders.disputedAt))
    .limit(AT_MOST)

export async function selectDone(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.select().from(todoDone).orderBy(desc(todoDone.doneAt)).limit(10_000)
  return new Map(rows.map(({ key, doneAt }) => [key, doneAt]))
}

export async function insertDone(db: Db, key: string, doneAt: Date): Promise<void> {
  await db
    .insert(todoDone)
    .values({ key, doneAt })
    .onConflictDoUpdate({ target: todoDone.key, set: { doneAt } })
}
