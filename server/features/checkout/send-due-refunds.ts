import type { Shop } from '../../shop.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import { closeRefund, postponeRefund, sendRefund } from '../refunds/send-refund.ts'
import { settlePayment } from './settle-payment.ts'
import { selectDueRefunds } from '../refunds/queries.ts'

const REFUNDS_PER_RUN = 200

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

/** Job. */
export async function sendDueRefunds(shop: Shop, signal?: AbortSignal): Promise<void> {
  const due = await selectDueRefunds(shop.db, shop.clock.now(), REFUNDS_PER_RUN)
  await forEachDue(due, ({ id }) => sendOrderRefund(shop, id), {
    log: shop.log,
    signal,
    problem: 'money that is owed could not be sent',
    about: ({ id }) => ({ refund: id }),
    onFailure: ({ id }) => postponeRefund(shop, id),
    toleratesOutage: true,
  })
}
