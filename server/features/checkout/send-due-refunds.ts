import type { Shop } from '../../shop.ts'
import { PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import { dueRefunds } from '../refunds/service.ts'
import { closeRefund, postponeRefund, sendRefund } from '../refunds/send-refund.ts'
import { settlePayment } from './settle-payment.ts'

const BATCH_SIZE = 200
/** This many unanswered calls in a row mean that the provider is down. */
const MAX_UNANSWERED = 3

/** Asks the provider for a refund, and makes its order what the provider says then. */
export async function sendOrderRefund(shop: Shop, refundId: string): Promise<void> {
  const refund = await sendRefund(shop, refundId)
  if (refund.paymentId !== null) await settlePayment(shop, refund.paymentId)
  await closeRefund(shop, refund)
}

/** The same for somebody who waits for an answer: what cannot be sent now is sent by the job. */
export const sendOrderRefundNow = (shop: Shop, refundId: string): Promise<void> =>
  sendOrderRefund(shop, refundId).catch((error: unknown) => {
    if (!(error instanceof PaymentsUnavailable)) throw error
  })

/** A job: whatever is owed is asked for until the provider has sent it. A bad one stops no other. */
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
