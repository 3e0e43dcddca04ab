import type { Shop } from '../../shop.ts'
import { PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import { dueRefunds } from '../refunds/service.ts'
import { closeRefund, postponeRefund, sendRefund } from '../refunds/send-refund.ts'
import { settlePayment } from './settle-payment.ts'

const BATCH_SIZE = 200
/** This many consecutive calls without an answer mean that the provider is down. */
const MAX_UNANSWERED = 3

/** Sends the refund, then updates the order to what the provider reports. */
export async function sendOrderRefund(shop: Shop, refundId: string): Promise<void> {
  const refund = await sendRefund(shop, refundId)
  if (refund.paymentId !== null) await settlePayment(shop, refund.paymentId)
  await closeRefund(shop, refund)
}

/** For a request of a user: if the provider doesn't answer, the job sends the refund. */
export const sendOrderRefundNow = (shop: Shop, refundId: string): Promise<void> =>
  sendOrderRefund(shop, refundId).catch((error: unknown) => {
    if (!(error instanceof PaymentsUnavailable)) throw error
  })

/** Job. A failure is logged and does not stop the others. */
export async function sendDueRefunds(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  let unanswered = 0
  for (const { id } of await dueRefunds(shop.db, shop.clock.now(), BATCH_SIZE)) {
    if (isOver() || unanswered === MAX_UNANSWERED) return
    try {
      await sendOrderRefund(shop, id)
      unanswered = 0
    } catch (error) {
      unanswered = error instanceof PaymentsUnavailable ? unanswered + 1 : 0
      shop.log.warn({ err: error, refund: id }, 'money that is owed could not be sent')
      await postponeRefund(shop, id)
    }
  }
}
