import type { Transaction } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { sendGiftAgain } from '../gifts/title-gifts.ts'
import { sendMembershipGiftOfLineAgain } from '../gifts/membership-gifts.ts'
import { deliverLine } from '../orders/fulfilment.ts'
import { type Line, noteDelivered, type OrderRow, selectLines } from '../orders/queries.ts'

export type DeliveredAgain = 'delivered' | 'sent again' | 'there already' | 'paid back' | 'nobody'

/**
 * Delivers a paid order again: a title that is missing from the library, and an unclaimed gift under a new link.
 * Everything else stays unchanged. The caller has locked the order.
 */
export async function deliverAgain(
  tx: Transaction,
  shop: Pick<Shop, 'config' | 'clock' | 'now'>,
  order: OrderRow,
): Promise<{ readonly line: Line; readonly outcome: DeliveredAgain }[]> {
  const outcomes: { line: Line; outcome: DeliveredAgain }[] = []
  for (const line of await selectLines(tx, [order.id]))
    outcomes.push({ line, outcome: await deliverLineAgain(tx, shop, order, line) })
  if (order.userId !== null) await publish(tx, order.userId, { type: 'library' }, shop.clock.now())
  return outcomes
}

async function deliverLineAgain(
  tx: Transaction,
  shop: Pick<Shop, 'config' | 'clock' | 'now'>,
  order: OrderRow,
  line: Line,
): Promise<DeliveredAgain> {
  if (line.refundedAt) return 'paid back'
  if (line.sold.kind === 'membership') return 'there already'
  if (line.gift) {
    const isSent =
      line.sold.kind === 'membership_gift'
        ? await sendMembershipGiftOfLineAgain(tx, shop, line.id)
        : await sendGiftAgain(tx, shop, { orderLineId: line.id, title: line.title })
    if (isSent !== null) return isSent ? 'sent again' : 'there already'
  }
  const delivery = await deliverLine(tx, shop, { ...order, source: order.taken ?? 'purchase' }, line)
  if ('refused' in delivery) return delivery.refused === 'nobody' ? 'nobody' : 'there already'
  if (!line.gift) await noteDelivered(tx, line, delivery.deliveredId)
  return 'delivered'
}
