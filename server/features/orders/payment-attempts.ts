import { MINUTE_MS } from '#contract/durations.ts'
import type { CardRefusal } from '../../integrations/stripe/card-refusal.ts'
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

/** Somebody paid. Called with the transaction that delivers what was paid. */
export const notePaid = (shop: TryShop, whose: Whose & { readonly intentId: string }): Promise<void> =>
  note(shop, { ...whose, outcome: 'paid', key: `paid:${whose.intentId}` })

/** A bank said no, or was not allowed to say yes. */
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

/** Nobody could try, where that is the error: the provider did not answer. */
export async function noteUnanswered(shop: TryShop, whose: Whose, error: unknown): Promise<void> {
  if (!(error instanceof PaymentsUnavailable) || isAnswer(error)) return
  const minute = Math.floor(shop.clock.now().getTime() / MINUTE_MS)
  await note(shop, {
    ...whose,
    outcome: 'unanswered',
    // A page that asks again within the minute tries the same thing again.
    key: `unanswered:${whose.orderId ?? whose.subscriptionId}:${minute}`,
  })
}

const isAnswer = (error: PaymentsUnavailable) =>
  error instanceof ConcurrentRequest || error instanceof NoProvider

/** Money arrived that does not fit its order: a person has to look. */
export const noteMisfit = (
  shop: TryShop,
  whose: Whose & { readonly intentId: string },
  reason: 'another_sum' | 'unknown_order',
): Promise<void> => note(shop, { ...whose, outcome: 'misfit', reason, key: `misfit:${whose.intentId}` })

/** All of it went back: nobody has to look any more. */
export const settleMisfit = ({ db, clock }: TryShop, intentId: string): Promise<void> =>
  updateSettled(db, `misfit:${intentId}`, clock.now())

/** For the owner: money that fits no order and did not go back. */
export const unsettledMisfits = (db: Shop['db'], limit: number) => selectUnsettledMisfits(db, limit)

/** All tries to pay an order, or a membership, the oldest first. */
export const triesOf = (db: Shop['db'], id: string): Promise<TryRow[]> => selectTries(db, id)

const SAID = {
  paid: 'a payment went through',
  refused: 'a payment was refused',
  unanswered: 'nobody could pay: the payment provider did not answer',
  misfit: 'a payment is not what its order costs',
} as const
const LEVELS = { paid: 'info', refused: 'info', unanswered: 'error', misfit: 'error' } as const

/** Each try is one row, one line and one count, however often and from wherever it is seen. */
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
