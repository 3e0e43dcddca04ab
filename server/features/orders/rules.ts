import { createHash } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '../../hydra.ts'
import { notFound } from '../../refusals.ts'
import type { Bag } from '../bag/rules.ts'
import { claimsOf } from '../gifts/rules.ts'
import {
  countOrders,
  insertOrder,
  type Line,
  lockOrder,
  type OrderRow,
  type PaymentRow,
  selectBuyer,
  selectLines,
  selectNewestPaid,
  selectOrder,
  selectOrders,
  selectPayments,
  selectWaitingOrder,
  updateWaiting,
} from './rows.ts'

export { type PaidBy, payOrder, wasRoundedUp } from './pay.ts'
export { refundOrder } from './refund.ts'
export {
  type Due,
  intentOf,
  keepIntent,
  linesUndelivered,
  noteChecked,
  noteUnchecked,
  orderOfIntent,
  ordersWaiting,
  secretOf,
} from './payments.ts'
export type Order = OrderRow

/** What makes two checkouts of a bag the same one: its lines, what they cost, to whom they go. */
export function fingerprintOf(bag: Bag): string {
  const coupon = bag.coupon && 'row' in bag.coupon ? bag.coupon.row.code : null
  const lines = bag.reckoned.lines.map(({ item, bookId, originalMinor, priceMinor, gift }) => [
    item.id,
    bookId,
    originalMinor,
    priceMinor,
    gift ? [item.gift_email, item.gift_message] : null,
  ])
  return createHash('sha256')
    .update(JSON.stringify([coupon, lines]))
    .digest('base64url')
}

interface Freezing {
  readonly bag: Bag
  readonly userId: string
  readonly country: string
  readonly waiver: boolean
  readonly now: Date
}

/** A bag becomes an order that waits for its payment: lines, VAT and total never change from here on. */
export async function freeze(tx: Db, { bag, userId, country, waiver, now }: Freezing): Promise<Order> {
  const buyer = await selectBuyer(tx, userId)
  if (!buyer) throw notFound()
  const { reckoned } = bag
  const discount = bag.coupon && 'row' in bag.coupon ? bag.coupon.row : null
  return insertOrder(
    tx,
    {
      userId,
      cartId: bag.id,
      state: 'awaiting_payment',
      fingerprint: fingerprintOf(bag),
      totalMinor: reckoned.totalMinor,
      vatMinor: reckoned.vatMinor,
      beforeDiscountMinor: reckoned.beforeMinor,
      couponCode: discount?.code ?? null,
      percentDiscount: discount?.percent ?? null,
      buyerName: nameOf(buyer),
      buyerEmail: buyer.email,
      countryCode: country,
      waiverAt: waiver ? now : null,
      createdAt: now,
    },
    reckoned.lines.map((line) => ({
      sold: { kind: 'title' as const, bookId: line.bookId, format: line.item.format },
      title: line.item.title,
      originalMinor: line.originalMinor,
      priceMinor: line.priceMinor,
      vatPercent: line.vatPercent,
      vatMinor: line.vatMinor,
      couponCode: line.reduced ? (discount?.code ?? null) : null,
      percentDiscount: line.reduced ? (discount?.percent ?? null) : null,
      gift: line.gift,
      giftEmail: line.gift ? line.item.gift_email : null,
      giftMessage: line.gift ? line.item.gift_message : null,
      cartItemId: line.item.id,
    })),
  )
}

/** Nobody will pay it any more; false where it does not wait for that. The order may be paid later all the same. */
export const abandonOrder = (tx: Db, id: string): Promise<boolean> => updateWaiting(tx, id, 'abandoned')

/** Held until the transaction ends, so that only one call settles an order and the others find it done. */
export const holdOrder = (tx: Db, id: string): Promise<Order | undefined> => lockOrder(tx, id)

/** As it stands; undefined for one that is not ours. */
export const findOrder = (db: Db, id: string): Promise<Order | undefined> => selectOrder(db, id)

/** The order that waits for the payment of a bag. */
export const waitingOrderOf = (db: Db, cartId: string): Promise<Order | undefined> =>
  selectWaitingOrder(db, cartId)

/** The last order of a bag that was paid since then. */
export const newestPaidOf = (db: Db, cartId: string, since: Date): Promise<Order | undefined> =>
  selectNewestPaid(db, cartId, since)

/** An order with everything that is shown. */
export interface OrderShown {
  readonly order: OrderRow
  readonly lines: readonly Line[]
  readonly payment: PaymentRow | undefined
  readonly claims: ReadonlyMap<string, Date | null>
}

/** The caller's paid orders, newest first. */
export async function listOrders(
  db: Db,
  userId: string,
  { page, itemsPerPage }: PageOf,
): Promise<{ orders: OrderShown[]; total: number }> {
  const slice = { offset: (page - 1) * itemsPerPage, limit: itemsPerPage }
  const [rows, total] = await Promise.all([selectOrders(db, userId, slice), countOrders(db, userId)])
  return { orders: await shown(db, rows), total }
}

/** One order of the caller's, in whatever state. Throws 404 for everybody else's. */
export async function seeOrder(db: Db, userId: string, id: string): Promise<OrderShown> {
  const order = await selectOrder(db, id)
  if (!order || order.userId !== userId) throw notFound()
  return (await shown(db, [order]))[0]!
}

async function shown(db: Db, rows: readonly OrderRow[]): Promise<OrderShown[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [lines, payments] = await Promise.all([selectLines(db, ids), selectPayments(db, ids)])
  const claims = await claimsOf(
    db,
    lines.filter(({ gift }) => gift).map(({ id }) => id),
  )
  return rows.map((order) => ({
    order,
    lines: lines.filter(({ orderId }) => orderId === order.id),
    payment: payments.find(({ orderId }) => orderId === order.id),
    claims,
  }))
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()
