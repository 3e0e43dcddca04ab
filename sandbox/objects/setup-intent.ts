import type Stripe from 'stripe'
import { newId, randomText } from '../world.ts'

interface Wish {
  readonly created: number
  readonly customer: string | null
  readonly description: string | null
  readonly metadata: Record<string, string>
  /** Always null: no supported payment method type sets it. */
  readonly allowedTypes: string[] | null
  readonly usage: string
}

export function setupIntent(wish: Wish): Stripe.SetupIntent {
  const id = newId('seti')
  const types = ['card', 'paypal'].filter((type) => wish.allowedTypes?.includes(type) ?? true)
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: wish.allowedTypes,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: wish.created,
    customer: wish.customer,
    customer_account: null,
    description: wish.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: wish.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: types.includes('card')
      ? { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } }
      : null,
    payment_method_types: types,
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: wish.usage,
  }
}

const PUBLIC_FIELDS = [
  'id',
  'object',
  'automatic_payment_methods',
  'cancellation_reason',
  'client_secret',
  'created',
  'description',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'status',
  'usage',
] as const satisfies readonly (keyof Stripe.SetupIntent)[]

export const publicSetupIntent = (intent: Stripe.SetupIntent): Partial<Stripe.SetupIntent> =>
  Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, intent[field]]))
