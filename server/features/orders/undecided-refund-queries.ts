import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { orders, undecidedRefunds } from '../../db/schema/orders.ts'

export type UndecidedRefund = typeof undecidedRefunds.$inferSelect

/** Refunds of an order for which the owner has not chosen a line, oldest first. */
export const selectUndecidedOf = (db: Db, orderId: string): Promise<UndecidedRefund[]> =>
  db
    .select()
    .from(undecidedRefunds)
    .where(and(eq(undecidedRefunds.orderId, orderId), isNull(undecidedRefunds.decidedAt)))
    .orderBy(asc(undecidedRefunds.foundAt), asc(undecidedRefunds.id))
    .limit(100)

/** Of all orders, oldest first. */
export const selectOpenUndecided = (db: Db, limit: number) =>
  db
    .select({ refund: undecidedRefunds, orderNumber: orders.number })
    .from(undecidedRefunds)
    .innerJoin(orders, eq(orders.id, undecidedRefunds.orderId))
    .where(isNull(undecidedRefunds.decidedAt))
    .orderBy(asc(undecidedRefunds.foundAt), asc(undecidedRefunds.id))
    .limit(limit)

export async function insertUndecided(
  tx: Db,
  rows: readonly (typeof undecidedRefunds.$inferInsert)[],
): Promise<void> {
  await tx.insert(undecidedRefunds).values([...rows])
}

export async function markDecided(tx: Db, ids: readonly string[], decidedAt: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(undecidedRefunds)
    .set({ decidedAt })
    .where(inArray(undecidedRefunds.id, [...ids]))
}
