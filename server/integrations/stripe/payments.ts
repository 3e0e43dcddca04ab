import type { CardRefusal } from './card-refusal.ts'
import type { ProviderEvent } from './events.ts'
import { nothingFrom, notConfigured } from './not-configured.ts'

/** The provider's minimum charge is 30 pence (docs/product.md, Money). */
export const LEAST_CHARGE_MINOR = 30

/**
 * The provider-independent state of a payment: `open` waits for a card, an authentication or another attempt; `pending`
 * is with the bank; `paid` and `cancelled` are final.
 */
export type PaymentState = 'open' | 'pending' | 'paid' | 'cancelled'

export type PaymentMethod = 'card' | 'paypal'

export interface Payment {
  /** `pi_…` */
  readonly id: string
  /** Only for the browser of the payer. */
  readonly clientSecret: string
  readonly state: PaymentState
  readonly amountMinor: number
  readonly currency: string
  /** `cus_…` */
  readonly customer: string | null
  /** Null while it is not paid. */
  readonly method: PaymentMethod | null
  readonly cardLast4: string | null
  /** Why the last attempt failed; the next attempt clears it. */
  readonly refusal: CardRefusal | null
  readonly metadata: Readonly<Record<string, string>>
  readonly refundedMinor: number
  readonly disputed: boolean
  readonly createdAt: Date
}

export interface Refund {
  /** `re_…` */
  readonly id: string
  readonly payment: string
  readonly amountMinor: number
  /** A refund that is `done` can still fail: its money is then back on the payment. */
  readonly state: 'pending' | 'done' | 'failed'
  /** Why it failed: `expired_or_canceled_card` … */
  readonly problem: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Date
}

export interface RefundedPart {
  readonly amountMinor?: number
  /** Returned with the refund. */
  readonly metadata?: Readonly<Record<string, string>>
}

export type DisputeState = 'none' | 'open' | 'won' | 'lost'

export interface DisputeDetails {
  readonly state: DisputeState
  /** True if the provider still refunds the payment, from the dispute's `is_charge_refundable`. */
  readonly isRefundable: boolean
}

export interface NewPayment {
  readonly amountMinor: number
  readonly description?: string
  /** Returned with the payment: the order id and other data that find it again. */
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * Single payments in the shop's own terms: pence, one state, no Stripe fields.
 *
 * Calls with the same `idempotencyKey` and the same parameters return the first result again. The same key with other
 * parameters throws `PaymentConflict`. Every call may throw `PaymentsUnavailable`: whether it was carried out is then
 * unknown, and it is safe to repeat it with the same key.
 */
export interface Payments {
  /** False for test keys: the shop then says that no money moves. */
  readonly live: boolean
  /** CONST-12. */
  readonly publishableKey: string

  /** By card or PayPal, in pounds sterling. */
  createPayment(params: NewPayment, idempotencyKey: string): Promise<Payment>
  /** @throws {NotAtProvider} */
  retrievePayment(id: string): Promise<Payment>
  /** A payment made in the meantime stays paid: check `state`. */
  cancelPayment(id: string): Promise<Payment>
  /** Newest first; pages are fetched while they are read. */
  listPayments(range: Range): AsyncIterable<Payment>

  /**
   * Refunds a part, or all that is left.
   *
   * @throws {PaymentConflict} if nothing is left
   */
  refundPayment(payment: string, part: RefundedPart, idempotencyKey: string): Promise<Refund>
  /** Including failed ones, newest first. */
  refundsOf(payment: string): Promise<readonly Refund[]>
  /** Payments with a refund or dispute in this time range. */
  listReturned(range: Range): AsyncIterable<string>
  /** The state of the payment's dispute. `disputed` stays true after it is won. */
  disputeOf(payment: string): Promise<DisputeState>
  disputeDetailsOf(payment: string): Promise<DisputeDetails>

  /**
   * Verifies and parses a webhook event; its signature may be at most five minutes old.
   *
   * @throws {BadSignature} answer 400 and change nothing
   */
  readWebhook(rawBody: Buffer, signature: string | undefined): Promise<ProviderEvent>
  /** The same events from the provider's event list, newest first. It contains the last 30 days. */
  listEvents(range: Range): AsyncIterable<ProviderEvent>
}

export interface Range {
  readonly since?: Date
  readonly until?: Date
}

export const takesPayments = ({ publishableKey }: Pick<Payments, 'publishableKey'>): boolean =>
  publishableKey !== ''

export const noPayments: Payments = {
  live: false,
  publishableKey: '',
  createPayment: notConfigured,
  retrievePayment: notConfigured,
  cancelPayment: notConfigured,
  listPayments: nothingFrom,
  listReturned: nothingFrom,
  refundPayment: notConfigured,
  refundsOf: notConfigured,
  disputeOf: notConfigured,
  disputeDetailsOf: notConfigured,
  readWebhook: notConfigured,
  listEvents: nothingFrom,
}
