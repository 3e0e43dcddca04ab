import { createHash } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import type { PageOf } from '../../hydra.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import { notFound } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import { emptyOfPaid, type Bag } from '../bag/rules.ts'
import { isRoundedUp, noteUse } from '../discounts/rules.ts'
import { tell } from '../feed/rules.ts'
import { claimsOf, giveBook } from '../gifts/rules.ts'
import { grantTitle } from '../library/rules.ts'
import {
  countOrders,
  insertOrder,
  type LineRow,
  type OrderRow,
  type PaymentRow,
  selectBuyer,
  selectFormats,
  selectLines,
  selectOrder,
  selectOrders,
  selectPayments,
  updateLine,
  updateOrder,
  updatePayment,
} from './rows.ts'

export { takeBack } from './take-back.ts'
export {
  keepIntent,
  lockOrder,
  type OrderRow,
  selectLongWaiting,
  selectNewestPaid,
  selectOrder,
  selectOrderIdByIntent,
  selectPayments,
  selectSecret,
  selectUndelivered,
  selectWaitingOrder,
  updateOrder,
  updatePayment,
} from './rows.ts'

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
export async function freeze(tx: Db, { bag, userId, country, waiver, now }: Freezing): Promise<OrderRow> {
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
      bookId: line.bookId,
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

/** Whether the code took less off than its percentage says. Only one of the whole bag touches every line. */
export const wasRoundedUp = (order: OrderRow, lines: readonly LineRow[]): boolean =>
  lines.every(({ originalMinor, couponCode }) => originalMinor === 0 || couponCode !== null) &&
  isRoundedUp({
    beforeMinor: order.beforeDiscountMinor,
    totalMinor: order.totalMinor,
    percent: order.percentDiscount,
  })

export interface PaidBy {
  readonly type: 'card' | 'paypal' | 'free'
  readonly last4: string | null
}

/**
 * Everything that follows from a payment, in the transaction that holds the order's lock: titles into the library,
 * gifts on their way, the code's use, the mail, the message on the feed, the bag emptied. Once: the caller has
 * seen that the order was not paid yet.
 */
export async function deliver(
  tx: Db,
  shop: Pick<Shop, 'config' | 'now'>,
  order: OrderRow,
  paidBy: PaidBy,
): Promise<void> {
  const now = shop.now()
  const { userId } = order
  const lines = await selectLines(tx, [order.id])
  await updateOrder(tx, order.id, { state: 'paid', paidAt: now })
  await updatePayment(tx, order.id, paidBy)
  if (order.couponCode) await noteUse(tx, { code: order.couponCode, userId, orderId: order.id, usedAt: now })
  // An account deleted in between has no library; the reconciliation pays the money back.
  if (userId === null) return
  await deliverLines(tx, shop, { ...order, userId }, lines)
  if (order.cartId) {
    const itemIds = lines.flatMap(({ cartItemId }) => (cartItemId === null ? [] : [cartItemId]))
    await emptyOfPaid(tx, order.cartId, itemIds)
  }
  await queueMail(tx, {
    to: order.buyerEmail,
    kind: 'order_confirmed',
    key: `order_confirmed:${order.id}`,
    data: {
      firstName: (await selectBuyer(tx, userId))?.firstName ?? order.buyerName,
      orderNumber: order.number,
      path: `/orders/${order.id}`,
      lines: lines.map(({ title, priceMinor, gift, giftEmail }) => ({
        title,
        priceMinor,
        ...(gift && giftEmail ? { giftTo: giftEmail } : {}),
      })),
      totalMinor: order.totalMinor,
      vatMinor: order.vatMinor,
      ...(order.couponCode === null ? {} : { discount: discountOf(order, order.couponCode, lines) }),
    },
  })
  await tell(tx, userId, { type: 'new_order', uuid: order.id }, now)
}

const discountOf = (order: OrderRow, code: string, lines: readonly LineRow[]) => ({
  code,
  savedMinor: order.beforeDiscountMinor - order.totalMinor,
  roundedPercent: wasRoundedUp(order, lines) ? order.percentDiscount : null,
})

async function deliverLines(
  tx: Db,
  shop: Pick<Shop, 'config' | 'now'>,
  order: OrderRow & { userId: string },
  lines: readonly LineRow[],
): Promise<void> {
  const bookIds = lines.flatMap(({ bookId }) => (bookId === null ? [] : [bookId]))
  const formats = new Map((await selectFormats(tx, bookIds)).map(({ id, format }) => [id, format]))
  for (const line of lines) {
    const { bookId, giftEmail } = line
    if (bookId === null) continue
    if (line.gift && giftEmail !== null)
      await giveBook(tx, shop, {
        orderLineId: line.id,
        book: { id: bookId, title: line.title, format: formats.get(bookId)! },
        giver: { id: order.userId, name: order.buyerName },
        email: giftEmail,
        message: line.giftMessage,
      })
    else {
      const title = { userId: order.userId, bookId, source: 'purchase' as const, addedAt: shop.now() }
      const entryId = await grantTitle(tx, title)
      // No entry means the buyer already had it: the money for this line goes back.
      if (entryId) await updateLine(tx, line.id, { entryId })
    }
  }
}

/** An order with everything that is shown. */
export interface OrderShown {
  readonly order: OrderRow
  readonly lines: readonly LineRow[]
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
