import Type, { type Static } from 'typebox'
import {
  CalendarDate,
  Email,
  Instant,
  NullableInteger,
  NullableString,
  nullable,
  paging,
  Pounds,
  Uuid,
} from './atoms.ts'
import { CouponCode, NullableCouponCode } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from './limits.ts'
import type { PlanId } from './plans.ts'

/** In the provider's spelling (OP-78). */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

const Plan = Type.Unsafe<PlanId>({ type: 'integer', minimum: 1, maximum: 7 })
const Duration = Type.Unsafe<'once' | 'repeating' | 'forever' | null>({
  type: ['string', 'null'],
  enum: ['once', 'repeating', 'forever', null],
})
const PaidBy = nullable(
  Type.Object({
    type: Type.Unsafe<'card' | 'paypal'>({ type: 'string', enum: ['card', 'paypal'] }),
    /** What the next charge takes, in pounds; 0 in a trial and where nothing renews. */
    amount: Pounds,
  }),
)

/** A membership of the caller's, or one that the caller gave (ENT-09). */
const subscriptionFields = {
  id: Uuid,
  plan: Plan,
  status: Type.Unsafe<SubscriptionStatus>({ type: 'string', enum: [...SUBSCRIPTION_STATUSES] }),
  gift: Type.Boolean(),
  giftEmail: NullableString,
  /** Who claimed it, told to who gave it; null until then. */
  giftUser: nullable(Type.Object({ email: Type.String(), fullName: Type.String() })),
  claimedAt: nullable(Instant),
  /** Benefits end here, unless it renews. */
  validUntil: nullable(Instant),
  periodStart: nullable(Instant),
  periodEnd: nullable(Instant),
  /** Set: it runs to `validUntil` and no further. */
  canceledAt: nullable(Instant),
  orderDate: Instant,
  discountDuration: Duration,
  discountDurationMonths: NullableInteger,
  percentDiscount: NullableInteger,
  payment: PaidBy,
  cardLast4: NullableString,
  /** The line of the order that paid for the running period; null in a trial. */
  orderItem: nullable(Uuid),
}
export const Subscription = item('Subscription', subscriptionFields)
export type Subscription = Static<typeof Subscription>
export const SubscriptionMember = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('Subscription'),
  ...subscriptionFields,
})
export type SubscriptionMember = Static<typeof SubscriptionMember>

/** What `/subscription-details` shows beyond the membership itself. */
export const SubscriptionDetails = Type.Object({
  subscription: Subscription,
  /** What is charged next and when, as the provider previews it; null where nothing is. */
  nextPayment: nullable(Type.Object({ at: Instant, amount: Pounds, plan: Plan })),
  /** A change that waits for the end of the period or of the trial. */
  pendingPlan: nullable(Type.Object({ plan: Plan, at: Instant })),
  /** Free audiobooks that are left, and when they go. */
  credits: Type.Object({ left: Type.Integer({ minimum: 0 }), until: nullable(Instant) }),
  /** What comes back where the member withdraws now (14 days); null where that is over. */
  withdrawal: nullable(Type.Object({ until: Instant, amount: Pounds })),
  /** Since when a payment waits; until when benefits hold all the same. */
  failedPayment: nullable(Type.Object({ since: Instant, benefitsUntil: Instant })),
})
export type SubscriptionDetails = Static<typeof SubscriptionDetails>

const ById = Type.Object({ id: Uuid })

/**
 * What the browser goes on with (ENT-15): a secret to confirm, of a set-up where it contains `seti`; null where nothing is
 * left to pay. Safe to repeat: while a membership waits for its first payment, the same plan answers the same secret.
 */
const Created = Type.Object({
  id: Uuid,
  paymentIntent: NullableString,
  /** What is charged at once, in pounds. */
  amount: Pounds,
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

/** Newest first; those that the caller gave are among them. */
export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/api/subscriptions',
  summary: 'The caller’s memberships',
  access: 'user',
  query: Type.Object(paging(1000, 1000)),
  reply: collection(SubscriptionMember),
})

/** The one whose benefits hold, or whose payment waits; null for who has none. */
export const getCurrentSubscription = endpoint({
  method: 'GET',
  path: '/api/get-current-subscription',
  summary: 'The caller’s membership',
  access: 'user',
  reply: nullable(Subscription),
})

export const getSubscriptionDetails = endpoint({
  method: 'GET',
  path: '/api/subscriptions/{id}/details',
  summary: 'A membership with its next payment',
  access: 'user',
  params: ById,
  reply: SubscriptionDetails,
})

/** What was charged for it, newest first; each is an order with its receipt. */
export const listInvoices = endpoint({
  method: 'GET',
  path: '/api/subscriptions/{id}/invoice',
  summary: 'What a membership was charged',
  access: 'user',
  params: ById,
  reply: Type.Object({
    invoices: Type.Array(
      Type.Object({
        order: Uuid,
        orderNumber: Type.String(),
        at: Instant,
        amount: Pounds,
        refunded: Pounds,
        plan: Plan,
      }),
    ),
  }),
})

/** At the end of the period that is paid for; repeating it changes nothing. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/cancel',
  summary: 'Cancel a membership',
  access: 'user',
  params: ById,
  reply: Subscription,
})

/** What a change of plan would do, as the provider previews it. Changes nothing. */
export const ChangePreview = Type.Object({
  plan: Plan,
  when: Type.Unsafe<'now' | 'period_end' | 'trial_end'>({
    type: 'string',
    enum: ['now', 'period_end', 'trial_end'],
  }),
  at: Instant,
  /** Charged at once, in pounds; 0 for a change that waits. */
  amount: Pounds,
  /** Too little to charge by itself: it comes with the next payment. */
  addedToNextPayment: Type.Boolean(),
  /** To send with the change: what is charged is what was shown. */
  reckonedAt: Instant,
})
export type ChangePreview = Static<typeof ChangePreview>

export const previewChange = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/preview',
  summary: 'What a change of plan costs',
  access: 'user',
  params: ById,
  body: Type.Object({ plan: Plan }),
  reply: ChangePreview,
})

/**
 * One of: another `plan` (with `reckonedAt` and `amount` of its preview; 409 where that has changed), `canceledAt: null`,
 * which resumes one that still runs, or another `paymentMethod`. 422 with the reason where it cannot be.
 */
export const changeSubscription = endpoint({
  method: 'PATCH',
  path: '/api/subscriptions/{id}',
  summary: 'Change a membership',
  access: 'user',
  params: ById,
  body: Type.Object({
    plan: Type.Optional(Plan),
    amount: Type.Optional(Pounds),
    reckonedAt: Type.Optional(Instant),
    canceledAt: Type.Optional(Type.Null()),
    paymentMethod: Type.Optional(Type.String({ pattern: '^(pm|seti)_[A-Za-z0-9_]+$', maxLength: 200 })),
  }),
  reply: Subscription,
})

/** Ends it at once and pays back the smaller share: days left, or credits not taken. */
export const withdrawFromSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/withdraw',
  summary: 'Withdraw within 14 days',
  access: 'user',
  params: ById,
  /** What the page says comes back, in pounds; 409 where that has changed. */
  body: Type.Object({ amount: Pounds }),
  reply: Subscription,
})

const WithMethod = Type.Object({
  /** `pm_…`, or the `seti_…` that it was confirmed with. */
  paymentMethod: Type.String({ pattern: '^(pm|seti)_[A-Za-z0-9_]+$', maxLength: 200 }),
})

/** The new card, or PayPal, of a membership; a payment that waits is tried with it at once. */
export const updatePaymentMethod = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/update-payment-method',
  summary: 'Pay a membership another way',
  access: 'user',
  params: ById,
  body: WithMethod,
  reply: Subscription,
})
export const setPaymentMethod = endpoint({
  method: 'POST',
  path: '/api/set-payment-method/{id}',
  summary: 'Pay a membership another way',
  access: 'user',
  params: ById,
  body: WithMethod,
  reply: Subscription,
})

/** The account's open set-up of a card; made only where none is open. */
export const listSubscriptionIntents = endpoint({
  method: 'GET',
  path: '/api/subscription_intents',
  summary: 'What a new card is confirmed with',
  access: 'user',
  reply: collection(
    Type.Object({
      '@id': Type.String(),
      '@type': Type.Literal('SubscriptionIntent'),
      id: Type.String(),
      clientSecret: Type.String(),
    }),
  ),
})
export const getSetupIntent = endpoint({
  method: 'GET',
  path: '/api/setup-intent',
  summary: 'What a new card is confirmed with',
  access: 'user',
  reply: Type.Object({
    setup_intent: Type.Object({ client_secret: Type.String() }),
    payment_method: NullableString,
  }),
})

/** How the caller's membership is paid; null for none. */
export const getDefaultPayment = endpoint({
  method: 'GET',
  path: '/api/subscriptions/default-payment',
  summary: 'How the membership is paid',
  access: 'user',
  reply: nullable(
    Type.Object({
      type: Type.Unsafe<'card' | 'paypal'>({ type: 'string', enum: ['card', 'paypal'] }),
      last4: NullableString,
    }),
  ),
})

/** Whether the account with this e-mail has a membership; false for an unknown e-mail. 429 after too many. */
export const giftCheck = endpoint({
  method: 'POST',
  path: '/api/subscriptions/gift-check',
  summary: 'Whether somebody has a membership',
  access: 'anyone',
  body: Type.Object({ email: Email }),
  reply: Type.Object({ purchased: Type.Boolean() }),
})

/** Whether a code is valid for a plan, and what the plan costs with it. Stores nothing. 404 for an unknown code. */
export const planDiscount = endpoint({
  method: 'GET',
  path: '/api/discounts/{code}/sub-apply-coupon',
  summary: 'What a code does to a plan',
  access: 'anyone',
  params: Type.Object({ code: CouponCode }),
  query: Type.Object({ plan: Plan }),
  reply: Type.Object({
    valid: Type.Boolean(),
    /** Why not, in the words of the wire. */
    message: NullableString,
    plan: Plan,
    price: Pounds,
    /** What is charged at once, to the penny. */
    discountPrice: Pounds,
    relative_discount: NullableInteger,
    discount_amount: nullable(Pounds),
    discountDuration: Duration,
    discountDurationMonths: NullableInteger,
    /** Nothing is charged, and nothing is stored to pay with: it does not renew. */
    free: Type.Boolean(),
    /** It starts the trial, which stores a card all the same. */
    trial: Type.Boolean(),
  }),
})

/** What became of a set-up, by the intent and its secret out of the return address. Safe to repeat. */
export const returnFromSetup = endpoint({
  method: 'POST',
  path: '/api/set_ups/return',
  summary: 'Come back from a set-up',
  access: 'anyone',
  body: Type.Object({
    setupIntent: Type.String({ pattern: '^seti_[A-Za-z0-9_]+$', maxLength: 200 }),
    clientSecret: Type.String({ minLength: 1, maxLength: 400 }),
  }),
  reply: Type.Object({
    outcome: Type.Unsafe<'done' | 'checking' | 'refused' | 'open' | 'cancelled'>({
      type: 'string',
      enum: ['done', 'checking', 'refused', 'open', 'cancelled'],
    }),
    /** The membership that it belongs to, told to its own account only. */
    subscription: nullable(Uuid),
  }),
})
