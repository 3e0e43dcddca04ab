import { MINUTE_MS } from '#contract/durations.ts'
import type { BusinessTime } from '../../clock.ts'
import type { CardRefusal } from '../../integrations/stripe/payments.ts'
import { ConcurrentRequest, NoProvider, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import { outdated } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { insertPaymentAttempt, markMismatchSettled, type NewPaymentAttempt } from './queries.ts'

export const paymentStillChecked = () =>
  outdated('An earlier payment is still being checked. Please try again in a moment.', 5)

type AttemptSubject = Partial<Pick<NewPaymentAttempt, 'orderId' | 'subscriptionId' | 'intentId'>>
type AttemptShop = Pick<Shop, 'db' | 'clock' | 'log' | 'metrics'>

/** Call it in the transaction that delivers the purchase. */
export const recordPaidAttempt = (
  shop: AttemptShop,
  subject: AttemptSubject & { readonly intentId: string },
): Promise<void> => recordAttempt(shop, { ...subject, outcome: 'paid', key: `paid:${subject.intentId}` })

export const recordRefusedAttempt = (
  shop: AttemptShop,
  subject: AttemptSubject & { readonly intentId: string },
  { tryId, declineCode, code }: CardRefusal,
  triedAt: BusinessTime = shop.clock.now(),
): Promise<void> =>
  recordAttempt(shop, {
    ...subject,
    triedAt,
    outcome: 'refused',
    reason: declineCode ?? code,
    key: `refused:${subject.intentId}:${tryId}`,
  })

/** Records that no payment could be attempted because the provider did not answer. Ignores every other error. */
export async function recordUnansweredAttempt(
  shop: AttemptShop,
  subject: AttemptSubject,
  error: unknown,
): Promise<void> {
  if (!(error instanceof PaymentsUnavailable) || isAnswer(error)) return
  const minute = Math.floor(shop.clock.now().getTime() / MINUTE_MS)
  await recordAttempt(shop, {
    ...subject,
    outcome: 'unanswered',
    // A page that retries within the minute repeats the same attempt.
    key: `unanswered:${subject.orderId ?? subject.subscriptionId}:${minute}`,
  })
}

const isAnswer = (error: PaymentsUnavailable) =>
  error instanceof ConcurrentRequest || error instanceof NoProvider

export const recordAmountMismatch = (
  shop: AttemptShop,
  subject: AttemptSubject & { readonly intentId: string },
  reason: 'another_sum' | 'unknown_order',
): Promise<void> =>
  recordAttempt(shop, { ...subject, outcome: 'misfit', reason, key: `misfit:${subject.intentId}` })

export const settleAmountMismatch = ({ db, clock }: AttemptShop, intentId: string): Promise<void> =>
  markMismatchSettled(db, `misfit:${intentId}`, clock.now())

const LOG_MESSAGES = {
  paid: 'a payment went through',
  refused: 'a payment was refused',
  unanswered: 'nobody could pay: the payment provider did not answer',
  misfit: 'a payment is not what its order costs',
} as const
const LOG_LEVELS = { paid: 'info', refused: 'info', unanswered: 'error', misfit: 'error' } as const

async function recordAttempt(
  { db, clock, log, metrics }: AttemptShop,
  { triedAt = clock.now(), ...tried }: Omit<NewPaymentAttempt, 'triedAt'> & { readonly triedAt?: Date },
): Promise<void> {
  if (!(await insertPaymentAttempt(db, { ...tried, triedAt }))) return
  const { outcome, orderId: order, subscriptionId: subscription, intentId: intent, reason } = tried
  metrics.paymentTries.add(1, outcome)
  if (outcome === 'paid') metrics.orders.add(1, 'paid')
  log[LOG_LEVELS[outcome]]({ payment: outcome, order, subscription, intent, reason }, LOG_MESSAGES[outcome])
}
