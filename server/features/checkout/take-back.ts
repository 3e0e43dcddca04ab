import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import type { Giver } from '../gifts/giver-actions.ts'
import {
  type GivenTitleShown,
  oneTitleGivenBy,
  startTakingBackTitle,
  type GivenShown,
  oneMembershipGivenBy,
  startTakingBack,
} from '../gifts/given-gifts.ts'
import { orderNumbered } from '../orders/service.ts'
import { requestLineRefunds, planRefund, sendOrderRefundNow } from './refund-order-lines.ts'
import { lockAccount } from '../membership/queries.ts'
import { lockOrder, selectOrder } from '../orders/queries.ts'

/** For an unclaimed gift, within 14 days: it can't be claimed any more, and is refunded in full. */
export async function takeBack(
  shop: Shop,
  giver: Giver,
  id: string,
  /** When the giver asked for it. */
  at = shop.clock.now(),
): Promise<GivenShown> {
  const refundId = await startTakingBack(shop, giver, id, at)
  if (refundId !== null) await sendOrderRefundNow(shop, refundId)
  return oneMembershipGivenBy(shop, giver, id)
}

export async function takeBackTitle(
  shop: Shop,
  giver: Giver,
  id: string,
  at = shop.clock.now(),
): Promise<GivenTitleShown> {
  const { gift, orderId } = await oneTitleGivenBy(shop, giver, id)
  const { orderLineId } = gift
  if (orderId === null || orderLineId === null) throw notFound()
  const refundId = await shop.db.transaction(async (tx) => {
    const buyer = (await selectOrder(tx, orderId))?.userId
    if (buyer) await lockAccount(tx, buyer)
    const order = await lockOrder(tx, orderId)
    if (!order) throw notFound()
    if (!(await startTakingBackTitle(tx, id, at))) return null
    const { lines } = await orderNumbered(tx, order.number)
    const place = lines.findIndex((line) => line.id === orderLineId) + 1
    const plan = await planRefund(tx, order.number, [place])
    const why = { reason: 'gift-taken-back', key: `gift-taken-back:${id}` } as const
    return (await requestLineRefunds(tx, shop, plan, why)).refundId
  })
  if (refundId !== null) await sendOrderRefundNow(shop, refundId)
  return oneTitleGivenBy(shop, giver, id)
}
