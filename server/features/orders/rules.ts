import type { Db } from '../../db/open.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import { notFound } from '../../wire/refusals.ts'
import { giftsOfLines } from '../gifts/rules.ts'
import { membershipGiftsOfLines } from '../membership-gifts/rules.ts'
import { type BasketSource, type Bought, fingerprintOf } from './basket.ts'
import {
  countOrders,
  insertOrder,
  type Line,
  lockOrder,
  lockSource,
  type OrderRow,
  type PaymentRow,
  selectBuyer,
  selectHasPaid,
  selectLines,
  selectNewestPaid,
  selectOrder,
  selectOrders,
  selectPayments,
  selectWaitingOrder,
  updateReservation,
  updateWaiting,
} from './rows.ts'

export { type Basket, type BasketSource, type Bought, fingerprintOf } from './basket.ts'
export { type PaidBy, payOrder, recordPaid, wasRoundedUp } from './pay.ts'
export {
  noteMisfit,
  notePaid,
  noteRefused,
  noteUnanswered,
  settleMisfit,
  triesOf,
  unsettledMisfits,
} from './tries.ts'
export {
  disputeMail,
  mailDispute,
  recordDispute,
  refundMail,
  refundOrder,
  restoreOrder,
  settleDispute,
  takeBackLines,
  titlesLeaving,
} from './refund.ts'
export { type FoundOrder, findOrders, orderNumbered, wholeOrder } from './find.ts'
export { confirmationOf } from './pay.ts'
export { deliverAgain } from './deliver-again.ts'
export { basketOfNothing } from './taken.ts'
export {
  type Due,
  intentOf,
  storeIntent,
  linesUndelivered,
  noteChecked,
  noteUnchecked,
  orderOfIntent,
  ordersDisputed,
  ordersOfClosedAccounts,
  ordersWaiting,
} from './payments.ts'
export type Order = OrderRow

interface Freezing {
  readonly basket: Bought
  readonly source: Pick<BasketSource, 'buyer'> & { readonly id: string | null }
  /** Stands for the money where nothing is bought. */
  readonly taken?: 'free' | 'credit' | 'card'
  readonly waiver: boolean
  /** Until when nobody else can have its use of the code. */
  readonly couponReservedUntil?: Date | null
  readonly now: Date
}

/** A basket becomes an order that waits for its payment: lines, VAT and total never change from here on. */
export async function freeze(
  tx: Db,
  { basket, source, waiver, couponReservedUntil = null, now, taken }: Freezing,
): Promise<Order> {
  const { userId, country, visitor } = source.buyer
  const buyer = userId === null ? visitor : await selectBuyer(tx, userId)
  if (!buyer) throw notFound()
  const { code } = basket
  return insertOrder(
    tx,
    {
      userId,
      cartId: source.id,
      taken,
      state: 'awaiting_payment',
      fingerprint: fingerprintOf(basket),
      totalMinor: basket.totalMinor,
      vatMinor: basket.vatMinor,
      beforeDiscountMinor: basket.beforeMinor,
      couponCode: code?.code ?? null,
      percentDiscount: code?.percent ?? null,
      couponReservedUntil,
      buyerName: nameOf(buyer),
      buyerEmail: buyer.email,
      countryCode: country,
      waiverAt: waiver ? now : null,
      createdAt: now,
    },
    basket.lines.map((line) => ({
      sold: line.sold,
      title: line.title,
      originalMinor: line.originalMinor,
      priceMinor: line.priceMinor,
      vatPercent: line.vatPercent,
      vatMinor: line.vatMinor,
      couponCode: line.reduced ? (code?.code ?? null) : null,
      percentDiscount: line.reduced ? (code?.percent ?? null) : null,
      gift: line.gift !== null,
      giftEmail: line.gift?.email ?? null,
      giftMessage: line.gift?.message ?? null,
      cartItemId: line.itemId,
    })),
  )
}

/** A buyer who comes back to pay a waiting order has the use of its code for longer. */
export const reserveUntil = (tx: Db, id: string, couponReservedUntil: Date): Promise<void> =>
  updateReservation(tx, id, couponReservedUntil)

/** Nobody will pay it any more; false where it does not wait for that. The order may be paid later all the same. */
export const abandonOrder = (tx: Db, id: string): Promise<boolean> => updateWaiting(tx, id, 'abandoned')

/** Until the transaction ends nobody else orders from a source that is no row of its own. */
export const lockSourceOf = (tx: Db, id: string): Promise<void> => lockSource(tx, id)

/** Held until the transaction ends, so that only one call settles an order and the others find it done. */
export const lockOrderOf = (tx: Db, id: string): Promise<Order | undefined> => lockOrder(tx, id)

/** As it stands; undefined for one that is not ours. */
export const findOrder = (db: Db, id: string): Promise<Order | undefined> => selectOrder(db, id)

/** The order that waits for its payment, of what came from a source. */
export const waitingOrderOf = (db: Db, sourceId: string): Promise<Order | undefined> =>
  selectWaitingOrder(db, sourceId)

/** The last order from a source that was paid since then. */
export const newestPaidOf = (db: Db, sourceId: string, since: Date): Promise<Order | undefined> =>
  selectNewestPaid(db, sourceId, since)

/** True if this account ever paid for something with money. */
export const hasPaid = (db: Db, userId: string): Promise<boolean> => selectHasPaid(db, userId)

/** An order with everything that is shown. */
export interface OrderShown {
  readonly order: OrderRow
  readonly lines: readonly Line[]
  readonly payment: PaymentRow | undefined
  /** The gifts of its lines, by line: to whom each went in the end, and when it was claimed. */
  readonly gifts: ReadonlyMap<string | null, { readonly email: string; readonly claimedAt: Date | null }>
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
  if (!order || order.userId !== userId || order.taken !== null) throw notFound()
  return (await shown(db, [order]))[0]!
}

async function shown(db: Db, rows: readonly OrderRow[]): Promise<OrderShown[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [lines, payments] = await Promise.all([selectLines(db, ids), selectPayments(db, ids)])
  const given = lines.filter(({ gift }) => gift).map(({ id }) => id)
  const gifts = new Map(
    [...(await giftsOfLines(db, given)), ...(await membershipGiftsOfLines(db, given))].map((gift) => [
      gift.orderLineId,
      gift,
    ]),
  )
  return rows.map((order) => ({
    order,
    lines: lines.filter(({ orderId }) => orderId === order.id),
    payment: payments.find(({ orderId }) => orderId === order.id),
    gifts,
  }))
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()
