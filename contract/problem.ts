import Type, { type Static } from 'typebox'

/**
 * Why a request was refused, where a program has to know. Compare these: messages are for people, and may change. The
 * last eight are `CARD_REFUSALS`.
 */
export const RefusalReason = Type.Enum([
  'email_taken',
  'total_changed',
  'payment_method_invalid',
  'proof_needed',
  'already_member',
  'membership_payment_failed',
  'discount_not_valid',
  'discount_already_used',
  'discount_not_for_this_bag',
  'discount_nothing_left',
  'card_not_activated',
  'card_already_activated',
  'card_of_another_bookshop',
  'bookshop_closed',
  'already_redeemed',
  'redeemed_by_you',
  'already_owned',
  'too_late',
])
export type RefusalReason = Static<typeof RefusalReason>

export const Violation = Type.Object({
  propertyPath: Type.String(),
  message: Type.String(),
  code: Type.Optional(RefusalReason),
})
export type Violation = Static<typeof Violation>

/**
 * Every error response (API-05): the Hydra error and plain fields, because clients read them by name. The token
 * endpoints also use `code` and `message` (`Invalid credentials.`).
 */
export const Problem = Type.Object({
  '@context': Type.String(),
  '@id': Type.String(),
  '@type': Type.String(),
  type: Type.String(),
  status: Type.Integer(),
  code: Type.Integer(),
  'hydra:title': Type.String(),
  'hydra:description': Type.String(),
  title: Type.String(),
  detail: Type.String(),
  description: Type.String(),
  message: Type.String(),
  reason: Type.Optional(RefusalReason),
  violations: Type.Optional(Type.Array(Violation)),
})
export type Problem = Static<typeof Problem>
