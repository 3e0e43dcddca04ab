import type { Db } from '../../db/open.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { emptyOfPaid } from '../bag/rules.ts'
import { noteUse } from '../discounts/rules.ts'
import { publish } from '../feed/rules.ts'
import { giftsOfLines, giverToken } from '../gifts/rules.ts'
import { earnCommission } from '../outlets/rules.ts'
import { writtenSellerOf } from '../pages/rules.ts'
import { isRoundedUp } from '../prices/rules.ts'
import { type Delivery, type ForBuyer, type Refused, selling } from '../sold/rules.ts'
import {
  type Line,
  type OrderRow,
  selectBuyer,
  selectLines,
  noteDelivered,
  updateOrder,
  updatePayment,
} from './rows.ts'

export interface PaidBy {
  readonly type: 'card' | 'paypal' | 'free'
  readonly last4: string | null
}

/**
 * Everything that follows from a payment, in the transaction that holds the order's lock: titles into the library,
 * gifts on their way, the code's use, the mail, the message on the feed, the bag emptied. Once: the caller has
 * seen that the order was not paid yet. Answers what was refused, whose money is due back.
 */
export async function payOrder(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow,
  paidBy: PaidBy,
): Promise<{ refused: readonly Refused[] }> {
  const now = shop.clock.now()
  const { userId } = order
  const lines = await selectLines(tx, [order.id])
  await updateOrder(tx, order.id, { state: 'paid', paidAt: now })
  await updatePayment(tx, order.id, paidBy)
  if (order.couponCode) await noteUse(tx, { code: order.couponCode, userId, orderId: order.id, usedAt: now })
  // An account deleted in between has no library and no name; the reconciliation pays the money back.
  if (userId === null && order.buyerEmail === '') return { refused: lines.map(() => 'nobody') }
  const source = order.taken ?? 'purchase'
  const refused = await deliverLines(tx, shop, { ...order, source }, lines)
  if (order.taken !== null) return { refused }
  if (userId !== null) await earnCommission(tx, { orderId: order.id, userId, now })
  if (order.cartId) {
    const itemIds = lines.flatMap(({ cartItemId }) => (cartItemId === null ? [] : [cartItemId]))
    await emptyOfPaid(tx, order.cartId, itemIds)
  }
  await queueMail(tx, {
    ...(await confirmationOf(tx, order, lines, shop.config)),
    key: `order_confirmed:${order.id}`,
  })
  if (userId !== null) await publish(tx, userId, { type: 'new_order', uuid: order.id }, now)
  return { refused }
}

/** The mail that confirms an order, without its key: what it says is in the order. */
export async function confirmationOf(
  db: Db,
  order: OrderRow,
  lines: readonly Line[],
  /** Left out if the email is only displayed. */
  config?: Shop['config'],
) {
  const { userId } = order
  // The giver of a membership gets a separate email.
  const given = lines.filter(({ gift, sold }) => gift && sold.kind === 'title')
  const gifts = await giftsOfLines(
    db,
    given.map(({ id }) => id),
  )
  return {
    to: order.buyerEmail,
    kind: 'order_confirmed',
    data: {
      firstName: (userId && (await selectBuyer(db, userId))?.firstName) || order.buyerName,
      orderNumber: order.number,
      // A visitor has no page of orders: this mail is the receipt.
      ...(userId === null
        ? { path: null, seller: await writtenSellerOf(db) }
        : { path: `/orders/${order.id}` }),
      forOneself: lines.some(({ gift }) => !gift),
      ...(given.length === 0 || userId === null
        ? {}
        : {
            booksGiven: given.length,
            ...(config && gifts.length === 1
              ? { giverToken: giverToken(config, { kind: 'book', id: gifts[0]!.id }) }
              : {}),
          }),
      lines: lines.map(({ title, priceMinor, giftEmail }) => ({
        title,
        priceMinor,
        ...(giftEmail === null ? {} : { giftTo: giftEmail }),
      })),
      totalMinor: order.totalMinor,
      vatMinor: order.vatMinor,
      ...(order.couponCode === null ? {} : { discount: discountOf(order, order.couponCode, lines) }),
    },
  } as const
}

/** Of an order whose money moved elsewhere, by an invoice of the provider: it is paid from its first moment on. */
export async function recordPaid(
  tx: Db,
  order: OrderRow,
  {
    paidBy,
    paidAt,
    deliveredId,
  }: { readonly paidBy: PaidBy; readonly paidAt: Date; readonly deliveredId: string },
): Promise<void> {
  await updateOrder(tx, order.id, { state: 'paid', paidAt })
  await updatePayment(tx, order.id, paidBy)
  for (const line of await selectLines(tx, [order.id])) await noteDelivered(tx, line, deliveredId)
  const { userId, couponCode } = order
  if (couponCode) await noteUse(tx, { code: couponCode, userId, orderId: order.id, usedAt: paidAt })
  if (userId !== null) await publish(tx, userId, { type: 'new_order', uuid: order.id }, paidAt)
}

const discountOf = (order: OrderRow, code: string, lines: readonly Line[]) => ({
  code,
  savedMinor: order.beforeDiscountMinor - order.totalMinor,
  roundedPercent: wasRoundedUp(order, lines) ? order.percentDiscount : null,
})

async function deliverLines(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow & { source: ForBuyer['source'] },
  lines: readonly Line[],
): Promise<readonly Refused[]> {
  const refused: Refused[] = []
  for (const line of lines) {
    const delivery = await deliverLine(tx, shop, order, line)
    if ('refused' in delivery) refused.push(delivery.refused)
    // A gift knows its line; a line does not know its gift, unless its kind has a place for it.
    else if (line.giftEmail === null || selling(line.sold).notesGifts)
      await noteDelivered(tx, line, delivery.deliveredId)
  }
  return refused
}

export async function deliverLine(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { userId, source, ...order }: OrderRow & { source: ForBuyer['source'] },
  { id, sold, title, priceMinor, giftEmail, giftMessage }: Line,
): Promise<Delivery> {
  const { givenWithoutAccount, deliver, give } = selling(sold)
  if (giftEmail !== null && (userId !== null || givenWithoutAccount))
    return give(tx, shop, sold, {
      orderId: order.id,
      orderLineId: id,
      title,
      giver: { id: userId, name: order.buyerName, email: order.buyerEmail },
      email: giftEmail,
      message: giftMessage,
      paidMinor: priceMinor,
    })
  return userId === null ? { refused: 'nobody' } : deliver(tx, shop, sold, { userId, source })
}

/** True if the code took less off than its percentage says. Only one of the whole bag touches every line. */
export const wasRoundedUp = (order: OrderRow, lines: readonly Line[]): boolean =>
  lines.every(({ originalMinor, couponCode }) => originalMinor === 0 || couponCode !== null) &&
  isRoundedUp({
    beforeMinor: order.beforeDiscountMinor,
    totalMinor: order.totalMinor,
    percent: order.percentDiscount,
  })
