import type Stripe from 'stripe'
import { newId } from '../world.ts'

interface NewProduct {
  readonly id: string | null
  readonly name: string
  readonly description: string | null
  readonly metadata: Record<string, string>
}

export function product(created: number, given: NewProduct): Stripe.Product {
  return {
    id: given.id ?? newId('prod').slice(0, 19),
    object: 'product',
    active: true,
    created,
    default_price: null,
    description: given.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata,
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  }
}

interface NewPrice {
  readonly product: string
  readonly amount: number
  readonly lookupKey: string | null
  readonly nickname: string | null
  readonly interval: string
  readonly intervalCount: number
  readonly taxBehavior: string
  readonly metadata: Record<string, string>
}

export function price(created: number, given: NewPrice): Stripe.Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created,
    currency: 'gbp',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookupKey,
    metadata: given.metadata,
    nickname: given.nickname,
    product: given.product,
    recurring: {
      interval: given.interval,
      interval_count: given.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: given.taxBehavior,
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: given.amount,
    unit_amount_decimal: null,
  }
}

/** The older `plan` object, which a subscription item still has in addition to its price. */
export function planOf(given: Stripe.Price): Stripe.Plan {
  return {
    id: given.id,
    object: 'plan',
    active: given.active,
    amount: given.unit_amount,
    amount_decimal: null,
    billing_scheme: 'per_unit',
    created: given.created,
    currency: given.currency,
    interval: given.recurring?.interval ?? 'month',
    interval_count: given.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: given.metadata,
    meter: null,
    nickname: given.nickname,
    product: typeof given.product === 'string' ? given.product : given.product.id,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
