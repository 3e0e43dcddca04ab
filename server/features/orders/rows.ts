import { and, asc, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { orderLines, orders, payments } from '../../db/schema/orders.ts'

export type OrderRow = typeof orders.$inferSelect
export type LineRow = typeof orderLines.$inferSelect
export type PaymentRow = typeof payments.$inferSelect

export async function insertOrder(
  db: Db,
  order: typeof orders.$inferInsert,
  lines: readonly Omit<typeof orderLines.$inferInsert, 'orderId' | 'position'>[],
): Promise<OrderRow> {
  const [row] = await db.insert(orders).values(order).returning()
  const orderId = row!.id
  await db.insert(orderLines).values(lines.map((line, position) => ({ ...line, orderId, position })))
  await db.insert(payments).values({ orderId, createdAt: row!.createdAt })
  return row!
}

/** The order that waits for the payment of a bag. */
export async function selectWaitingOrder(db: Db, cartId: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.cartId, cartId), eq(orders.state, 'awaiting_payment')))
  return row
}

export async function selectNewestPaid(db: Db, cartId: string, since: Date): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.cartId, cartId),
        eq(orders.state, 'paid'),
        sql`${orders.paidAt} >= ${since.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(desc(orders.paidAt))
    .limit(1)
  return row
}

/** Locked until the transaction ends, so that only one call settles an order and the others find it done. */
export async function lockOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id)).for('update')
  return row
}

export async function selectOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id))
  return row
}

export async function selectOrderIdByIntent(db: Db, intentId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId))
  return row?.id
}

/** What the buyer's browser confirms a payment with. */
export async function selectSecret(db: Db, intentId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ clientSecret: payments.clientSecret })
    .from(payments)
    .where(eq(payments.intentId, intentId))
  return row?.clientSecret ?? undefined
}

export async function updateOrder(
  db: Db,
  id: string,
  change: Partial<typeof orders.$inferInsert>,
): Promise<void> {
  await db.update(orders).set(change).where(eq(orders.id, id))
}

export const selectLines = (db: Db, orderIds: readonly string[]): Promise<LineRow[]> =>
  db
    .select()
    .from(orderLines)
    .where(inArray(orderLines.orderId, [...orderIds]))
    .orderBy(asc(orderLines.orderId), asc(orderLines.position))

export async function updateLine(
  db: Db,
  id: string,
  change: Partial<typeof orderLines.$inferInsert>,
): Promise<void> {
  await db.update(orderLines).set(change).where(eq(orderLines.id, id))
}

export const selectPayments = (db: Db, orderIds: readonly string[]): Promise<PaymentRow[]> =>
  db
    .select()
    .from(payments)
    .where(inArray(payments.orderId, [...orderIds]))

/** Notes the provider's payment of an order, once; another one for the same order is a fault, and is not noted. */
export async function keepIntent(
  db: Db,
  orderId: string,
  intent: { intentId: string; clientSecret: string },
): Promise<void> {
  await db
    .update(payments)
    .set(intent)
    .where(and(eq(payments.orderId, orderId), isNull(payments.intentId)))
}

export async function updatePayment(
  db: Db,
  orderId: string,
  change: Partial<typeof payments.$inferInsert>,
): Promise<void> {
  await db.update(payments).set(change).where(eq(payments.orderId, orderId))
}

/** Paid orders of an account, newest first; what was given back stays among them. */
export const selectOrders = (
  db: Db,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<OrderRow[]> =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.state, 'paid')))
    .orderBy(desc(orders.paidAt), orders.id)
    .offset(offset)
    .limit(limit)

export async function countOrders(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.state, 'paid')))
  return row?.total ?? 0
}

export async function selectBuyer(db: Db, userId: string) {
  const [row] = await db
    .select({ email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId))
  return row
}

export const selectFormats = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db
        .select({ id: books.id, format: books.format })
        .from(books)
        .where(inArray(books.id, [...ids]))

const mayBeChecked = (now: Date) =>
  sql`(${payments.checkAfter} is null or ${payments.checkAfter} <= ${now.toISOString()}::timestamptz)`

/** Waiting orders that were made before an instant, oldest first; without those that are left alone for now. */
export const selectLongWaiting = (db: Db, { before, now }: { before: Date; now: Date }, limit: number) =>
  db
    .select({
      orderId: orders.id,
      createdAt: orders.createdAt,
      intentId: payments.intentId,
      failures: payments.checkFailures,
    })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        eq(orders.state, 'awaiting_payment'),
        sql`${orders.createdAt} < ${before.toISOString()}::timestamptz`,
        mayBeChecked(now),
      ),
    )
    // Those that were not looked at for longest, so that a look that is cut off goes on the next time.
    .orderBy(sql`${payments.checkedAt} asc nulls first`, asc(orders.createdAt))
    .limit(limit)

/**
 * Lines that were paid and brought nothing: the buyer had the title by then, the account was deleted while it was
 * being paid, or nothing here delivers what the line is. Their money is due back.
 */
export const selectUndelivered = (db: Db, now: Date, limit: number) =>
  db
    .select({ line: orderLines, intentId: payments.intentId, failures: payments.checkFailures })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        eq(orders.state, 'paid'),
        isNull(orderLines.refundedAt),
        sql`case when ${orderLines.gift}
          then not exists (select from gifts where gifts.order_line_id = ${orderLines.id})
          when ${orderLines.plan} is not null
          then ${orderLines.subscriptionId} is null and ${orders.userId} is not null
          else ${orderLines.entryId} is null end`,
        sql`${orderLines.priceMinor} > 0 and ${payments.intentId} is not null`,
        mayBeChecked(now),
      ),
    )
    .orderBy(sql`${payments.checkedAt} asc nulls first`, asc(orderLines.id))
    .limit(limit)
