import type Stripe from 'stripe'
import type { CardRefusal } from './card-refusal.ts'
import type { DisputeState, Payment, PaymentState, Refund } from './payments.ts'
import { dateOf, idOf } from './response-parsing.ts'

/** `latest_charge` must be expanded in the intent. */
export function payment(intent: Stripe.PaymentIntent): Payment {
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
    refusal: refusal(intent.last_payment_error),
    metadata: intent.metadata,
    refundedMinor: charge?.amount_refunded ?? 0,
    disputed: charge?.disputed ?? false,
    createdAt: dateOf(intent.created),
  }
}

type LastError = Stripe.PaymentIntent.LastPaymentError | Stripe.SetupIntent.LastSetupError

export function refusal(error: LastError | null): CardRefusal | null {
  if (!error) return null
  const { code = 'unknown', decline_code: declineCode = null, message = '', charge } = error
  // If the bank was not asked, there is no charge; but each attempt creates a new payment method.
  return { tryId: charge ?? error.payment_method?.id ?? code, code, declineCode, message }
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

export function refund(given: Stripe.Refund): Refund {
  return {
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
  }
}

/** A bank's inquiries before a dispute count as disputes. Of several the worst state counts. */
export function disputeState(statuses: readonly string[]): DisputeState {
  const states = statuses.map((status) => DISPUTES[status] ?? 'open')
  return (['lost', 'open', 'won'] as const).find((state) => states.includes(state)) ?? 'none'
}

const DISPUTES: Readonly<Record<string, DisputeState>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}
