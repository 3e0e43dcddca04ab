import { MINUTE_MS } from '#contract/durations.ts'
import type { CardRefusal } from '../../integrations/stripe/payments.ts'
import { ConcurrentRequest, NoProvider, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import {
  insertTry,
  type NewTry,
  selectTries,
  selectUnsettledMisfits,
  type TryRow,
  updateSettled,
} from './payment-attempt-queries.ts'

type Whose = Partial<Pick<NewTry, 'orderId' | 'subscriptionId' | 'intentId'>>
type TryShop = Pick<Shop, 'db' | 'clock' | 'log' | 'metrics'>

/** Records a successful payment. Call it in the transaction that delivers the purchase. */
export const notePaid = (shop: TryShop, whose: Whose & { readonly intentId: string }): Promise<void> =>
  note(shop, { ...whose, outcome: 'paid', key: `paid:${whose.intentId}` })

/** Records a payment that the bank declined, or whose authentication failed. */
export const noteRefused = (
  shop: TryShop,
  whose: Whose & { readonly intentId: string },
  { tryId, declineCode, code }: CardRefusal,
  triedAt: Date = shop.clock.now(),
): Promise<void> =>
  note(shop, {
    ...whose,
    triedAt,
    outcome: 'refused',
    reason: declineCode ?? code,
    key: `refused:${whose.intentId}:${tryId}`,
  })

/** Records that no payment could be attempted because the provider did not answer. Ignores every other error. */
export async function noteUnanswered(shop: TryShop, whose: Whose, error: unknown): Promise<void> {
  if (!(error instanceof PaymentsUnavailable) || isAnswer(error)) return
  const minute = Math.floor(shop.clock.now().getTime() / MINUTE_MS)
  await note(shop, {
    ...whose,
    outcome: 'unanswered',
    // A page that retries within the minute repeats the same attempt.
    key: `unanswered:${whose.orderId ?? whose.subscriptionId}:${minute}`,
  })
}

const isAnswer = (error: PaymentsUnavailable) =>
  error instanceof ConcurrentRequest || error instanceof NoProvider

/** Records money that does not match its order (amount mismatch). A person has to look at it. */
export const noteMisfit = (
  shop: TryShop,
  whose: Whose & { readonly intentId: string },
  reason: 'another_sum' | 'unknown_order',
): Promise<void> => note(shop, { ...whose, outcome: 'misfit', reason, key: `misfit:${whose.intentId}` })

/** The whole amount was refunded, so the mismatch is resolved. */
export const settleMisfit = ({ db, clock }: TryShop, intentId: string): Promise<void> =>
  updateSettled(db, `misfit:${intentId}`, clock.now())

export const unsettledMisfits = (db: Shop['db'], limit: number) => selectUnsettledMisfits(db, limit)

/** All attempts to pay an order or a membership, oldest first. */
export const triesOf = (db: Shop['db'], id: string): Promise<TryRow[]> => selectTries(db, id)

const SAID = {
  paid: 'a payment went through',
  refused: 'a payment was refused',
  unanswered: 'nobody could pay: the payment provider did not answer',
  misfit: 'a payment is not what its order costs',
} as const
const LEVELS = { paid: 'info', refused: 'info', unanswered: 'error', misfit: 'error' } as const

/** Stores, logs and counts each attempt once, even if it is reported several times from several places. */
async function note(
  { db, clock, log, metrics }: TryShop,
  { triedAt = clock.now(), ...tried }: Omit<NewTry, 'triedAt'> & { readonly triedAt?: Date },
): Promise<void> {
  if (!(await insertTry(db, { ...tried, triedAt }))) return
  const { outcome, orderId: order, subscriptionId: subscription, intentId: intent, reason } = tried
  metrics.paymentTries.add(1, outcome)
  if (outcome === 'paid') metrics.orders.add(1, 'paid')
  log[LEVELS[outcome]]({ payment: outcome, order, subscription, intent, reason }, SAID[outcome])
}
