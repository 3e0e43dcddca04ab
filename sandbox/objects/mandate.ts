import type Stripe from 'stripe'
import { newId } from '../world.ts'

export function mandate(created: number, method: Stripe.PaymentMethod): Stripe.Mandate {
  return {
    id: newId('mandate'),
    object: 'mandate',
    customer_acceptance: {
      accepted_at: created,
      type: 'online',
      online: { ip_address: '127.0.0.1', user_agent: 'sandbox' },
    },
    livemode: false,
    multi_use: {},
    payment_method: method.id,
    payment_method_details: {
      type: 'paypal',
      paypal: {
        billing_agreement_id: `B-${method.id.slice(3, 20).toUpperCase()}`,
        payer_id: method.paypal?.payer_id ?? null,
      },
    },
    status: 'active',
    type: 'multi_use',
  }
}
