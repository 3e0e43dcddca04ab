import { timingSafeEqual } from 'node:crypto'
import type { PaymentOutcome, PaymentRefusal } from '#contract/checkout.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { returnFromMembershipPayment } from '../membership/payment-methods.ts'
import { syncInvoicePayment } from '../membership/membership-refunds.ts'
import { saveCard } from '../membership/saved-cards.ts'
import { abandonOrder, payOrder } from '../orders/service.ts'
import {
  settleAmountMismatch,
  recordAmountMismatch,
  recordPaidAttempt,
  recordRefusedAttempt,
} from '../orders/payment-attempts.ts'
import {
  type OrderRow as Order,
  lockOrder,
  selectOrder,
  storeIntent,
  updateOrder,
  selectOrderIdByIntent,
} from '../orders/queries.ts'
import { refundOrder, restoreOrder, settleDispute } from '../orders/refunds-and-disputes.ts'
import { syncRefunds } from '../refunds/service.ts'

interface Settled {
  readonly outcome: PaymentOutcome
  readonly order: Order | null
}

/**
 * Idempotent, because the return page and the webhook race each other on every purchase (trap 24).
 * @throws {NotAtProvider} if the provider does not know the payment
 */
export async function settleOrder(shop: Shop, intentId: string): Promise<Settled> {
  const id = await selectOrderIdByIntent(shop.db, intentId)
  const before = id === undefined ? undefined : await selectOrder(shop.db, id)
  // Fetch the payment before locking, so that a slow provider never blocks a row.
  return settleBy(shop, await shop.payments.retrievePayment(intentId), before?.refundedMinor)
}

export async function settlePayment(shop: Shop, intentId: string): Promise<void> {
  await syncRefunds(shop, intentId)
  // The payment is stored with its order before it can be paid, unless the server died between the two.
  const isOrders = (await selectOrderIdByIntent(shop.db, intentId)) !== undefined
  if (isOrders || !(await syncInvoicePayment(shop, intentId))) await settleOrder(shop, intentId)
}

/**
 * @param seenMinor the refunded sum here (pence), read before the payment was fetched. Only then is a smaller sum at
 * the provider a failed refund, and not an out-of-date copy.
 */
export async function settleBy(shop: Shop, payment: Payment, seenMinor?: number): Promise<Settled> {
  const orderId = await orderIdOf(shop, payment)
  const dispute = payment.disputed ? await shop.payments.disputeDetailsOf(payment.id) : NO_DISPUTE
  const isReturned = payment.state === 'paid' && payment.refundedMinor >= payment.amountMinor
  if (isReturned) await settleAmountMismatch(shop, payment.id)
  if (orderId === undefined) return { outcome: outcomeOf(payment), order: null }
  const subject = { orderId, intentId: payment.id }
  if (payment.refusal) await recordRefusedAttempt(shop, subject, payment.refusal)
  return shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return { outcome: outcomeOf(payment), order: null }
    if (payment.state === 'cancelled' && (await abandonOrder(tx, order.id)))
      shop.metrics.orders.add(1, 'abandoned')
    if (payment.state !== 'paid') return { outcome: outcomeOf(payment), order }

    // Even if the order was abandoned here: the buyer has paid, so the titles are delivered.
    if (order.state !== 'paid') {
      if (payment.amountMinor !== order.totalMinor || payment.currency.toLowerCase() !== 'gbp') {
        if (isReturned) {
          await abandonOrder(tx, order.id)
          return { outcome: 'cancelled', order }
        }
        await recordAmountMismatch({ ...shop, db: tx }, subject, 'another_sum')
        return { outcome: 'checking', order }
      }
      await payOrder(tx, shop, order, {
        type: payment.method ?? 'card',
        last4: payment.cardLast4,
        wallet: payment.card?.wallet ?? null,
      })
      await recordPaidAttempt({ ...shop, db: tx }, subject)
      if (payment.savesCard && order.userId !== null && payment.card) {
        await saveCard(tx, order.userId, payment.card, shop.clock.now())
        await updateOrder(tx, order.id, { savesCard: true })
      }
    }
    const paid: Order = { ...order, state: 'paid' }
    // If the provider does not list the disputes of a disputed payment yet, treat it as open.
    const state = payment.disputed && dispute.state === 'none' ? 'open' : dispute.state
    await settleDispute(tx, shop, paid, { ...dispute, state })
    const isLost = state === 'lost'
    const backMinor = isLost ? order.totalMinor : payment.refundedMinor
    // Money that the bank took is not our refund and has its own email.
    if (backMinor >= order.refundedMinor) await refundOrder(tx, shop, paid, backMinor, { quietly: isLost })
    else if (state !== 'open' && seenMinor === order.refundedMinor)
      await restoreOrder(tx, shop, paid, backMinor)
    return { outcome: 'paid', order: paid }
  })
}

const NO_DISPUTE = { state: 'none', isRefundable: true } as const

/** For a browser that proves itself with the client secret (ROLE-22). */
export async function resolvePaymentReturn(
  shop: Shop,
  proof: { intentId: string; clientSecret: string },
): Promise<PaymentReturn> {
  const { intentId, clientSecret } = proof
  // Every payment is stored before its secret is handed out, so a guess never reaches the provider.
  if ((await selectOrderIdByIntent(shop.db, intentId)) === undefined) {
    const membership = await returnFromMembershipPayment(shop, proof)
    if (!membership) throw notFound()
    const { payment, subscriptionId: id, userId } = membership
    const outcome = outcomeOf(payment)
    return { outcome, order: null, membership: { id, userId }, refusal: paymentRefusal(outcome, payment) }
  }
  const payment = await shop.payments.retrievePayment(intentId)
  const [known, given] = [Buffer.from(payment.clientSecret), Buffer.from(clientSecret)]
  if (known.length !== given.length || !timingSafeEqual(known, given)) throw notFound()
  const settled = await settleBy(shop, payment)
  return { ...settled, refusal: paymentRefusal(settled.outcome, payment) }
}

interface PaymentReturn extends Settled {
  readonly refusal: PaymentRefusal | null
  readonly membership?: { readonly id: string; readonly userId: string | null }
}

export function paymentRefusal(outcome: PaymentOutcome, { refusal }: Payment): PaymentRefusal | null {
  if (outcome !== 'refused' || refusal === null) return null
  return REFUSAL_BY_CODE[refusal.declineCode ?? ''] ?? REFUSAL_BY_CODE[refusal.code] ?? 'declined'
}
const REFUSAL_BY_CODE: Readonly<Record<string, PaymentRefusal>> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  incorrect_cvc: 'wrong_cvc',
  invalid_cvc: 'wrong_cvc',
  authentication_required: 'not_authenticated',
  payment_intent_authentication_failure: 'not_authenticated',
  payment_intent_payment_attempt_failed: 'not_approved',
}

/** The order is stored with its payment. If the server died before it stored it, the payment's metadata names it. */
async function orderIdOf({ db }: Shop, payment: Payment): Promise<string | undefined> {
  const known = await selectOrderIdByIntent(db, payment.id)
  if (known) return known
  const { order } = payment.metadata
  if (!order || !/^[0-9a-f-]{36}$/.test(order)) return undefined
  await storeIntent(db, order, payment.id)
  return selectOrderIdByIntent(db, payment.id)
}

function outcomeOf({ state, refusal }: Payment): PaymentOutcome {
  if (state === 'paid') return 'paid'
  if (state === 'pending') return 'checking'
  if (state === 'cancelled') return 'cancelled'
  return refusal ? 'refused' : 'open'
}
