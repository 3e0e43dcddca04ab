import type Stripe from 'stripe'
import type { Period } from '../calendar.ts'
import { newId } from '../world.ts'
import { planOf } from './price.ts'

export interface NewSubscription {
  readonly customer: string
  readonly price: Stripe.Price
  readonly anchor: number
  readonly period: Period
  readonly trialEnd: number | null
  readonly missingMethod: string
  readonly method: string | null
  readonly methodTypes: string[] | null
  readonly saves: boolean
  readonly description: string | null
  readonly metadata: Record<string, string>
  readonly clock: string | null
}

export function subscription(created: number, given: NewSubscription): Stripe.Subscription {
  const id = newId('sub')
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: given.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency: 'gbp',
    customer: given.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: given.method,
    default_source: null,
    default_tax_rates: [],
    description: given.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [item(created, id, given.price, given.period)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: given.methodTypes,
      save_default_payment_method: given.saves ? 'on_subscription' : 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: given.trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: given.clock,
    transfer_data: null,
    trial_end: given.trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: given.missingMethod },
    },
    trial_start: given.trialEnd === null ? null : created,
  }
}

function item(
  created: number,
  owner: string,
  price: Stripe.Price,
  { start, end }: Period,
): Stripe.SubscriptionItem {
  return {
    id: newId('si').slice(0, 17),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription: owner,
    tax_rates: [],
  }
}

/** The sandbox supports subscriptions with one item. */
export const itemOf = (given: Stripe.Subscription): Stripe.SubscriptionItem => given.items.data[0]!

export const periodOf = (given: Stripe.Subscription): Period => ({
  start: itemOf(given).current_period_start,
  end: itemOf(given).current_period_end,
})

export function withItem(
  given: Stripe.Subscription,
  change: { readonly price?: Stripe.Price; readonly period?: Period },
): Stripe.Subscription {
  const before = itemOf(given)
  const changed: Stripe.SubscriptionItem = {
    ...before,
    ...(change.price ? { price: change.price, plan: planOf(change.price) } : {}),
    ...(change.period
      ? { current_period_start: change.period.start, current_period_end: change.period.end }
      : {}),
  }
  return { ...given, items: { ...given.items, data: [changed] } }
}
