import type { CardRefusal } from './card-refusal.ts'
import type { ProviderEvent } from './events.ts'
import { nothingFrom, notConfigured } from './not-configured.ts'

/** The provider takes nothing below 30 pence (docs/product.md, Money). */
export const LEAST_CHARGE_MINOR = 30

/**
 * The state of a payment, whatever the provider calls it: `open` waits for a card, an approval or another try;
 * `pending` is with the bank; `paid` and `cancelled` are final.
 */
export type PaymentState = 'open' | 'pending' | 'paid' | 'cancelled'

export type PaymentMethod = 'card' | 'paypal'

export interface Payment {
  /** `pi_…` */
  readonly id: string
  /** For the browser of the one who pays, and for nobody else. */
  readonly clientSecret: string
  readonly state: PaymentState
  readonly amountMinor: number
  readonly currency: string
  /** `cus_…` */
  readonly customer: string | null
  /** How it was paid; null while it is not. */
  readonly method: PaymentMethod | null
  readonly cardLast4: string | null
  /** Why the last try failed; the next try clears it. */
  readonly refusal: CardRefusal | null
  readonly metadata: Readonly<Record<string, string>>
  /** The total refunded so far. */
  readonly refundedMinor: number
  readonly disputed: boolean
  readonly createdAt: Date
}

export interface Refund {
  /** `re_…` */
  readonly id: string
  readonly payment: string
  readonly amountMinor: number
  /** One that was done may fail in the end: its money is back on the payment then. */
  readonly state: 'pending' | 'done' | 'failed'
  /** Why it failed: `expired_or_canceled_card` … */
  readonly problem: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Date
}

export interface RefundedPart {
  readonly amountMinor?: number
  /** Comes back with the refund. */
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
  /** Comes back with the payment: the order's id and what else finds it again. */
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * Single payments as the shop's rules see them: pence, one state, no field of Stripe's.
 *
 * `idempotencyKey` is the idempotency key: the same key and the same request answer the first answer again, however often
 * a call is repeated. The same key with another request throws `PaymentConflict`.
 * Every call may throw `PaymentsUnavailable`: whether it was done is then not known, and it is safe to ask again
 * with the same key.
 */
export interface Payments {
  /** False for test keys: the shop then says that no money moves. */
  readonly live: boolean
  /** For the browser (CONST-12). */
  readonly publishableKey: string

  /** Card or PayPal, in pounds sterling. */
  createPayment(params: NewPayment, idempotencyKey: string): Promise<Payment>
  /** @throws {NotAtProvider} */
  retrievePayment(id: string): Promise<Payment>
  /** A payment made in the meantime stays paid and is answered so; look at its `state`. */
  cancelPayment(id: string): Promise<Payment>
  /** Oldest last; pages are fetched as they are read. */
  listPayments(range: Range): AsyncIterable<Payment>

  /** All that is left, or a part of it. @throws {PaymentConflict} when nothing is left. */
  refundPayment(payment: string, part: RefundedPart, idempotencyKey: string): Promise<Refund>
  /** All that was tried, newest first. */
  refundsOf(payment: string): Promise<readonly Refund[]>
  /** Payments of which money went back, or was asked back by a bank, in that time. */
  listReturned(range: Range): AsyncIterable<string>
  /** The state of the buyer's dispute of a payment: `disputed` stays true when it is won. */
  disputeOf(payment: string): Promise<DisputeState>
  disputeDetailsOf(payment: string): Promise<DisputeDetails>

  /**
   * Reads a webhook: signature first, at most five minutes old.
   * @throws {BadSignature} answer 400 and change nothing.
   */
  readWebhook(rawBody: Buffer, signature: string | undefined): Promise<ProviderEvent>
  /** The same events from the provider's own list, newest first: it keeps them for 30 days. */
  listEvents(range: Range): AsyncIterable<ProviderEvent>
}

export interface Range {
  readonly since?: Date
  readonly until?: Date
}

/** True if its owner has set the keys of a provider. */
export const takesPayments = ({ publishableKey }: Pick<Payments, 'publishableKey'>): boolean =>
  publishableKey !== ''

/** A shop without keys: it sells nothing, and whoever asks is told that payments are not available. */
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
