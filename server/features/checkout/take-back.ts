import { PaymentConflict } from '../../outside/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import {
  giftsToRepay,
  type GivenShown,
  oneGivenBy,
  revokeUnpaid,
  startTakingBack,
} from '../membership-gifts/rules.ts'
import { findOrder, intentOf } from '../orders/rules.ts'
import { settleOrder, type Till } from './settle.ts'

const AT_ONCE = 200

/** An unclaimed gift within 14 days: nobody can claim it from now on, and all of its money goes back. */
export async function takeBack(shop: Shop, userId: string, id: string): Promise<GivenShown> {
  const gift = await startTakingBack(shop, userId, id)
  if (!gift.revokedAt) await repay(shop, gift)
  return oneGivenBy(shop, userId, id)
}

/** A job: what was asked for while the provider was away, or the server died, is repaid all the same. */
export async function repayGifts(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  for (const gift of await giftsToRepay(shop.db, AT_ONCE)) {
    if (isOver()) return
    await repay(shop, gift).catch((error: unknown) =>
      shop.log.warn({ err: error, gift: gift.id }, 'a gift could not be repaid'),
    )
  }
}

/** The provider’s key pays an amount back once, however often it is asked; a refused one may be less the next time. */
async function repay(
  till: Till,
  { id, orderId }: { readonly id: string; readonly orderId: string | null },
): Promise<void> {
  const order = orderId === null ? undefined : await findOrder(till.db, orderId)
  const intentId = order && (await intentOf(till.db, order.id))
  if (!order || !intentId || order.totalMinor === 0) {
    await till.db.transaction((tx) => revokeUnpaid(tx, id, till.clock.now()))
    return
  }
  const amountMinor = order.totalMinor - order.refundedMinor
  if (amountMinor > 0)
    await till.payments
      .refundPayment(intentId, { amountMinor }, `take-back:${id}:${amountMinor}`)
      .catch((error: unknown) => {
        // Nothing left to pay back: it was paid back some other way.
        if (!(error instanceof PaymentConflict)) throw error
      })
  await settleOrder(till, intentId)
}
