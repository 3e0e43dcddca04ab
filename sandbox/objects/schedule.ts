import type Stripe from 'stripe'
import { newId } from '../world.ts'
import { itemOf, periodOf } from './subscription.ts'

/** A schedule with the subscription's current state as its only phase, which ends with the period. */
export function schedule(created: number, of: Stripe.Subscription): Stripe.SubscriptionSchedule {
  const { start, end } = periodOf(of)
  return {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    canceled_at: null,
    completed_at: null,
    created,
    current_phase: { start_date: start, end_date: end },
    customer: of.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: of.default_payment_method,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      phase({
        start,
        end,
        price: itemOf(of).price.id,
        discounts: of.discounts.map((each) => (typeof each === 'string' ? each : each.id)),
        trialEnd: of.trial_end,
        prorates: true,
      }),
    ],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: of.id,
    test_clock: of.test_clock,
  }
}

interface NewPhase {
  readonly start: number
  readonly end: number
  readonly price: string
  readonly discounts: readonly string[]
  readonly trialEnd: number | null
  readonly prorates: boolean
}

export function phase(given: NewPhase): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: 'gbp',
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: given.discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    end_date: given.end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: given.price,
        price: given.price,
        quantity: 1,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: given.prorates ? 'create_prorations' : 'none',
    start_date: given.start,
    transfer_data: null,
    trial_end: given.trialEnd,
  }
}
