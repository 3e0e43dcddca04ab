/** Where the payment provider sends its events (`features/checkout`); the raw body is what is signed. */
export const WEBHOOK_PATH = '/api/webhooks/stripe'

/** What an event is about: whose state is to be asked for, and settled. */
export interface Subject {
  readonly kind: 'payment'
  readonly id: string
}

/** News from the provider. It comes late, twice, and in any order: ask for the subject again, trust no copy. */
export interface ProviderEvent {
  /** `evt_…`, the same when it is sent again. */
  readonly id: string
  /** The provider's name: `payment_intent.succeeded`, `charge.refunded` … */
  readonly type: string
  /** Null where the shop has nothing to settle by it. */
  readonly subject: Subject | null
}
