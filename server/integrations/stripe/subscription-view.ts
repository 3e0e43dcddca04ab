import type Stripe from 'stripe'
import { storedMethod } from './stripe-customers.ts'
import { priceOf } from './stripe-prices.ts'
import type { Subscription, SubscriptionState, WaitsFor } from './subscriptions.ts'
import { dateOf, idOf, maybeDate, wholeOf } from './response-parsing.ts'

export const WHOLE_SUBSCRIPTION = [
  'latest_invoice.confirmation_secret',
  'pending_setup_intent',
  'default_payment_method',
  'schedule',
]

export function subscription(given: Stripe.Subscription): Subscription {
  const item = given.items.data[0]
  if (!item) throw new Error(`A subscription without anything: ${given.id}`)
  const { key, amountMinor, months } = priceOf(item.price)
  const method = wholeOf(given.default_payment_method)
  return {
    id: given.id,
    customer: idOf(given.customer) ?? '',
    state: stateOf(given),
    price: key,
    amountMinor,
    months,
    anchor: dateOf(given.billing_cycle_anchor),
    periodStart: dateOf(item.current_period_start),
    periodEnd: dateOf(item.current_period_end),
    trialEndsAt: maybeDate(given.trial_end),
    // The provider's own dashboard only sets the date.
    cancelsAt:
      given.ended_at === null
        ? maybeDate(given.cancel_at ?? (given.cancel_at_period_end ? item.current_period_end : null))
        : null,
    cancelledAt: maybeDate(given.canceled_at),
    endedAt: maybeDate(given.ended_at),
    endReason: given.ended_at === null ? null : reasonOf(given),
    method: method && storedMethod(method),
    waitsFor: waitsFor(given),
    latestInvoice: idOf(given.latest_invoice),
    planned: plannedOf(given, item),
    discounts: given.discounts.flatMap((each) => idOf(each) ?? []),
    unpaidChange: unpaidOf(given),
    metadata: given.metadata,
    createdAt: dateOf(given.created),
  }
}

function stateOf(given: Stripe.Subscription): SubscriptionState {
  // Stripe starts a trial before a payment method is stored; the shop's trials wait for one.
  if (given.status === 'trialing' && given.default_payment_method === null) return 'incomplete'
  return STATES[given.status] ?? 'paused'
}

const STATES: Readonly<Record<string, SubscriptionState>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'expired',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'ended',
}

function reasonOf({ cancellation_details: details }: Stripe.Subscription): Subscription['endReason'] {
  if (details?.reason === 'payment_failed') return 'not_paid'
  return details?.reason === 'payment_disputed' ? 'disputed' : 'asked'
}

/** A client secret starts with the id of its object. */
const bySecret = (kind: WaitsFor['kind'], clientSecret: string): WaitsFor => ({
  kind,
  id: clientSecret.split('_secret_')[0] ?? '',
  clientSecret,
})

function waitsFor(given: Stripe.Subscription): WaitsFor | null {
  if (given.ended_at !== null) return null
  const setUp = wholeOf(given.pending_setup_intent)
  if (setUp?.client_secret) return bySecret('setUp', setUp.client_secret)
  const invoice = wholeOf(given.latest_invoice)
  const secret = invoice?.status === 'open' ? invoice.confirmation_secret?.client_secret : undefined
  return secret ? bySecret('payment', secret) : null
}

function plannedOf(given: Stripe.Subscription, item: Stripe.SubscriptionItem): Subscription['planned'] {
  const schedule = wholeOf(given.schedule)
  const price = schedule?.metadata?.price
  if (!schedule || !price || schedule.status !== 'active') return null
  // In the last phase the change has been made already.
  const isAhead = schedule.current_phase?.end_date === item.current_period_end && schedule.phases.length > 1
  const isLast = schedule.phases.at(-1)?.start_date === schedule.current_phase?.start_date
  return isAhead && !isLast ? { price, at: dateOf(item.current_period_end) } : null
}

function unpaidOf({
  pending_update: update,
  latest_invoice,
}: Stripe.Subscription): Subscription['unpaidChange'] {
  const price = update?.subscription_items?.[0]?.price
  const invoice = idOf(latest_invoice)
  return update && price && invoice
    ? { price: priceOf(price).key, invoice, until: dateOf(update.expires_at) }
    : null
}
