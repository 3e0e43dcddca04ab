import Type, { type Static } from 'typebox'
import { Instant, NullableInteger, NullableString, nullable, paging, Pounds, Uuid } from './atoms.ts'
import { DiscountDuration, Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'

/** In Stripe's spelling (OP-78). */
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

const PaidBy = nullable(
  Type.Object({
    type: Type.Unsafe<'card' | 'paypal'>({ type: 'string', enum: ['card', 'paypal'] }),
    /** The next charge, in pounds; 0 in a trial and if nothing renews. */
    amount: Pounds,
  }),
)

/** A membership of the caller, or one that the caller gave (ENT-09). */
const subscriptionFields = {
  id: Uuid,
  plan: Plan,
  status: Type.Unsafe<SubscriptionStatus>({ type: 'string', enum: [...SUBSCRIPTION_STATUSES] }),
  gift: Type.Boolean(),
  giftEmail: NullableString,
  /** The claimer of a gift, visible to its giver; null until then. */
  giftUser: nullable(Type.Object({ email: Type.String(), fullName: Type.String() })),
  claimedAt: nullable(Instant),
  /** The end of the benefits, unless it renews. */
  validUntil: nullable(Instant),
  periodStart: nullable(Instant),
  periodEnd: nullable(Instant),
  /** If set, it ends at `validUntil`. */
  canceledAt: nullable(Instant),
  orderDate: Instant,
  discountDuration: DiscountDuration,
  discountDurationMonths: NullableInteger,
  percentDiscount: NullableInteger,
  payment: PaidBy,
  /** The price per period at the time of joining; set if the plan's price has changed since. */
  price: Type.Optional(Pounds),
  cardLast4: NullableString,
  /** The line of the order that paid for the current period; null in a trial. */
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

export const PlannedChange = Type.Object({ plan: Plan, at: Instant })

/** The data of `/subscription-details` in addition to the membership. */
export const SubscriptionDetails = Type.Object({
  subscription: Subscription,
  /** The next charge and its date, as Stripe previews them; null without a next charge. */
  nextPayment: nullable(Type.Object({ at: Instant, amount: Pounds, plan: Plan })),
  /** A change that takes effect at the end of the period or of the trial. */
  pendingPlan: nullable(PlannedChange),
  /** A planned change that was dropped by the cancellation and can still be chosen again. */
  droppedPlan: nullable(PlannedChange),
  credits: Type.Object({
    left: Type.Integer({ minimum: 0 }),
    until: nullable(Instant),
    /** When the first ones are granted, for a member who recently withdrew from another membership; else null. */
    from: nullable(Instant),
    /**
     * While the member may withdraw: the refund that would remain after choosing one more; null if choosing does not
     * change it.
     */
    leavesToPayBack: nullable(Pounds),
    /** True for free audiobooks of a trial: the account must confirm its address before choosing one. */
    confirmAddressFirst: Type.Boolean(),
  }),
  /**
   * The refund of a withdrawal now (within 14 days): 0 if nothing is left to refund. No withdrawal is possible while a
   * dispute is open. Null after the 14 days.
   */
  withdrawal: nullable(
    Type.Object({
      until: Instant,
      amount: Pounds,
      disputed: Type.Boolean(),
      /** True if Stripe refuses to refund a payment after a decided dispute; `amount` excludes that payment. */
      blocked: Type.Boolean(),
    }),
  ),
  /** The time at which an open dispute suspended the benefits; null without an open dispute. */
  disputedSince: nullable(Instant),
  /** When the payment failed, its amount if known, and until when the benefits stay available. */
  failedPayment: nullable(Type.Object({ since: Instant, benefitsUntil: Instant, amount: nullable(Pounds) })),
  /**
   * For a membership that ended because payments failed: when it ended and when the first payment failed. Nothing is
   * owed.
   */
  endedUnpaid: nullable(Type.Object({ at: Instant, failedAt: Instant })),
})
export type SubscriptionDetails = Static<typeof SubscriptionDetails>

const ById = Type.Object({ id: Uuid })

/** Newest first, including memberships that the caller gave. */
export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/api/subscriptions',
  summary: 'The caller’s memberships',
  access: 'user',
  query: Type.Object(paging(1000, 1000)),
  reply: collection(SubscriptionMember),
})

/** The active membership or the one with a failed payment; null without one. */
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

/** Its charges, newest first; each is an order with a receipt. */
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
        /** True while the bank is looking into this payment. */
        disputed: Type.Boolean(),
        plan: Plan,
      }),
    ),
  }),
})

/** The payment method of the caller's membership; null without one. */
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
