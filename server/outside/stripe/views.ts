import type Stripe from 'stripe'
import type { ProviderEvent } from './events.ts'
import type { Payment, PaymentState, Refund } from './payments.ts'

/** The latest charge must have been asked for with the intent. */
export function payment(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const { card, type } = charge?.payment_method_details ?? {}
  const error = intent.last_payment_error
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
    refusal: error
      ? {
          code: error.code ?? 'unknown',
          declineCode: error.decline_code ?? null,
          message: error.message ?? '',
        }
      : null,
    metadata: intent.metadata,
    refundedMinor: charge?.amount_refunded ?? 0,
    disputed: charge?.disputed ?? false,
    createdAt: dateOf(intent.created),
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
    createdAt: dateOf(given.created),
  }
}

export function providerEvent(event: Stripe.Event | Stripe.EventBase): ProviderEvent {
  const about: { object?: string; id?: string; payment_intent?: string | { id: string } | null } =
    event.data.object
  const payment = about.object === 'payment_intent' ? about.id : idOf(about.payment_intent ?? null)
  return { id: event.id, type: event.type, subject: payment ? { kind: 'payment', id: payment } : null }
}

const idOf = (given: string | { readonly id: string } | null): string | null =>
  typeof given === 'object' && given !== null ? given.id : given

const dateOf = (seconds: number): Date => new Date(seconds * 1000)
