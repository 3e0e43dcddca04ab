import Type, { type Static } from 'typebox'
import { NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { NullableCouponCode } from './discounts.ts'
import { endpoint } from './endpoint.ts'

/**
 * What the browser goes on with (ENT-19): `clientSecret` where a card or PayPal must be confirmed; neither
 * it nor `url` where nothing is left to pay: the order is paid then, and `/payment-successful` is next.
 */
export const Checkout = Type.Object({
  success: Type.Boolean(),
  message: NullableString,
  /** What is charged. */
  amount: Pounds,
  clientSecret: NullableString,
  /** A page to follow instead (PAY-30, PAY-48). */
  url: NullableString,
  /** The order that waits for this payment, or was paid by it. */
  order: Uuid,
  /** Where PayPal and 3-D Secure come back to. */
  returnUrl: Type.String(),
})
export type Checkout = Static<typeof Checkout>

/**
 * Freezes the bag into an order and opens its one payment. Safe to repeat: the same bag has the same order and the same
 * payment, whatever is clicked how often; a changed bag abandons what waited. Where the bag was paid already
 * (an answer that got lost) the answer is that of a paid order.
 *
 * 422 with the reason: an empty bag, a gift without an e-mail, a code that cannot be used, a missing waiver. 409
 * 'The total has changed' where `amount`, what the page shows, is not what would be charged; 409 where something
 * cannot be bought any more (`GET carts/{id}/availability`); 409 while an earlier payment is still being checked.
 */
export const checkoutCart = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/checkout',
  summary: 'Pay for a bag',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({
    couponCode: NullableCouponCode,
    /** The total that the page shows, in pounds. */
    amount: Type.Optional(Pounds),
    /** The buyer agrees to lose the right of withdrawal; needed for every paid order. */
    waiver: Type.Optional(Type.Boolean()),
  }),
  reply: Checkout,
})

/**
 * `paid`: the order is settled, its titles are in the library. `checking`: the provider does not know yet; ask again.
 * `refused`: this card or account was refused, the order waits for another. `open`: nothing was confirmed yet.
 * `cancelled`: this payment can never be paid any more.
 */
export const PAYMENT_OUTCOMES = ['paid', 'checking', 'refused', 'open', 'cancelled'] as const
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number]

/** Why a payment was refused, as far as the provider says. */
export const REFUSALS = [
  'declined',
  'insufficient_funds',
  'expired_card',
  'wrong_cvc',
  'not_authenticated',
  'not_approved',
] as const
export type PaymentRefusal = (typeof REFUSALS)[number]

/**
 * What became of a payment, by the intent and its secret out of the return address; settles it where it is paid. Never
 * believes `redirect_status`. Safe to repeat. `order` is told to its own account only (ROLE-22); 404 where the
 * secret is not the intent's.
 */
export const returnFromPayment = endpoint({
  method: 'POST',
  path: '/api/payments/return',
  summary: 'Come back from a payment',
  access: 'anyone',
  body: Type.Object({
    paymentIntent: Type.String({ pattern: '^pi_[A-Za-z0-9_]+$', maxLength: 200 }),
    clientSecret: Type.String({ minLength: 1, maxLength: 400 }),
  }),
  reply: Type.Object({
    outcome: Type.Unsafe<PaymentOutcome>({ type: 'string', enum: [...PAYMENT_OUTCOMES] }),
    order: nullable(Uuid),
    /** The membership that it was for, joined or renewed, which then has no order here; told to its own account only. */
    subscription: Type.Optional(nullable(Uuid)),
    /** Of a `refused` one. */
    refusal: Type.Optional(Type.Unsafe<PaymentRefusal>({ type: 'string', enum: [...REFUSALS] })),
  }),
})
