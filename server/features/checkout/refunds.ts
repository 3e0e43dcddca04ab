import { PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import { closeRefund, dueRefunds, postponeRefund, sendRefund } from '../refunds/rules.ts'
import { settlePayment, type Till } from './settle.ts'

const AT_ONCE = 200
/** This many unanswered calls in a row mean that the provider is down. */
const SILENCES = 3

/** Asks the provider for a refund, and makes its order what the provider says then. */
export async function payBack(till: Till, refundId: string): Promise<void> {
  const refund = await sendRefund(till, refundId)
  if (refund.paymentId !== null) await settlePayment(till, refund.paymentId)
  await closeRefund(till, refund)
}

/** The same for somebody who waits for an answer: what cannot be sent now is sent by the job. */
export const payBackNow = (till: Till, refundId: string): Promise<void> =>
  payBack(till, refundId).catch((error: unknown) => {
    if (!(error instanceof PaymentsUnavailable)) throw error
  })

/** A job: whatever is owed is asked for until the provider has sent it. A bad one stops no other. */
export async function sendDueRefunds(till: Till, isOver: () => boolean = () => false): Promise<void> {
  let silences = 0
  for (const { id } of await dueRefunds(till.db, till.clock.now(), AT_ONCE)) {
    if (isOver() || silences === SILENCES) return
    try {
      await payBack(till, id)
      silences = 0
    } catch (error) {
      silences = error instanceof PaymentsUnavailable ? silences + 1 : 0
      till.log.warn({ err: error, refund: id }, 'money that is owed could not be sent')
      await postponeRefund(till, id)
    }
  }
}
