import { lockOrderOf, refundOrder } from '../orders/rules.ts'
import { closeRefund, type RefundRow, sendRefund } from '../refunds/rules.ts'
import type { Shop } from '../../shop.ts'
import { giveBack } from './money-back.ts'

/** Asks the provider for a refund of a membership, or of a gift, and makes its order what the provider says then. */
export async function payBack(shop: Shop, { id }: RefundRow): Promise<void> {
  const refund = await sendRefund(shop, id)
  const { paymentId, invoiceId, orderId } = refund
  if (paymentId !== null) {
    const payment = await shop.payments.retrievePayment(paymentId)
    if (invoiceId !== null) await giveBack(shop, invoiceId, payment)
    else if (orderId !== null)
      await shop.db.transaction(async (tx) => {
        const order = await lockOrderOf(tx, orderId)
        if (order) await refundOrder(tx, shop, order, payment.refundedMinor)
      })
  }
  await closeRefund(shop, refund)
}
