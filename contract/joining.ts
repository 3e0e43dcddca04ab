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
 * What a membership is given with (ENT-14). `giftEmail` is always asked for; the first name and the day too where
 * `christmas` is true (GIFT-07, GIFT-21), and then only plans 1 and 2 are given.
 */
const giftFields = {
  giftEmail: Type.Optional(nullable(Email)),
  giftRecipientFirstName: Type.Optional(NullableName),
  giftMessage: Type.Optional(NullableMessage),
  /** The day on which it arrives, at 8 o'clock of `giftTimeZone`; today after 8, and without one, at once. */
  giftDeliveryDate: Type.Optional(nullable(CalendarDate)),
  /** The giver's zone as the browser tells it, `Europe/London`. Without one, or an unknown one (422), the shop's. */
  giftTimeZone: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 })),
  /** Given on `/xmas`: where PayPal and 3-D Secure come back to differs, and what is asked for. */
  christmas: Type.Optional(Type.Boolean()),
  /**
   * A random id that the browser makes for each gift it puts together and keeps over a reload. While it is the same, so is
   * the payment, however often it is asked for: nobody pays one gift twice. A changed gift with it replaces the one before.
   * Without a key, a repeated request within an hour returns the same order.
   */
  giftKey: Type.Optional(Uuid),
}

/**
 * Begins a membership, or with `gift` buys one for somebody else: one payment, nothing renews, whoever has a membership may
 * give one, and `id` is the order's. 422 with the reason: 'User already has an active subscription',
 * 'User already has an payment failed subscription' (ERR-01, ERR-02), a code that cannot be used, 'Payment method not
 * valid' (ERR-03), a missing consent. 409 where `amount`, what the page shows, is not what would be charged.
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
    /** `pm_…` of one that the browser made; without one the secret is confirmed with what is typed. */
    paymentMethod: Type.Optional(NullableString),
    /** The total that the page shows, in pounds. */
    amount: Type.Optional(Pounds),
    /**
     * "Start now": the member asks for it to begin within the 14 days in which they may withdraw. Of a gift: it begins as soon
     * as it is opened.
     */
    startNow: Type.Optional(Type.Boolean()),
  }),
  reply: Created,
})

/** What a visitor buys a gift with, who stays one: the receipt goes to the address. */
const Giver = Type.Object({
  email: Email,
  firstName: Name,
  lastName: Name,
  /** `GB`; the country of the visit without one. */
  countryCode: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
})

/**
 * A visitor gives a membership, without an account (issue 11). The rules are those of `POST /api/subscriptions` with `gift`;
 * `id` is the order's. What became of it is seen by whoever makes an account with the giver's address and confirms it.
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
    /** The gift may begin as soon as it is opened, within the 14 days in which it may be taken back. */
    startNow: Type.Optional(Type.Boolean()),
    giver: Giver,
  }),
  reply: Created,
})

/** What each plan costs, and the VAT that its price includes, in pounds: what the checkout sums up. */
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
 * The days for nothing: once for an account, and once for a card or PayPal payer (422 says so). 409 where what the page says of them is
 * not so any more.
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
    /** How long, and what is charged after it, as the page shows them. */
    days: Type.Optional(Type.Integer({ minimum: 1 })),
    price: Type.Optional(Pounds),
  }),
  reply: Created,
})

/** A membership that a code pays for whole: no card, no renewal (OP-65). 422 where something is left to pay. */
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
