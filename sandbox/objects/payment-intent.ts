import type Stripe from 'stripe'
import { newId, randomText } from '../world.ts'

interface Wish {
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly customer: string | null
  readonly description: string | null
  readonly metadata: Record<string, string>
  /** Always null: no supported payment method type sets it. */
  readonly allowedTypes: string[] | null
  readonly automatic: boolean
  readonly receiptEmail: string | null
  readonly futureUsage: Stripe.PaymentIntent.SetupFutureUsage | null
}

export function paymentIntent(wish: Wish): Stripe.PaymentIntent {
  const id = newId('pi')
  const types = ['card', 'paypal'].filter((type) => wish.allowedTypes?.includes(type) ?? true)
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: wish.allowedTypes,
    amount: wish.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: wish.automatic ? { allow_redirects: 'always', enabled: true } : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: wish.created,
    currency: wish.currency,
    customer: wish.customer,
    customer_account: null,
    description: wish.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: wish.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: methodOptions(types),
    payment_method_types: types,
    payment_record: null,
    processing: null,
    receipt_email: wish.receiptEmail,
    review: null,
    setup_future_usage: wish.futureUsage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  }
}

function methodOptions(types: readonly string[]): Stripe.PaymentIntent.PaymentMethodOptions {
  return {
    ...(types.includes('card')
      ? {
          card: {
            installments: null,
            mandate_options: null,
            network: null,
            request_three_d_secure: 'automatic',
          },
        }
      : {}),
    ...(types.includes('paypal') ? { paypal: { preferred_locale: null, reference: null } } : {}),
  }
}

/** The fields that are visible with a publishable key and the intent's secret. */
const PUBLIC_FIELDS = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[]

export const publicPaymentIntent = (intent: Stripe.PaymentIntent): Partial<Stripe.PaymentIntent> =>
  Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, intent[field]]))
