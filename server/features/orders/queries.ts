import type { BusinessTime } from '../../clock.ts'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { orderLines, orders, payments, paymentTries, undecidedRefunds } from '../../db/schema/orders.ts'
import { statesBefore, ORDER_STATES } from '../../db/state-machines.ts'
import { isDue, lastTried } from '../../due-work/queries.ts'
import { type Sold, DELIVERED_COLUMNS, lineColumns, type StoredLine, type Kind } from '../products/product.ts'

export type OrderRow = typeof orders.$inferSelect
export type PaymentRow = typeof payments.$inferSelect

/** What an order was made from. At most one order per source awaits payment. */
export interface OrderSource {
  readonly kind: NonNullable<OrderRow['sourceKind']>
  readonly id: string
}

type LineColumns = typeof orderLines.$inferSelect
type OfKind = Exclude<keyof StoredLine, 'format'>

export interface Line extends Omit<LineColumns, OfKind> {
  readonly sold: Sold
  /** The entry, membership or gift that was delivered; null for an undelivered line and a given title. */
  readonly deliveredId: string | null
}

type NewLine = Omit<typeof orderLines.$inferInsert, OfKind | 'orderId' | 'position'> & {
  readonly sold: Sold
}

function lineOf(columns: LineColumns, format: 'audio_book' | 'e_book' | null): Line {
  const { read, deliveredColumn } = lineColumns(columns)
  return { ...columns, sold: read({ ...columns, format }), deliveredId: columns[deliveredColumn] }
}

export async function insertOrder(
  db: Db,
  order: typeof orders.$inferInsert,
  lines: readonly NewLine[],
): Promise<OrderRow> {
  const [row] = await db.insert(orders).values(order).returning()
  const orderId = row!.id
  await db.insert(orderLines).values(
    lines.map(({ sold, ...line }, position) => ({
      ...line,
      kind: sold.kind,
      ...lineColumns(sold).write(sold),
      orderId,
      position,
    })),
  )
  await db.insert(payments).values({ orderId, createdAt: row!.createdAt })
  return row!
}

const isOfSource = ({ kind, id }: OrderSource) => and(eq(orders.sourceKind, kind), eq(orders.sourceId, id))

export async function selectWaitingOrder(db: Db, source: OrderSource): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(isOfSource(source), eq(orders.state, 'awaiting_payment')))
  return row
}

export async function selectNewestPaid(
  db: Db,
  source: OrderSource,
  since: Date,
): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(orders)
    .where(
      and(
        isOfSource(source),
        eq(orders.state, 'paid'),
        sql`${orders.paidAt} >= ${since.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(desc(orders.paidAt))
    .limit(1)
  return row
}

export async function lockSource(tx: Db, { id }: OrderSource): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`order of:${id}`}, 0))`)
}

export async function lockOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id)).for('update')
  return row
}

export async function selectOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id))
  return row
}

/** Skips a locked order: its transaction settles it, and may be waiting for the bag that this caller has locked. */
export async function updateReservation(tx: Db, id: string, couponReservedUntil: Date): Promise<void> {
  const free = tx
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.id, id))
    .for('update', { skipLocked: true })
  await tx.update(orders).set({ couponReservedUntil }).where(inArray(orders.id, free))
}

export async function updateOrderState(
  db: Db,
  id: string,
  state: OrderRow['state'],
  change: { readonly paidAt?: Date } = {},
): Promise<boolean> {
  const rows = await db
    .update(orders)
    .set({ ...change, state })
    .where(and(eq(orders.id, id), inArray(orders.state, statesBefore(ORDER_STATES, state))))
    .returning({ id: orders.id })
  return rows.length > 0
}

export async function selectOrderIdByIntent(db: Db, intentId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId))
  return row?.id
}

export async function updateOrder(
  db: Db,
  id: string,
  change: Partial<Omit<typeof orders.$inferInsert, 'state'>>,
): Promise<void> {
  await db.update(orders).set(change).where(eq(orders.id, id))
}

export async function selectLines(db: Db, orderIds: readonly string[]): Promise<Line[]> {
  const rows = await db
    .select({ line: orderLines, format: books.format })
    .from(orderLines)
    .leftJoin(books, eq(books.id, orderLines.bookId))
    .where(inArray(orderLines.orderId, [...orderIds]))
    .orderBy(asc(orderLines.orderId), asc(orderLines.position))
  return rows.map(({ line, format }) => lineOf(line, format))
}

export async function updateDelivered(
  db: Db,
  { id, sold }: Pick<Line, 'id' | 'sold'>,
  deliveredId: string | null,
): Promise<void> {
  await db
    .update(orderLines)
    .set({ [lineColumns(sold).deliveredColumn]: deliveredId })
    .where(eq(orderLines.id, id))
}

export async function updateRefunded(db: Db, lineId: string, refundedAt: BusinessTime | null): Promise<void> {
  await db.update(orderLines).set({ refundedAt }).where(eq(orderLines.id, lineId))
}

/** How often the bank has refused this order's payment. */
export const countRefusals = (db: Db, orderId: string): Promise<number> =>
  db.$count(paymentTries, and(eq(paymentTries.orderId, orderId), eq(paymentTries.outcome, 'refused')))

export const selectPayments = (db: Db, orderIds: readonly string[]): Promise<PaymentRow[]> =>
  db
    .select()
    .from(payments)
    .where(inArray(payments.orderId, [...orderIds]))

export async function storeIntent(db: Db, orderId: string, intentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ intentId })
    .where(and(eq(payments.orderId, orderId), isNull(payments.intentId)))
}

export async function updatePayment(
  db: Db,
  orderId: string,
  change: Partial<typeof payments.$inferInsert>,
): Promise<void> {
  await db.update(payments).set(change).where(eq(payments.orderId, orderId))
}

const isBoughtBy = (userId: string) =>
  and(eq(orders.userId, userId), eq(orders.state, 'paid'), isNull(orders.taken))

export const selectOrders = (
  db: Db,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<OrderRow[]> =>
  db
    .select()
    .from(orders)
    .where(isBoughtBy(userId))
    .orderBy(desc(orders.paidAt), orders.id)
    .offset(offset)
    .limit(limit)

export const countOrders = (db: Db, userId: string): Promise<number> => db.$count(orders, isBoughtBy(userId))

export async function selectHasPaid(db: Db, userId: string): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from orders where user_id = ${userId}::uuid and state = 'paid' and total_minor > 0 limit 1`,
  )
  return rows.length > 0
}

export async function selectBuyer(db: Db, userId: string) {
  const [row] = await db
    .select({
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      withoutPassword: isNull(users.passwordHash).mapWith(Boolean),
    })
    .from(users)
    .where(eq(users.id, userId))
  return row
}

const mayBeChecked = (now: BusinessTime) =>
  sql`(${payments.checkAfter} is null or ${payments.checkAfter} <= ${now.toISOString()}::timestamptz)`

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
    // Start with the orders that were not checked for longest, so that the next run continues an interrupted one.
    .orderBy(sql`${payments.checkedAt} asc nulls first`, asc(orders.createdAt))
    .limit(limit)

export const selectWaitingOfClosed = (db: Db, now: BusinessTime, limit: number) =>
  db
    .select({ orderId: orders.id, intentId: sql<string>`${payments.intentId}` })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        eq(orders.state, 'awaiting_payment'),
        sql`${orders.userId} is null and ${orders.buyerEmail} = '' and ${payments.intentId} is not null`,
        isDue('payment-of-closed-account', orders.id, now),
      ),
    )
    .orderBy(lastTried('payment-of-closed-account', orders.id), asc(orders.createdAt))
    .limit(limit)

export const selectDisputed = (db: Db, { since, after, limit }: Page & { since: Date }) =>
  db
    .select({ orderId: orders.id, intentId: sql<string>`${payments.intentId}` })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        sql`${orders.disputedAt} > ${since.toISOString()}::timestamptz`,
        sql`${payments.intentId} is not null`,
        after === null ? undefined : gt(orders.id, after),
      ),
    )
    .orderBy(asc(orders.id))
    .limit(limit)

const isUndelivered = sql`case when ${orderLines.gift} and ${orderLines.kind} <> 'membership_gift'
  then not exists (select from gifts where gifts.order_line_id = ${orderLines.id})
  else case ${orderLines.kind} ${sql.join(
    DELIVERED_COLUMNS.map(
      ({ kind, deliveredColumn }) => sql`when ${kind} then ${orderLines[deliveredColumn]} is null`,
    ),
    sql` `,
  )} end end`

/** The buyer had it, was deleted during the payment, or no code delivers it. The price must be refunded. */
export const selectUndelivered = (db: Db, now: BusinessTime, limit: number) =>
  db
    .select({
      id: orderLines.id,
      orderId: orderLines.orderId,
      priceMinor: orderLines.priceMinor,
      intentId: sql<string>`${payments.intentId}`,
      failures: payments.checkFailures,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        eq(orders.state, 'paid'),
        isNull(orderLines.refundedAt),
        isUndelivered,
        sql`not exists (select from refunds where refunds.key = 'unneeded:' || ${orderLines.id})`,
        sql`${orderLines.priceMinor} > 0 and ${payments.intentId} is not null`,
        mayBeChecked(now),
      ),
    )
    .orderBy(sql`${payments.checkedAt} asc nulls first`, asc(orderLines.id))
    .limit(limit)

/** A safety limit, far above what any account has. */
const MOST_LINES = 10_000

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
    .limit(MOST_LINES)

export type Charge = Awaited<ReturnType<typeof selectCharges>>[number]

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
  return row!.given
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
    .limit(MOST_LINES)

/** Removes the names and addresses of buyer and recipients. Amounts and the country for VAT stay. */
export async function anonymiseOrders(db: Db, userId: string): Promise<void> {
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

export interface FoundOrder {
  readonly order: OrderRow
  readonly titles: string
}

const TITLES_OF_ORDER = sql<string>`(select string_agg(l.title, ', ' order by l.position) from order_lines l where l.order_id = ${orders.id})`

/** By order number, a part of a name, address or title, the payment's id, or the card's last four digits. */
export const selectFoundOrders = (db: Db, words: string, limit: number): Promise<FoundOrder[]> => {
  const part = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return db
    .select({ order: orders, titles: TITLES_OF_ORDER })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      or(
        eq(orders.number, words.toUpperCase()),
        sql`lower(${orders.buyerEmail}) like ${part}`,
        sql`lower(${orders.buyerName}) like ${part}`,
        eq(payments.intentId, words),
        eq(payments.last4, words),
        sql`exists (select from order_lines l where l.order_id = ${orders.id}
          and (lower(l.title) like ${part} or lower(l.gift_email) like ${part}))`,
      ),
    )
    .orderBy(desc(orders.createdAt), orders.id)
    .limit(limit)
}

export async function selectOrderNumbered(db: Db, number: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.number, number))
  return row
}

type PaymentAttemptRow = typeof paymentTries.$inferSelect
export type NewPaymentAttempt = Omit<typeof paymentTries.$inferInsert, 'id'>

/** Returns false if the attempt is already recorded under its key. */
export async function insertPaymentAttempt(db: Db, tried: NewPaymentAttempt): Promise<boolean> {
  const rows = await db
    .insert(paymentTries)
    .values(tried)
    .onConflictDoNothing({ target: paymentTries.key })
    .returning({ id: paymentTries.id })
  return rows.length > 0
}

export const selectPaymentAttempts = (db: Db, id: string): Promise<PaymentAttemptRow[]> =>
  db
    .select()
    .from(paymentTries)
    .where(or(eq(paymentTries.orderId, id), eq(paymentTries.subscriptionId, id)))
    .orderBy(asc(paymentTries.triedAt), asc(paymentTries.id))
    .limit(200)

export async function markMismatchSettled(db: Db, key: string, settledAt: BusinessTime): Promise<void> {
  await db
    .update(paymentTries)
    .set({ settledAt })
    .where(and(eq(paymentTries.key, key), isNull(paymentTries.settledAt)))
}

export const selectUnsettledMismatches = (db: Db, limit: number) =>
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

export type UndecidedRefund = typeof undecidedRefunds.$inferSelect

export const selectUndecidedOf = (db: Db, orderId: string): Promise<UndecidedRefund[]> =>
  db
    .select()
    .from(undecidedRefunds)
    .where(and(eq(undecidedRefunds.orderId, orderId), isNull(undecidedRefunds.decidedAt)))
    .orderBy(asc(undecidedRefunds.foundAt), asc(undecidedRefunds.id))
    .limit(100)

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
