import Type, { type Static } from 'typebox'
import { NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { NullableCouponCode } from './discounts.ts'
import { endpoint } from './endpoint.ts'

/**
 * How the browser continues (ENT-19): `clientSecret` if a card or PayPal must be confirmed. If neither it nor `url` is
 * set, nothing is left to pay: the order is paid, and `/payment-successful` is next.
 */
export const Checkout = Type.Object({
  success: Type.Boolean(),
  message: NullableString,
  amount: Pounds,
  clientSecret: NullableString,
  /** A page to follow instead (PAY-30, PAY-48). */
  url: NullableString,
  order: Uuid,
  /** The return URL for PayPal and 3-D Secure. */
  returnUrl: Type.String(),
})
export type Checkout = Static<typeof Checkout>

/**
 * Creates the order of a bag and opens its single payment. Safe to repeat: the same bag has the same order and the same
 * payment, however often the button is pressed; for a changed bag the unpaid order is abandoned. If the bag was already
 * paid (a response was lost), the answer is that of a paid order.
 *
 * 422 with the reason: an empty bag, a gift without an address, a code that cannot be used, a missing waiver. 409 'The
 * total has changed' if `amount`, which the page shows, is not what would be charged; 409 if an item cannot be bought
 * any more (`GET carts/{id}/availability`); 409 while an earlier payment is still being checked.
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
    /** The buyer agrees to lose the right of withdrawal; required for every paid order. */
    waiver: Type.Optional(Type.Boolean()),
    /** In place of `waiver`: the text shown below a button that pays at once. */
    consent: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
    /** Save the card that pays for the account's later purchases. */
    saveCard: Type.Optional(Type.Boolean()),
  }),
  reply: Checkout,
})

/**
 * `paid`: the order is paid, its titles are in the library. `checking`: Stripe has no result yet; ask again. `refused`:
 * this card or account was refused, the order waits for another. `open`: nothing was confirmed yet. `cancelled`: this
 * payment can no longer be paid.
 */
export const PAYMENT_OUTCOMES = ['paid', 'checking', 'refused', 'open', 'cancelled'] as const
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number]

/** Why a payment was refused, as far as Stripe says. */
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
 * The outcome of a payment, by the intent and its secret from the return URL; settles a paid order. Never trusts
 * `redirect_status`. Safe to repeat. `order` is only visible to its own account (ROLE-22); 404 if the secret is not the
 * intent's.
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
    /** Set if the payment was for a membership, which then has no order here; only visible to its own account. */
    subscription: Type.Optional(nullable(Uuid)),
    /** Set if the outcome is `refused`. */
    refusal: Type.Optional(Type.Unsafe<PaymentRefusal>({ type: 'string', enum: [...REFUSALS] })),
  }),
})
