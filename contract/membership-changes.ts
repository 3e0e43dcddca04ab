import Type, { type Static } from 'typebox'
import { Instant, NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import { PlannedChange, Subscription } from './membership.ts'

const ById = Type.Object({ id: Uuid })

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
  /** The first renewal at the new plan, with what a running discount takes off and what was too little to charge now. */
  nextPayment: Type.Object({ at: Instant, amount: Pounds }),
  /** A change that was planned before and that this one ends. */
  ends: nullable(PlannedChange),
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

/**
 * Tries the stored card or PayPal account again for what is open. `refused`: the bank said no again. `authenticate`: the bank wants
 * its customer, and `clientSecret` is confirmed in the browser, with the stored method; afterwards `POST payments/return`.
 * 422 where nothing is open.
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

/** What may be answered to the one question after cancelling. */
export const LEAVING_REASONS = ['price', 'time', 'titles', 'app', 'other'] as const
export type LeavingReason = (typeof LEAVING_REASONS)[number]

/**
 * Why somebody leaves, asked once after they cancelled and never in their way: too expensive, no time to listen, too little to
 * listen to, trouble with the app, something else. Kept with plan and day, and with nothing that says whose it was.
 * A second answer is not kept. 422 where the membership is not cancelled.
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
