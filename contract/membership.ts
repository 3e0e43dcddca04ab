import Type, { type Static } from 'typebox'
import { Instant, NullableInteger, NullableString, nullable, paging, Pounds, Uuid } from './atoms.ts'
import { DiscountDuration, Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'

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
  discountDuration: DiscountDuration,
  discountDurationMonths: NullableInteger,
  percentDiscount: NullableInteger,
  payment: PaidBy,
  /** What it costs each period: the price at which it was joined, where the plan's is another by now. */
  price: Type.Optional(Pounds),
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

/** Another plan from a day on. */
export const PlannedChange = Type.Object({ plan: Plan, at: Instant })

/** What `/subscription-details` shows beyond the membership itself. */
export const SubscriptionDetails = Type.Object({
  subscription: Subscription,
  /** What is charged next and when, as the provider previews it; null where nothing is. */
  nextPayment: nullable(Type.Object({ at: Instant, amount: Pounds, plan: Plan })),
  /** A change that waits for the end of the period or of the trial. */
  pendingPlan: nullable(PlannedChange),
  /** A change that waited until the membership was cancelled, while it can still be chosen again. */
  droppedPlan: nullable(PlannedChange),
  /** Free audiobooks that are left, and when they go. */
  credits: Type.Object({
    left: Type.Integer({ minimum: 0 }),
    until: nullable(Instant),
    /** When the first ones come, for who withdrew from another membership lately; else null. */
    from: nullable(Instant),
    /** While the member may withdraw: what would still come back once one more is chosen; null where that changes nothing. */
    leavesToPayBack: nullable(Pounds),
    /** True for free audiobooks of a trial: the account must confirm its address before choosing one. */
    confirmAddressFirst: Type.Boolean(),
  }),
  /**
   * What comes back where the member withdraws now (14 days): 0 where nothing is left to pay back; nothing can be done while a
   * dispute is open. Null where the days are over.
   */
  withdrawal: nullable(
    Type.Object({
      until: Instant,
      amount: Pounds,
      disputed: Type.Boolean(),
      /** True if the provider refuses to refund a payment after a decided dispute; `amount` excludes that payment. */
      blocked: Type.Boolean(),
    }),
  ),
  /** The time at which an open dispute suspended the benefits; null without an open dispute. */
  disputedSince: nullable(Instant),
  /** Since when a payment waits, of how much where that is known, and until when benefits hold all the same. */
  failedPayment: nullable(Type.Object({ since: Instant, benefitsUntil: Instant, amount: nullable(Pounds) })),
  /** Since when no payment went through, of a membership that ended because of it; nothing is owed. */
  endedUnpaid: nullable(Type.Object({ at: Instant, failedAt: Instant })),
})
export type SubscriptionDetails = Static<typeof SubscriptionDetails>

const ById = Type.Object({ id: Uuid })

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
        /** True while the bank is looking into this payment. */
        disputed: Type.Boolean(),
        plan: Plan,
      }),
    ),
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
