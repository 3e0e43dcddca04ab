import type { CardRefusal } from './card-refusal.ts'

/** The payment provider sends its events here (`features/checkout`); the raw body is what is signed. */
export const WEBHOOK_PATH = '/api/webhooks/stripe'

/** Events that the provider has to send; any other is taken and does nothing. */
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
 * The subject of an event: the object whose state is asked for, and settled. An invoice of a membership is told as
 * the membership, whose it stays for ever. Its payment is told as both, and `invoices.paidBy` leads from one to the
 * other.
 */
export interface Subject {
  readonly kind: 'payment' | 'setUp' | 'subscription' | 'invoice' | 'customer' | 'method'
  readonly id: string
}

export interface RefusedTry {
  readonly intentId: string
  readonly refusal: CardRefusal
}

/** News from the provider. It comes late, twice, and in any order: ask for the subject again, trust no copy. */
export interface ProviderEvent {
  /** `evt_…`, the same when it is sent again. */
  readonly id: string
  /** The provider's name: `payment_intent.succeeded`, `charge.refunded` … */
  readonly type: string
  readonly createdAt: Date
  /** Null where the shop has nothing to settle by it. */
  readonly subject: Subject | null
  /** The try to pay that it speaks of. By now another may have succeeded, so that asking would not find it. */
  readonly refused?: RefusedTry | undefined
}
