import Type, { type Static } from 'typebox'
import { CalendarDate, Email, NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { CouponCode, NullableCouponCode, Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from './limits.ts'
import { Subscription } from './membership.ts'

/**
 * What the browser goes on with (ENT-15): a secret to confirm, of a set-up where it contains `seti`; null where nothing is
 * left to pay. Safe to repeat: while a membership waits for its first payment, the same plan answers the same secret.
 */
const Created = Type.Object({
  id: Uuid,
  paymentIntent: NullableString,
  /** What is charged at once, in pounds. */
  amount: Pounds,
  /** Nothing is left to do: it runs already. */
  done: Type.Boolean(),
  /** Where PayPal and 3-D Secure come back to. */
  returnUrl: Type.String(),
})
export type SubscriptionCreated = Static<typeof Created>

/**
 * Begins a membership, or buys one for somebody else. 422 with the reason: 'User already has an active subscription',
 * 'User already has an payment failed subscription' (ERR-01, ERR-02), a code that cannot be used, 'Payment method not
 * valid' (ERR-03), a missing consent. 409 where `amount`, what the page shows, is not what would be charged.
 */
export const createSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions',
  summary: 'Begin a membership',
  access: 'user',
  status: 201,
  body: Type.Object({
    plan: Plan,
    gift: Type.Optional(Type.Boolean()),
    giftEmail: Type.Optional(nullable(Email)),
    giftRecipientFirstName: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: NAME_LENGTH }),
    ),
    giftMessage: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: GIFT_MESSAGE_LENGTH }),
    ),
    giftDeliveryDate: Type.Optional(nullable(CalendarDate)),
    couponCode: Type.Optional(NullableCouponCode),
    /** `pm_…` of one that the browser made; without one the secret is confirmed with what is typed. */
    paymentMethod: Type.Optional(NullableString),
    /** The total that the page shows, in pounds. */
    amount: Type.Optional(Pounds),
    /** "Start now": the member asks for it to begin within the 14 days in which they may withdraw. */
    startNow: Type.Optional(Type.Boolean()),
  }),
  reply: Created,
})

/** The 30 days for nothing: once for an account, and once for a card or PayPal payer (422 says so). */
export const createTrial = endpoint({
  method: 'POST',
  path: '/api/subscriptions/create_trial_subscription',
  summary: 'Begin the free trial',
  access: 'user',
  status: 201,
  body: Type.Object({
    couponCode: Type.Optional(NullableCouponCode),
    startNow: Type.Optional(Type.Boolean()),
  }),
  reply: Created,
})

/** A membership that a code pays for whole: no card, no renewal (OP-65). 422 where something is left to pay. */
export const createWithoutPayment = endpoint({
  method: 'POST',
  path: '/api/subscriptions/create-without-payment',
  summary: 'Begin a membership that costs nothing',
  access: 'user',
  status: 201,
  body: Type.Object({ plan: Plan, couponCode: CouponCode, startNow: Type.Optional(Type.Boolean()) }),
  reply: Subscription,
})

/** What became of a set-up, by the intent and its secret out of the return address. Safe to repeat. */
export const returnFromSetUp = endpoint({
  method: 'POST',
  path: '/api/set_ups/return',
  summary: 'Come back from a set-up',
  access: 'anyone',
  body: Type.Object({
    setupIntent: Type.String({ pattern: '^seti_[A-Za-z0-9_]+$', maxLength: 200 }),
    clientSecret: Type.String({ minLength: 1, maxLength: 400 }),
  }),
  reply: Type.Object({
    outcome: Type.Unsafe<'done' | 'checking' | 'refused' | 'open' | 'cancelled' | 'trial_used'>({
      type: 'string',
      enum: ['done', 'checking', 'refused', 'open', 'cancelled', 'trial_used'],
    }),
    /** The membership that it belongs to, told to its own account only. */
    subscription: nullable(Uuid),
  }),
})
