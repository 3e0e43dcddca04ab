/** Where the payment provider sends its events (`features/checkout`); the raw body is what is signed. */
export const WEBHOOK_PATH = '/api/webhooks/stripe'

/** The provider takes nothing below 30 pence (docs/product.md, Money). */
export const LEAST_CHARGE_MINOR = 30

/**
 * Where a payment stands, whatever the provider calls it:
 * `open` waits for a card, an approval or another try; `pending` is with the bank; `paid` and `cancelled` are final.
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

export interface CardRefusal {
  /** `card_declined`, `expired_card`, `payment_intent_authentication_failure` … */
  readonly code: string
  /** `insufficient_funds`, `generic_decline` …; null where the bank said nothing. */
  readonly declineCode: string | null
  readonly message: string
}

export interface Refund {
  /** `re_…` */
  readonly id: string
  readonly payment: string
  readonly amountMinor: number
  readonly state: 'pending' | 'done' | 'failed'
  readonly createdAt: Date
}

/** News from the provider. Events come late, twice, and in any order: read the payment again, trust no copy. */
export interface PaymentEvent {
  /** `evt_…`, the same when it is sent again. */
  readonly id: string
  /** The provider's name: `payment_intent.succeeded`, `charge.refunded` … */
  readonly type: string
  /** The payment it is about; null where it is about none. */
  readonly payment: string | null
  readonly createdAt: Date
}

export interface NewPayment {
  readonly amountMinor: number
  readonly customer?: string
  readonly description?: string
  /** Comes back with the payment: the order's id and what else finds it again. */
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * The payment provider as the shop's rules see it: pence, one state, no field of Stripe's.
 *
 * `once` is the idempotency key: the same key and the same request answer the first answer again, however often
 * a call is repeated. The same key with another request throws `PaymentConflict`.
 * Every call may throw `PaymentsUnavailable`: whether it was done is then not known, and it is safe to ask again
 * with the same key.
 */
export interface Payments {
  /** False for test keys: the shop then says that no money moves. */
  readonly live: boolean
  /** For the browser (CONST-12). */
  readonly publishableKey: string

  createCustomer(person: Customer, once: string): Promise<{ readonly id: string }>
  updateCustomer(id: string, person: Partial<Customer>): Promise<void>

  /** Card or PayPal, in pounds sterling. */
  createPayment(wish: NewPayment, once: string): Promise<Payment>
  /** @throws {NoSuchPayment} */
  retrievePayment(id: string): Promise<Payment>
  /** While it is open. @throws {PaymentConflict} when it is not. */
  changePayment(id: string, change: Partial<NewPayment>, once: string): Promise<Payment>
  /**
   * Pays on the server with a stored method. A browser confirms by itself and needs no such call.
   * A refused card comes back as an open payment with its `refusal`.
   */
  confirmPayment(id: string, paymentMethod: string, once: string): Promise<Payment>
  /** What was paid in the meantime stays paid and is answered so; look at its `state`. */
  cancelPayment(id: string): Promise<Payment>
  /** Oldest last; pages are fetched as they are read. */
  listPayments(range: Range): AsyncIterable<Payment>

  /** All that is left, or a part of it. @throws {PaymentConflict} when nothing is left. */
  refundPayment(payment: string, part: { readonly amountMinor?: number }, once: string): Promise<Refund>
  listRefunds(payment: string): Promise<readonly Refund[]>

  /** What the provider has said (30 days back), newest first: for what a lost webhook would have told. */
  listEvents(range: Range & { readonly types?: readonly string[] }): AsyncIterable<PaymentEvent>
  /**
   * Reads a webhook: signature first, at most five minutes old.
   * @throws {BadSignature} answer 400 and change nothing.
   */
  readWebhook(rawBody: Buffer, signature: string | undefined): Promise<PaymentEvent>
}

export interface Customer {
  readonly email: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface Range {
  readonly since?: Date
  readonly until?: Date
}

/** The provider did not answer, or answered that it cannot now. Nothing is known about what was asked. */
export class PaymentsUnavailable extends Error {}
/** The request contradicts what the provider knows: another request under this key, or a state that forbids it. */
export class PaymentConflict extends Error {}
export class NoSuchPayment extends Error {}
export class BadSignature extends Error {}

/** A shop without keys: it sells nothing, and whoever asks is told that payments are not available. */
export const noPayments: Payments = {
  live: false,
  publishableKey: '',
  createCustomer: notConfigured,
  updateCustomer: notConfigured,
  createPayment: notConfigured,
  retrievePayment: notConfigured,
  changePayment: notConfigured,
  confirmPayment: notConfigured,
  cancelPayment: notConfigured,
  listPayments: nothingFrom,
  refundPayment: notConfigured,
  listRefunds: notConfigured,
  listEvents: nothingFrom,
  readWebhook: notConfigured,
}

function notConfigured(): Promise<never> {
  return Promise.reject(
    new PaymentsUnavailable(
      'Payments need STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
    ),
  )
}

// eslint-disable-next-line require-yield -- there is nothing to give
async function* nothingFrom(): AsyncGenerator<never> {
  await notConfigured()
}
