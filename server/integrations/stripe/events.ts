import type Stripe from 'stripe'
import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { type Client, createdIn, dateOf, idOf, PAGE, type Range } from './client.ts'
import { type CardRefusal, toRefusal } from './payments.ts'
import { BadEvent, BadSignature } from './problems.ts'

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

/** What to fetch and sync: for an invoice its membership, but for an invoice's payment that payment. */
export interface Subject {
  readonly kind: 'payment' | 'setUp' | 'subscription' | 'invoice' | 'customer' | 'method'
  readonly id: string
}

export interface RefusedAttempt {
  readonly intentId: string
  readonly refusal: CardRefusal
}

/** Events arrive late, twice and in any order: fetch the subject again instead of using the event's copy. */
export interface ProviderEvent {
  /** `evt_…`, the same for repeated deliveries. */
  readonly id: string
  readonly type: string
  readonly createdAt: Date
  readonly subject: Subject | null
  /** The failed attempt. After a later success, fetching the payment would not find it. */
  readonly refused?: RefusedAttempt | undefined
}

const WANTED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS)

export function openEvents({ each, local }: Client, settings: PaymentSettings | undefined) {
  return {
    /** The signature may be at most five minutes old. @throws {BadSignature | BadEvent} answer 400, change nothing */
    readWebhook: (rawBody: Buffer, signature: string | undefined): Promise<ProviderEvent> =>
      local(({ webhooks }) => readWebhook(webhooks, rawBody, signature, settings?.webhookSecret ?? '')),

    /** The same events from the provider's event list, newest first. It contains the last 30 days. */
    listEvents: (range: Range): AsyncIterable<ProviderEvent> =>
      each('listEvents', async function* ({ events }) {
        // The API accepts at most twenty types, fewer than we need, so filter here.
        for await (const event of events.list({ ...createdIn(range), limit: PAGE }))
          if (WANTED.has(event.type)) yield parseEvent(event)
      }),
  }
}

/** The library's tolerance for past timestamps, and ours for future ones. */
const SIGNATURE_TOLERANCE_SECONDS = 300

function readWebhook(
  webhooks: Stripe['webhooks'],
  rawBody: Buffer,
  signature: string | undefined,
  secret: string,
): ProviderEvent {
  try {
    const event = webhooks.constructEvent(rawBody, signature ?? '', secret)
    // The library refuses old signatures but accepts future ones, which could be replayed later.
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? '')?.[1] ?? Infinity)
    if (signedAt > Date.now() / 1000 + SIGNATURE_TOLERANCE_SECONDS)
      throw new BadSignature('The signature is from the future.')
    if (!isEvent(event)) throw new BadEvent('It has not the shape of an event.')
    const parsed = parseEvent(event)
    // PostgreSQL can't store U+0000. The provider's ids never contain it.
    if ([parsed.id, parsed.type, parsed.subject?.id].some((text) => String(text).includes('\0')))
      throw new BadEvent('An id contains U+0000.')
    return parsed
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new BadEvent('It cannot be read.', { cause: error })
    throw error
  }
}

const isEvent = ({ id, type, created: at, data }: Partial<Stripe.Event>): boolean =>
  typeof id === 'string' &&
  typeof type === 'string' &&
  typeof at === 'number' &&
  typeof data?.object === 'object' &&
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- it comes from the network
  data.object !== null

type Id = string | { readonly id: string } | null

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

export const parseEvent = (event: Stripe.Event | Stripe.EventBase): ProviderEvent => ({
  id: event.id,
  type: event.type,
  createdAt: dateOf(event.created),
  // A detached payment method names its former customer only in the previous attributes.
  subject:
    subjectOf(event.data.object) ?? subjectOf({ ...event.data.object, ...event.data.previous_attributes }),
  refused: refusedAttempt(event),
})

function refusedAttempt(event: Stripe.Event | Stripe.EventBase): RefusedAttempt | undefined {
  if (event.type !== 'payment_intent.payment_failed') return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an event of this type contains a payment intent
  const intent = event.data.object as Stripe.PaymentIntent
  const refusal = toRefusal(intent.last_payment_error)
  return refusal ? { intentId: intent.id, refusal } : undefined
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
