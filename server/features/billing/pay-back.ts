import { holdOrder, refundOrder } from '../orders/rules.ts'
import { closeRefund, type RefundRow, sendRefund } from '../refunds/rules.ts'
import type { Desk } from './desk.ts'
import { giveBack } from './money-back.ts'

/** Asks the provider for a refund of a membership, or of a gift, and makes its order what the provider says then. */
export async function payBack(desk: Desk, { id }: RefundRow): Promise<void> {
  const refund = await sendRefund(desk, id)
  const { paymentId, invoiceId, orderId } = refund
  if (paymentId !== null) {
    const payment = await desk.payments.retrievePayment(paymentId)
    if (invoiceId !== null) await giveBack(desk, invoiceId, payment)
    else if (orderId !== null)
      await desk.db.transaction(async (tx) => {
        const order = await holdOrder(tx, orderId)
        if (order) await refundOrder(tx, desk, order, payment.refundedMinor)
      })
  }
  await closeRefund(desk, refund)
}
