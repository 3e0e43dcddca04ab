import type Stripe from 'stripe'
import { type Wallet, WALLETS } from '#contract/wallets.ts'
import { errorCode } from '../../log/error-code.ts'
import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { all, type Client, createdIn, dateOf, idOf, PAGE, type Range, typeOf } from './client.ts'

/** The provider's minimum charge is 30 pence (docs/product.md, Money). */
export const LEAST_CHARGE_MINOR = 30

/** `open` waits for a card, an authentication or another attempt; `pending` is with the bank. */
export type PaymentState = 'open' | 'pending' | 'paid' | 'cancelled'

export type PaymentMethod = 'card' | 'paypal'

export interface Payment {
  readonly id: string
  /** Only for the browser of the payer. */
  readonly clientSecret: string
  readonly state: PaymentState
  readonly amountMinor: number
  readonly currency: string
  readonly customer: string | null
  readonly method: PaymentMethod | null
  readonly cardLast4: string | null
  /** The card that paid; null for PayPal, and until it is paid. */
  readonly card: PaidCard | null
  /** The card is stored for later payments once it has paid. */
  readonly savesCard: boolean
  /** The bank wants an authentication from the buyer. */
  readonly needsAuthentication: boolean
  /** Why the last attempt failed; the next attempt clears it. */
  readonly refusal: CardRefusal | null
  readonly metadata: Readonly<Record<string, string>>
  readonly refundedMinor: number
  readonly disputed: boolean
  readonly createdAt: Date
}

export interface PaidCard {
  /** The `pm_…`. */
  readonly id: string
  readonly brand: string
  readonly last4: string
  /** The first moment after the card expires. */
  readonly expiresAt: Date
  /** The wallet that it was paid from. */
  readonly wallet: Wallet | null
}

export interface CardRefusal {
  /** Identifies the attempt: no other attempt of the same payment has it. */
  readonly tryId: string
  /** `card_declined`, `expired_card`, `payment_intent_authentication_failure` … */
  readonly code: string
  /** `insufficient_funds`, `generic_decline` …; null if the bank gave no reason. */
  readonly declineCode: string | null
  readonly message: string
}

export interface Refund {
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
  readonly metadata: Readonly<Record<string, string>>
}

export const takesPayments = ({ publishableKey }: { readonly publishableKey: string }): boolean =>
  publishableKey !== ''

/** The bank has refused, or a concurrent press has paid. */
const MAY_BE_DECIDED: ReadonlySet<unknown> = new Set(['StripeCardError', 'StripeInvalidRequestError'])

const WHOLE = ['latest_charge']
const WHOLE_LIST = ['data.latest_charge']

export function openPayments({ ask, each }: Client, settings: PaymentSettings | undefined) {
  return {
    /** False for test keys: the shop then says that no money moves. */
    live: settings?.live ?? false,
    /** CONST-12. */
    publishableKey: settings?.publishableKey ?? '',

    /** By card or PayPal, in pounds sterling. */
    createPayment: ({ amountMinor, ...more }: NewPayment, idempotencyKey: string): Promise<Payment> =>
      ask('createPayment', async ({ paymentIntents }) => {
        const params = {
          ...more,
          amount: amountMinor,
          currency: 'gbp',
          allowed_payment_method_types: ['card', 'paypal'],
          expand: WHOLE,
        } satisfies Stripe.PaymentIntentCreateParams
        return toPayment(await paymentIntents.create(params, { idempotencyKey }))
      }),

    retrievePayment: (id: string): Promise<Payment> =>
      ask('retrievePayment', async ({ paymentIntents }) =>
        toPayment(await paymentIntents.retrieve(id, { expand: WHOLE })),
      ),

    /** Whether the card that pays is stored with this customer. null: it isn't. */
    saveCardOf: (id: string, customer: string | null): Promise<Payment> =>
      ask('saveCardOf', async ({ paymentIntents }) => {
        const params = customer
          ? { customer, setup_future_usage: 'off_session' as const }
          : { setup_future_usage: '' as const }
        return toPayment(await paymentIntents.update(id, { ...params, expand: WHOLE }))
      }),

    /**
     * Charges a card that is attached to the customer, while the buyer waits. If the bank wants an authentication, the
     * payment stays open without a refusal. A refusal is in the result, too.
     */
    payWithSaved: (
      id: string,
      { customer, method }: { readonly customer: string; readonly method: string },
      idempotencyKey: string,
    ): Promise<Payment> =>
      ask('payWithSaved', async ({ paymentIntents }) => {
        try {
          await paymentIntents.update(id, { customer })
          await paymentIntents.confirm(
            id,
            { payment_method: method, use_stripe_sdk: true },
            { idempotencyKey },
          )
        } catch (error) {
          if (errorCode(error) === 'resource_missing' || !MAY_BE_DECIDED.has(typeOf(error))) throw error
        }
        // The answer to a repeated call is that of the first one; the payment may have gone on since.
        return toPayment(await paymentIntents.retrieve(id, { expand: WHOLE }))
      }),

    /** A payment made in the meantime stays paid: check `state`. */
    cancelPayment: (id: string): Promise<Payment> =>
      ask('cancelPayment', async ({ paymentIntents }) => {
        try {
          return toPayment(await paymentIntents.cancel(id, { expand: WHOLE }))
        } catch (error) {
          if (errorCode(error) !== 'payment_intent_unexpected_state') throw error
          return toPayment(await paymentIntents.retrieve(id, { expand: WHOLE }))
        }
      }),

    listPayments: (range: Range): AsyncIterable<Payment> =>
      each('listPayments', async function* ({ paymentIntents }) {
        const params = { ...createdIn(range), limit: PAGE, expand: WHOLE_LIST }
        for await (const intent of paymentIntents.list(params)) yield toPayment(intent)
      }),

    /** A part, or all that is left. @throws {PaymentConflict} if nothing is left */
    refundPayment: (
      payment: string,
      { amountMinor, ...more }: RefundedPart,
      idempotencyKey: string,
    ): Promise<Refund> =>
      ask('refundPayment', async ({ refunds }) => {
        const amount = amountMinor === undefined ? {} : { amount: amountMinor }
        return toRefund(
          await refunds.create({ payment_intent: payment, ...more, ...amount }, { idempotencyKey }),
        )
      }),

    /** Including failed ones, newest first. */
    refundsOf: (payment: string): Promise<readonly Refund[]> =>
      ask('refundsOf', async ({ refunds }) =>
        (await all(refunds.list({ payment_intent: payment, limit: PAGE }))).map(toRefund),
      ),

    listReturned: (range: Range): AsyncIterable<string> =>
      each('listReturned', async function* ({ refunds, disputes }) {
        const params = { ...createdIn(range), limit: PAGE }
        const seen = new Set<string>()
        for (const returned of [refunds.list(params), disputes.list(params)])
          for await (const { payment_intent: intent } of returned) {
            const id = idOf(intent)
            if (id && !seen.has(id)) yield id
            if (id) seen.add(id)
          }
      }),

    /** The state of the payment's dispute. `disputed` stays true after it is won. */
    disputeOf: (payment: string): Promise<DisputeState> =>
      ask('disputeOf', async (stripe) => (await disputeOf(stripe, payment)).state),

    disputeDetailsOf: (payment: string): Promise<DisputeDetails> =>
      ask('disputeDetailsOf', (stripe) => disputeOf(stripe, payment)),
  }
}

/** `latest_charge` must be expanded in the intent. */
export function toPayment(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const { card, type } = charge?.payment_method_details ?? {}
  const isPaid = intent.status === 'succeeded'
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    state: STATES[intent.status] ?? 'open',
    amountMinor: intent.amount,
    currency: intent.currency,
    customer: idOf(intent.customer),
    method: isPaid ? (type === 'paypal' ? 'paypal' : 'card') : null,
    cardLast4: isPaid ? (card?.last4 ?? null) : null,
    card: isPaid ? paidCard(charge) : null,
    savesCard: intent.setup_future_usage === 'off_session',
    needsAuthentication: intent.status === 'requires_action',
    refusal: toRefusal(intent.last_payment_error),
    metadata: intent.metadata,
    refundedMinor: charge?.amount_refunded ?? 0,
    disputed: charge?.disputed ?? false,
    createdAt: dateOf(intent.created),
  }
}

/** A card is valid until the end of its month. */
export const endOfMonth = (card: { readonly exp_year: number; readonly exp_month: number }): Date =>
  new Date(Date.UTC(card.exp_year, card.exp_month))

function paidCard(charge: Stripe.Charge | null): PaidCard | null {
  const card = charge?.payment_method_details?.card
  const id = charge?.payment_method
  if (!card?.last4 || !id) return null
  return {
    id,
    brand: card.brand ?? 'card',
    last4: card.last4,
    expiresAt: endOfMonth(card),
    wallet: WALLETS.find((wallet) => wallet === card.wallet?.type) ?? null,
  }
}

const STATES: Readonly<Record<string, PaymentState>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  processing: 'pending',
  requires_capture: 'pending',
  succeeded: 'paid',
  canceled: 'cancelled',
}

type LastError = Stripe.PaymentIntent.LastPaymentError | Stripe.SetupIntent.LastSetupError

export function toRefusal(error: LastError | null): CardRefusal | null {
  if (!error) return null
  const { code = 'unknown', decline_code: declineCode = null, message = '', charge } = error
  // If the bank was not asked, there is no charge; but each attempt creates a new payment method.
  return { tryId: charge ?? error.payment_method?.id ?? code, code, declineCode, message }
}

const toRefund = (given: Stripe.Refund): Refund => ({
  id: given.id,
  payment: idOf(given.payment_intent) ?? '',
  amountMinor: given.amount,
  state:
    given.status === 'succeeded'
      ? 'done'
      : given.status === 'failed' || given.status === 'canceled'
        ? 'failed'
        : 'pending',
  problem: given.failure_reason ?? null,
  metadata: given.metadata ?? {},
  createdAt: dateOf(given.created),
})

/** A bank's inquiries before a dispute count as disputes. Of several the worst state counts. */
async function disputeOf({ disputes }: Stripe, payment: string): Promise<DisputeDetails> {
  const found = await all(disputes.list({ payment_intent: payment, limit: PAGE }))
  const states = found.map(({ status }) => DISPUTES[status] ?? 'open')
  return {
    state: (['lost', 'open', 'won'] as const).find((state) => states.includes(state)) ?? 'none',
    isRefundable: found.every(({ is_charge_refundable: isRefundable }) => isRefundable),
  }
}

const DISPUTES: Readonly<Record<string, DisputeState>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}
