import type { BusinessTime } from '../../clock.ts'
import { type DomainEvents, emit } from '../../domain-events.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { isRoundedUp } from '../prices/pricing.ts'
import { lineColumns, type Delivery, type ForBuyer, productOf, type Refused } from '../products/product.ts'
import {
  type Line,
  type OrderRow,
  selectLines,
  noteDelivered,
  updateOrderState,
  updatePayment,
} from './queries.ts'

export interface PaidBy {
  readonly type: 'card' | 'paypal' | 'free'
  readonly last4: string | null
}

/**
 * Marks an order as paid and delivers its lines. The caller has locked the order and checked that it was not paid
 * before. Further effects of a payment are in `event-handlers.ts`, under `OrderPaid`.
 *
 * @returns why lines were refused, if any were; the caller refunds them
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
  await markPaid(tx, order, now)
  await updatePayment(tx, order.id, paidBy)
  // An account deleted during the payment has no library and no name; the reconciliation refunds the order.
  const isNobody = userId === null && order.buyerEmail === ''
  const refused = isNobody
    ? lines.map(() => 'nobody' as const)
    : await deliverLines(tx, shop, { ...order, source: order.taken ?? 'purchase' }, lines)
  await emit(tx, shop, 'OrderPaid', {
    ...paidEvent(order, now),
    cartItemIds: lines.flatMap(({ cartItemId }) => cartItemId ?? []),
    isCheckout: !isNobody,
  })
  if (userId !== null && order.taken === null)
    await publish(tx, userId, { type: 'new_order', uuid: order.id }, now)
  return { refused }
}

/** Records an order that was already paid by an invoice of the provider. */
export async function recordPaid(
  tx: Db,
  shop: Pick<Shop, 'config'>,
  order: OrderRow,
  {
    paidBy,
    paidAt,
    deliveredId,
  }: { readonly paidBy: PaidBy; readonly paidAt: Date; readonly deliveredId: string },
): Promise<void> {
  await markPaid(tx, order, paidAt)
  await updatePayment(tx, order.id, paidBy)
  for (const line of await selectLines(tx, [order.id])) await noteDelivered(tx, line, deliveredId)
  await emit(tx, shop, 'OrderPaid', { ...paidEvent(order, paidAt), cartItemIds: [], isCheckout: false })
  if (order.userId !== null) await publish(tx, order.userId, { type: 'new_order', uuid: order.id }, paidAt)
}

/** @throws if it is paid already: nothing is delivered twice */
async function markPaid(tx: Db, { id, number }: OrderRow, paidAt: BusinessTime): Promise<void> {
  if (!(await updateOrderState(tx, id, 'paid', { paidAt })))
    throw new Error(`Order ${number} is paid already`)
}

const paidEvent = (order: OrderRow, paidAt: BusinessTime) =>
  ({
    orderId: order.id,
    userId: order.userId,
    couponCode: order.couponCode,
    cartId: order.sourceKind === 'cart' ? order.sourceId : null,
    taken: order.taken,
    paidAt,
  }) satisfies Partial<DomainEvents['OrderPaid']>

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
    // A gift refers to its order line. The line refers to its gift only if its kind has a column for it.
    else if (line.giftEmail === null || lineColumns(line.sold).storesGifts)
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
  const { givenWithoutAccount, deliver, give } = productOf(sold)
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

/**
 * True if rounding made the discount smaller than the code's percentage. Only a code for the whole bag reduces all
 * lines.
 */
export const wasRoundedUp = (order: OrderRow, lines: readonly Line[]): boolean =>
  lines.every(({ originalMinor, couponCode }) => originalMinor === 0 || couponCode !== null) &&
  isRoundedUp({
    beforeMinor: order.beforeDiscountMinor,
    totalMinor: order.totalMinor,
    percent: order.percentDiscount,
  })
