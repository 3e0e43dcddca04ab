import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { orderLines, orders } from '../../db/schema/orders.ts'
import type { Kind } from '../products/product.ts'

/** A safety limit, far above what any account has. */
const AT_MOST = 10_000

/** Orders of one line that charged for a membership, newest first. */
export const selectCharges = (db: Db, orderIds: readonly string[]) =>
  db
    .select({
      orderId: orders.id,
      orderNumber: orders.number,
      lineId: orderLines.id,
      plan: orderLines.plan,
      paidAt: orders.paidAt,
      paidMinor: orders.totalMinor,
      refundedMinor: orders.refundedMinor,
      isRefundable: orders.isRefundable,
      isDisputed: sql<boolean>`${orders.disputedAt} is not null`,
    })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(inArray(orders.id, [...orderIds]))
    .orderBy(desc(orders.paidAt))
    .limit(AT_MOST)

export async function countGiven(db: Db, userId: string, kind: Kind): Promise<number> {
  const [row] = await db
    .select({ given: count() })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(
      and(
        eq(orders.userId, userId),
        eq(orders.state, 'paid'),
        eq(orderLines.kind, kind),
        orderLines.gift,
        isNull(orderLines.refundedAt),
      ),
    )
  return row?.given ?? 0
}

export const selectBoughtLines = (db: Db, userId: string) =>
  db
    .select({
      number: orders.number,
      createdAt: orders.createdAt,
      state: orders.state,
      taken: orders.taken,
      totalMinor: orders.totalMinor,
      refundedMinor: orders.refundedMinor,
      disputedAt: orders.disputedAt,
      title: orderLines.title,
      priceMinor: orderLines.priceMinor,
      giftEmail: orderLines.giftEmail,
    })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(eq(orders.userId, userId), isNull(orders.taken)))
    .orderBy(desc(orders.createdAt), orders.id, asc(orderLines.position))
    .limit(AT_MOST)

/** Removes the names and addresses of buyer and recipients. Amounts and the country for VAT stay. */
export async function anonymise(db: Db, userId: string): Promise<void> {
  const theirs = db.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId))
  await db
    .update(orderLines)
    .set({ giftEmail: null, giftMessage: null })
    .where(inArray(orderLines.orderId, theirs))
  await db.update(orders).set({ buyerName: '', buyerEmail: '' }).where(eq(orders.userId, userId))
}

export async function updateBuyerEmail(db: Db, userId: string, from: string, to: string): Promise<void> {
  await db
    .update(orders)
    .set({ buyerEmail: to })
    .where(and(eq(orders.userId, userId), sql`lower(${orders.buyerEmail}) = ${from.toLowerCase()}`))
}

export async function deleteTaken(db: Db, userId: string): Promise<void> {
  await db.delete(orders).where(and(eq(orders.userId, userId), isNotNull(orders.taken)))
}
