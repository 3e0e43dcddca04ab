import type { CardRefusal } from './card-refusal.ts'

/** The webhook endpoint (`features/checkout`). The signature covers the raw body. */
export const WEBHOOK_PATH = '/api/webhooks/stripe'

/** Event types to subscribe to; others are acknowledged and ignored. */
export const WEBHOOK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.refund.updated',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.trial_will_end',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.upcoming',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'customer.deleted',
  'payment_method.automatically_updated',
  'payment_method.detached',
  'mandate.updated',
] as const

/**
 * The object that an event is about, which is fetched and synced. An event about a membership's invoice has the
 * membership as its subject. Events about the invoice's payment have the payment; `invoices.paidBy` finds its invoice.
 */
export interface Subject {
  readonly kind: 'payment' | 'setUp' | 'subscription' | 'invoice' | 'customer' | 'method'
  readonly id: string
}

export interface RefusedTry {
  readonly intentId: string
  readonly refusal: CardRefusal
}

/**
 * A webhook event. Events arrive late, twice and in any order, so fetch the subject again instead of using the event's
 * copy.
 */
export interface ProviderEvent {
  /** `evt_…`, the same for repeated deliveries. */
  readonly id: string
  /** The provider's event type: `payment_intent.succeeded`, `charge.refunded` … */
  readonly type: string
  readonly createdAt: Date
  /** Null if the shop has nothing to do. */
  readonly subject: Subject | null
  /**
   * The failed payment attempt that it reports. A later attempt may have succeeded, so fetching the payment would not
   * find it.
   */
  readonly refused?: RefusedTry | undefined
}
