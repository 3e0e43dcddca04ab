import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { orders, paymentTries } from '../../db/schema/orders.ts'

export type TryRow = typeof paymentTries.$inferSelect
export type NewTry = Omit<typeof paymentTries.$inferInsert, 'id'>

/** Returns false if the attempt is already recorded under its key. */
export async function insertTry(db: Db, tried: NewTry): Promise<boolean> {
  const rows = await db
    .insert(paymentTries)
    .values(tried)
    .onConflictDoNothing({ target: paymentTries.key })
    .returning({ id: paymentTries.id })
  return rows.length > 0
}

export const selectTries = (db: Db, id: string): Promise<TryRow[]> =>
  db
    .select()
    .from(paymentTries)
    .where(or(eq(paymentTries.orderId, id), eq(paymentTries.subscriptionId, id)))
    .orderBy(asc(paymentTries.triedAt), asc(paymentTries.id))
    .limit(200)

export async function updateSettled(db: Db, key: string, settledAt: Date): Promise<void> {
  await db
    .update(paymentTries)
    .set({ settledAt })
    .where(and(eq(paymentTries.key, key), isNull(paymentTries.settledAt)))
}

/** Payments that match no order and were neither refunded nor resolved since, oldest first. */
export const selectUnsettledMisfits = (db: Db, limit: number) =>
  db
    .select({
      intentId: paymentTries.intentId,
      reason: paymentTries.reason,
      since: paymentTries.triedAt,
      orderId: paymentTries.orderId,
      orderNumber: orders.number,
    })
    .from(paymentTries)
    .leftJoin(orders, eq(orders.id, paymentTries.orderId))
    .where(
      and(
        eq(paymentTries.outcome, 'misfit'),
        isNull(paymentTries.settledAt),
        sql`${orders.state} is distinct from 'paid'`,
      ),
    )
    .orderBy(asc(paymentTries.triedAt))
    .limit(limit)
