import type Stripe from 'stripe'
import type { ProviderEvent, RefusedTry, Subject } from './events.ts'
import { refusal } from './payment-view.ts'
import { dateOf, idOf } from './response-parsing.ts'

type Id = string | { readonly id: string } | null

/** The properties of any Stripe object that identify the event's subject. */
interface About {
  readonly object?: string
  readonly id?: string
  readonly payment_intent?: Id
  readonly customer?: Id
  readonly invoice?: Id
  readonly payment_method?: Id
  readonly subscription?: Id
  readonly released_subscription?: Id
  readonly parent?: { readonly subscription_details?: { readonly subscription: Id } | null } | null
}

export const providerEvent = (event: Stripe.Event | Stripe.EventBase): ProviderEvent => ({
  id: event.id,
  type: event.type,
  createdAt: dateOf(event.created),
  // A detached payment method names its former customer only in the previous attributes.
  subject:
    subjectOf(event.data.object) ?? subjectOf({ ...event.data.object, ...event.data.previous_attributes }),
  refused: refusedTry(event),
})

function refusedTry(event: Stripe.Event | Stripe.EventBase): RefusedTry | undefined {
  if (event.type !== 'payment_intent.payment_failed') return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an event of this type contains a payment intent
  const intent = event.data.object as Stripe.PaymentIntent
  const said = refusal(intent.last_payment_error)
  return said ? { intentId: intent.id, refusal: said } : undefined
}

function subjectOf(about: About): Subject | null {
  const of = (kind: Subject['kind'], id: Id | undefined): Subject | null => {
    const found = idOf(id)
    return found ? { kind, id: found } : null
  }
  switch (about.object) {
    case 'payment_intent':
      return of('payment', about.id)
    case 'charge':
    case 'dispute':
    case 'refund':
      return of('payment', about.payment_intent)
    case 'setup_intent':
      return of('setUp', about.id)
    case 'subscription':
      return of('subscription', about.id)
    case 'subscription_schedule':
      return of('subscription', about.subscription ?? about.released_subscription)
    case 'invoice':
      return of('subscription', about.parent?.subscription_details?.subscription) ?? of('invoice', about.id)
    case 'invoice_payment':
    case 'credit_note':
      return of('invoice', about.invoice)
    case 'customer':
      return of('customer', about.id)
    case 'payment_method':
      return of('customer', about.customer)
    case 'mandate':
      return of('method', about.payment_method)
    default:
      return null
  }
}
