import Type, { type Static } from 'typebox'
import { nullable, Pounds, Slug, Uuid } from './atoms.ts'
import { PAYMENT_OUTCOMES, REFUSALS, type PaymentRefusal } from './checkout.ts'
import { NullableCouponCode } from './discounts.ts'
import { endpoint } from './endpoint.ts'

const OUTCOMES = [...PAYMENT_OUTCOMES, 'authenticate'] as const

/**
 * `authenticate`: the bank wants to hear from the buyer, who confirms `clientSecret` at the checkout. `checking`: ask
 * `POST /api/payments/return` with it. `refused`: nothing was charged.
 */
const BuyNow = Type.Object({
  outcome: Type.Unsafe<(typeof OUTCOMES)[number]>({ type: 'string', enum: [...OUTCOMES] }),
  order: Uuid,
  clientSecret: nullable(Type.String()),
  refusal: Type.Optional(Type.Unsafe<PaymentRefusal>({ type: 'string', enum: [...REFUSALS] })),
})
export type BuyNow = Static<typeof BuyNow>

const Press = {
  /** The price that the button shows, in pounds. */
  amount: Pounds,
  /** A saved card of the account. */
  paymentMethod: Uuid,
  /** The text shown below the button. */
  consent: Type.String({ minLength: 1, maxLength: 400 }),
}

/**
 * Buys one title for the caller's own library with a saved card. Safe to repeat, at the same time too: a title is one
 * order and one payment. 409 'The total has changed'; 422 with the reason: `already_owned`, `payment_method_invalid` for
 * a card that is no longer saved, a title that can't be bought.
 */
export const buyTitleNow = endpoint({
  method: 'POST',
  path: '/api/buy_now',
  summary: 'Buy a title with a saved card',
  access: 'user',
  notInView: true,
  body: Type.Object({
    format: Type.Enum(['audio_book', 'e_book']),
    slug: Slug,
    ...Press,
  }),
  reply: BuyNow,
})

/**
 * Pays for a bag at the member's prices with the card that paid for the caller's membership, up to an hour after it
 * began and once, if `POST /api/subscriptions` named this bag: the checkout of a bag that adds a membership. Safe to repeat, as
 * `POST /api/carts/{id}/buy_now`, and refuses for the same reasons. The caller ticked the waiver before the membership
 * was paid.
 */
export const buyCartAfterJoining = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/buy_after_joining',
  summary: 'Pay for a bag with the card of a new membership',
  access: 'user',
  notInView: true,
  params: Type.Object({ id: Uuid }),
  body: Type.Object({
    subscription: Uuid,
    /** The total that the checkout showed for the books, in pounds. */
    amount: Pounds,
  }),
  reply: BuyNow,
})

/**
 * Pays for a bag with a saved card. The same bag is one order and one payment, as for `POST /api/carts/{id}/checkout`, which
 * refuses for the same reasons. 403 `proof_needed` for a bag with gifts if the log-in was too long ago.
 */
export const buyCartNow = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/buy_now',
  summary: 'Pay for a bag with a saved card',
  access: 'user',
  notInView: true,
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ couponCode: NullableCouponCode, ...Press }),
  reply: BuyNow,
})
