import type Stripe from 'stripe'
import { API_VERSION, newId, randomText } from '../world.ts'

export function customer(
  created: number,
  given: Pick<Stripe.Customer, 'description' | 'email' | 'metadata'> & {
    readonly name: string | null
    readonly phone: string | null
    readonly testClock: string | null
  },
): Stripe.Customer {
  return {
    id: newId('cus').slice(0, 18),
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: given.description,
    discount: null,
    email: given.email,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: given.metadata,
    name: given.name,
    next_invoice_sequence: 1,
    phone: given.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: given.testClock,
  }
}

export function refund(
  created: number,
  charge: Stripe.Charge,
  amount: number,
  reason: Stripe.Refund.Reason | null,
  metadata: Record<string, string>,
): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

export function event(
  created: number,
  type: Stripe.Event.Type,
  object: object,
  before: object | undefined,
): Stripe.EventBase {
  return {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created,
    data: {
      object: object,
      ...(before ? { previous_attributes: before } : {}),
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: newId('req').slice(0, 18), idempotency_key: null },
    type,
  }
}

export function coupon(
  created: number,
  given: Pick<
    Stripe.Coupon,
    | 'id'
    | 'amount_off'
    | 'currency'
    | 'duration'
    | 'duration_in_months'
    | 'max_redemptions'
    | 'name'
    | 'percent_off'
    | 'redeem_by'
  > & { readonly metadata: Record<string, string> },
): Stripe.Coupon {
  return { ...given, object: 'coupon', created, livemode: false, times_redeemed: 0, valid: true }
}
