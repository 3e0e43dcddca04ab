import type { Shop } from '../../shop.ts'
import { type GivenShown, oneGivenBy, startTakingBack } from '../membership-gifts/rules.ts'
import { sendOrderRefundNow } from './send-due-refunds.ts'

/** An unclaimed gift within 14 days: nobody can claim it from now on, and all of its money goes back. */
export async function takeBack(shop: Shop, userId: string, id: string): Promise<GivenShown> {
  const refundId = await startTakingBack(shop, userId, id)
  if (refundId !== null) await sendOrderRefundNow(shop, refundId)
  return oneGivenBy(shop, userId, id)
}
