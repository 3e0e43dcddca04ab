import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { orders, payments, refunds } from '../../db/schema/orders.ts'
import { requireChange, REFUND_STATES } from '../../db/state-machines.ts'

export type RefundRow = typeof refunds.$inferSelect
export type NewRefund = typeof refunds.$inferInsert

/** The states in which money is owed and not on its way. */
const OWED = ['asked', 'refused', 'failed'] as const

export async function insertRefund(tx: Db, refund: NewRefund): Promise<RefundRow> {
  await tx.insert(refunds).values(refund).onConflictDoNothing({ target: refunds.key })
  const [row] = await tx.select().from(refunds).where(eq(refunds.key, refund.key))
  return row!
}

export async function selectRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id))
  return row
}

/** Undefined if its state or attempts have changed since it was read. @throws if its state can't follow */
export async function updateRefund(
  db: Db,
  before: Pick<RefundRow, 'id' | 'state' | 'attempts'>,
  change: Partial<NewRefund>,
): Promise<RefundRow | undefined> {
  if (change.state) requireChange(REFUND_STATES, before.state, change.state)
  const [row] = await db
    .update(refunds)
    .set(change)
    .where(
      and(eq(refunds.id, before.id), eq(refunds.state, before.state), eq(refunds.attempts, before.attempts)),
    )
    .returning()
  return row
}

export async function selectPaymentOf(db: Db, orderId: string): Promise<string | null> {
  const [row] = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(eq(payments.orderId, orderId))
  return row?.intentId ?? null
}

export const selectOfPayment = (db: Db, paymentId: string): Promise<RefundRow[]> =>
  db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).limit(100)

export const selectRefundsOfOrder = (db: Db, orderId: string): Promise<RefundRow[]> =>
  db
    .select()
    .from(refunds)
    .where(eq(refunds.orderId, orderId))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .limit(100)

/** A refund with a problem sent no money. */
export const selectSentGoodwill = (db: Db, orderIds: readonly string[]): Promise<RefundRow[]> =>
  db
    .select()
    .from(refunds)
    .where(
      and(
        inArray(refunds.orderId, [...orderIds]),
        eq(refunds.keepsLines, true),
        inArray(refunds.state, ['sent', 'done']),
        isNull(refunds.problem),
      ),
    )
    .orderBy(asc(refunds.createdAt), asc(refunds.id))

/** The refund that is due for longest comes first, so each failed attempt moves a refund behind the others. */
export const selectDueRefunds = (db: Db, now: Date, limit: number): Promise<RefundRow[]> =>
  db
    .select()
    .from(refunds)
    .where(lte(refunds.nextTryAt, now))
    .orderBy(asc(refunds.nextTryAt), asc(refunds.id))
    .limit(limit)

export async function sumOwed(db: Db, orderIds: readonly string[]): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .select({ orderId: refunds.orderId, sum: sql<number>`sum(${refunds.amountMinor})::int` })
    .from(refunds)
    .where(and(inArray(refunds.orderId, [...orderIds]), inArray(refunds.state, [...OWED])))
    .groupBy(refunds.orderId)
  return new Map(rows.map(({ orderId, sum }) => [orderId!, sum]))
}

export async function sumOfWithdrawals(db: Db, orderIds: readonly string[]): Promise<number> {
  if (orderIds.length === 0) return 0
  const [row] = await db
    .select({ sum: sql<number>`coalesce(sum(${refunds.amountMinor}), 0)::int` })
    .from(refunds)
    .where(and(inArray(refunds.orderId, [...orderIds]), eq(refunds.reason, 'withdrawal')))
  return row!.sum
}

export const selectOpenRefunds = (db: Db, orderIds: readonly string[]): Promise<RefundRow[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(refunds)
        .where(and(inArray(refunds.orderId, [...orderIds]), isNotNull(refunds.nextTryAt)))
        .limit(100)

export const selectOwedTo = (db: Db, userId: string) =>
  db
    .select({
      id: refunds.id,
      amountMinor: refunds.amountMinor,
      createdAt: refunds.createdAt,
      orderId: orders.id,
      orderNumber: orders.number,
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(eq(orders.userId, userId), inArray(refunds.state, [...OWED])))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .limit(100)

export const selectStuckRefunds = (db: Db, limit: number) =>
  db
    .select({ refund: refunds, orderNumber: orders.number })
    .from(refunds)
    .leftJoin(orders, eq(orders.id, refunds.orderId))
    .where(and(inArray(refunds.state, ['refused', 'failed']), isNotNull(refunds.nextTryAt)))
    .orderBy(desc(refunds.createdAt), asc(refunds.id))
    .limit(limit)
