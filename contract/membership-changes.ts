import Type, { type Static } from 'typebox'
import { Instant, NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import { PlannedChange, Subscription } from './membership.ts'

const ById = Type.Object({ id: Uuid })

/** Takes effect at the end of the paid period; repeating it changes nothing. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/cancel',
  summary: 'Cancel a membership',
  access: 'user',
  params: ById,
  reply: Subscription,
})

/** The effect of a plan change, as Stripe previews it. Changes nothing. */
export const ChangePreview = Type.Object({
  plan: Plan,
  when: Type.Unsafe<'now' | 'period_end' | 'trial_end'>({
    type: 'string',
    enum: ['now', 'period_end', 'trial_end'],
  }),
  at: Instant,
  /** Charged at once, in pounds; 0 for a change that takes effect later. */
  amount: Pounds,
  /** The amount is too small to charge on its own, so it is added to the next payment. */
  addedToNextPayment: Type.Boolean(),
  /**
   * The first renewal at the new plan, less the current discount and plus an amount that was too small to charge now.
   */
  nextPayment: Type.Object({ at: Instant, amount: Pounds }),
  ends: nullable(PlannedChange),
  /** Send it with the change, so that the charge equals the preview. */
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
 * One of: another `plan` (with `reckonedAt` and `amount` of its preview; 409 if that has changed), `canceledAt: null`,
 * which resumes a canceled membership that is still active, or another `paymentMethod`. 422 with the reason if it is
 * not possible.
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

/** Ends it at once and refunds the smaller share: remaining days, or unused credits. */
export const withdrawFromSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/withdraw',
  summary: 'Withdraw within 14 days',
  access: 'user',
  params: ById,
  /** The refund that the page shows, in pounds; 409 if that has changed. */
  body: Type.Object({ amount: Pounds }),
  reply: Subscription,
})

const WithMethod = Type.Object({
  /** `pm_…`, or the `seti_…` that it was confirmed with. */
  paymentMethod: Type.String({ pattern: '^(pm|seti)_[A-Za-z0-9_]+$', maxLength: 200 }),
})

/** Sets a membership's card or PayPal account; an open payment is retried with it at once. */
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

/**
 * Retries the stored card or PayPal account for the open amount. `refused`: the bank declined again. `authenticate`:
 * the bank requires authentication; the browser confirms `clientSecret` with the stored method and then calls `POST
 * payments/return`. 422 if no amount is open.
 */
export const payAgain = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/pay',
  summary: 'Try the stored card again',
  access: 'user',
  params: ById,
  reply: Type.Object({
    outcome: Type.Unsafe<'paid' | 'checking' | 'refused' | 'authenticate'>({
      type: 'string',
      enum: ['paid', 'checking', 'refused', 'authenticate'],
    }),
    clientSecret: NullableString,
  }),
})

export const LEAVING_REASONS = ['price', 'time', 'titles', 'app', 'other'] as const
export type LeavingReason = (typeof LEAVING_REASONS)[number]

/**
 * Why a member leaves; asked once, after the cancellation, and optional: too expensive, no time to listen, too little
 * to listen to, trouble with the app, something else. Stored anonymously with plan and day. A second answer is not
 * stored. 422 if the membership is not cancelled.
 */
export const sayWhyLeaving = endpoint({
  method: 'POST',
  path: '/api/subscriptions/{id}/leaving-reason',
  summary: 'Say why a membership ends',
  access: 'user',
  status: 204,
  params: ById,
  body: Type.Object({
    reason: Type.Unsafe<LeavingReason>({ type: 'string', enum: [...LEAVING_REASONS] }),
  }),
})

/** The account's open setup intent for a card; creates one if none is open. */
export const listSubscriptionIntents = endpoint({
  method: 'GET',
  path: '/api/subscription_intents',
  summary: 'What a new card is confirmed with',
  access: 'user',
  notInView: true,
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
  notInView: true,
  reply: Type.Object({
    setup_intent: Type.Object({ client_secret: Type.String() }),
    payment_method: NullableString,
  }),
})
