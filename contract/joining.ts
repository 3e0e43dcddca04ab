import Type from 'typebox'
import {
  CalendarDate,
  Email,
  NullableString,
  nullable,
  NAME_OR_NOTHING,
  PERSON_NAME,
  Pounds,
  Uuid,
} from './atoms.ts'
import { CouponCode, NullableCouponCode, Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from './limits.ts'
import { Subscription } from './membership.ts'

/**
 * How the browser continues (ENT-15): `paymentIntent` is a secret to confirm, of a setup intent if it contains `seti`;
 * null if nothing is left to pay. Safe to repeat: while a membership waits for its first payment, the same plan returns
 * the same secret.
 */
const Created = Type.Object({
  id: Uuid,
  paymentIntent: NullableString,
  /** The first charge, in pounds. */
  amount: Pounds,
  /** True if the membership is already active. */
  done: Type.Boolean(),
  /** The return URL for PayPal and 3-D Secure. */
  returnUrl: Type.String(),
})
const Name = Type.String({ maxLength: NAME_LENGTH, pattern: PERSON_NAME })
const NullableName = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: NAME_LENGTH,
  pattern: NAME_OR_NOTHING,
})
const NullableMessage = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: GIFT_MESSAGE_LENGTH,
})

/**
 * The data of a gift membership (ENT-14). `giftEmail` is always required; with `christmas` the first name and the day
 * are required too (GIFT-07, GIFT-21), and only plans 1 and 2 are allowed.
 */
const giftFields = {
  giftEmail: Type.Optional(nullable(Email)),
  giftRecipientFirstName: Type.Optional(NullableName),
  giftMessage: Type.Optional(NullableMessage),
  /** Delivery date, at 8:00 in `giftTimeZone`. Delivered at once without a date, and for today after 8:00. */
  giftDeliveryDate: Type.Optional(nullable(CalendarDate)),
  /** The giver's time zone from the browser, `Europe/London`. Default: the shop's. 422 for an unknown one. */
  giftTimeZone: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 })),
  /** Bought on `/xmas`; changes the return URL and the required fields. */
  christmas: Type.Optional(Type.Boolean()),
  /**
   * A random id that the browser generates for each gift and keeps across reloads. The same key gives the same payment,
   * so that a gift is never paid twice. A changed gift with the same key replaces the previous one. Without a key, a
   * repeated request within an hour returns the same order.
   */
  giftKey: Type.Optional(Uuid),
}

/**
 * Starts a membership, or with `gift` buys one for another person: one payment, no renewal, members may give too, and
 * `id` is the order's. 422 with the reason: 'User already has an active subscription', 'User already has an payment
 * failed subscription' (ERR-01, ERR-02), a code that cannot be used, 'Payment method not valid' (ERR-03), a missing
 * consent. 409 if `amount`, which the page shows, is not what would be charged.
 */
export const createSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions',
  summary: 'Begin a membership',
  access: 'user',
  part: 'membership',
  status: 201,
  body: Type.Object({
    plan: Plan,
    gift: Type.Optional(Type.Boolean()),
    ...giftFields,
    couponCode: Type.Optional(NullableCouponCode),
    /**
     * `pm_…` of a payment method created by the browser. Without it the browser confirms the secret with the typed
     * card.
     */
    paymentMethod: Type.Optional(NullableString),
    /** The total that the page shows, in pounds. */
    amount: Type.Optional(Pounds),
    /**
     * "Start now": the member requests that it begins within the 14 days in which they may withdraw. For a gift: it
     * begins when it is claimed.
     */
    startNow: Type.Optional(Type.Boolean()),
    /** Save the card that pays for the account's later purchases. */
    saveCard: Type.Optional(Type.Boolean()),
    /** A bag that `POST /api/carts/{id}/buy_after_joining` may pay for with the same card. Not for a gift. */
    cart: Type.Optional(Uuid),
  }),
  reply: Created,
})

/** The data of a giver without an account. The receipt is emailed to the address. */
const Giver = Type.Object({
  email: Email,
  firstName: Name,
  /** Some wallets know a name of one word only. */
  lastName: Type.Optional(Name),
  /** `GB`; default: the country of the visit. */
  countryCode: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
})

/**
 * A visitor gives a membership without an account (issue 11). The rules are those of `POST /api/subscriptions` with
 * `gift`; `id` is the order's. To follow the gift, the giver registers with the same address and confirms it.
 */
export const giveAsVisitor = endpoint({
  method: 'POST',
  path: '/api/subscriptions/give',
  summary: 'Give a membership without an account',
  access: 'anyone',
  part: 'membershipGifts',
  status: 201,
  body: Type.Object({
    plan: Plan,
    ...giftFields,
    giftKey: Uuid,
    couponCode: Type.Optional(NullableCouponCode),
    /** The total that the page shows, in pounds. */
    amount: Type.Optional(Pounds),
    /** The gift may begin when it is claimed, within the 14 days in which it may be taken back. */
    startNow: Type.Optional(Type.Boolean()),
    giver: Giver,
  }),
  reply: Created,
})

/** Price and included VAT of each plan, in pounds, as the checkout calculates them. */
export const listPlanPrices = endpoint({
  method: 'GET',
  path: '/api/plan_prices',
  summary: 'What memberships cost',
  access: 'open',
  part: 'membership',
  reply: Type.Object({
    plans: Type.Array(
      Type.Object({ plan: Plan, price: Pounds, vatPercent: Type.Integer({ minimum: 0 }), vat: Pounds }),
    ),
  }),
})

/**
 * Starts the free trial: once per account, and once per card or PayPal payer (422). 409 if the trial's terms differ
 * from those on the page.
 */
export const createTrial = endpoint({
  method: 'POST',
  path: '/api/subscriptions/create_trial_subscription',
  summary: 'Begin the free trial',
  access: 'user',
  part: 'trial',
  status: 201,
  body: Type.Object({
    couponCode: Type.Optional(NullableCouponCode),
    /** Defaults to true, because a trial is free. */
    startNow: Type.Optional(Type.Boolean()),
    /** The length and the price after it, as the page shows them. */
    days: Type.Optional(Type.Integer({ minimum: 1 })),
    price: Type.Optional(Pounds),
    /** Save the card that pays for the account's later purchases. */
    saveCard: Type.Optional(Type.Boolean()),
  }),
  reply: Created,
})

/** A membership that a code pays for in full: no card, no renewal (OP-65). 422 if there is an amount left to pay. */
export const createWithoutPayment = endpoint({
  method: 'POST',
  path: '/api/subscriptions/create-without-payment',
  summary: 'Begin a membership that costs nothing',
  access: 'user',
  part: 'membership',
  status: 201,
  body: Type.Object({ plan: Plan, couponCode: CouponCode, startNow: Type.Optional(Type.Boolean()) }),
  reply: Subscription,
})

/** The outcome of a setup intent, by the intent and its secret from the return URL. Safe to repeat. */
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
    /** The membership that it belongs to; only visible to its own account. */
    subscription: nullable(Uuid),
  }),
})
