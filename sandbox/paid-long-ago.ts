import type Stripe from 'stripe'
import { findMethod } from './methods.ts'
import { paymentIntent } from './objects/payment-intent.ts'
import { confirmIntent } from './pay.ts'
import type { World } from './world.ts'

/** A past card payment. Stripe's API cannot create one. Times are Unix seconds. */
export interface PastPayment {
  /** `order` identifies it: a repeated call returns the same payment. */
  readonly metadata: Readonly<Record<string, string>>
  readonly amount: number
  readonly email: string
  readonly paidAt: number
}

/** Creates the payment at its original time, without events. */
export function payLongAgo(world: World, past: PastPayment): Stripe.PaymentIntent {
  const { store } = world
  const [known] = store.where<Stripe.PaymentIntent>('payment_intent', {
    'metadata.order': past.metadata.order,
  })
  if (known) return known
  const clock: World['clock'] = { ...world.clock, now: () => past.paidAt }
  const then: World = { ...world, emit: () => undefined, clock }
  const made = paymentIntent({
    amount: past.amount,
    currency: 'gbp',
    created: past.paidAt,
    customer: null,
    description: null,
    metadata: { ...past.metadata },
    allowedTypes: null,
    automatic: true,
    receiptEmail: past.email,
    futureUsage: null,
  })
  store.put('payment_intent', made)
  const how = { returnUrl: null, byScript: false, offSession: false }
  return confirmIntent(then, made, findMethod(then, 'pm_card_visa'), how)
}
