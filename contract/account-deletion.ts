import Type, { type Static } from 'typebox'
import { ById, OldPassword } from './account.ts'
import { Pounds } from './atoms.ts'
import { Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'

/**
 * The refund of a membership when its account is deleted: `back` to the member, `to_giver` for a gift, `nothing_left`
 * to refund, `too_late` after the 14 days, `disputed` during an open dispute, `no_charge` in a trial or if a code paid.
 */
export const CLOSING_OUTCOMES = [
  'back',
  'to_giver',
  'nothing_left',
  'too_late',
  'disputed',
  'no_charge',
] as const
export type ClosingOutcome = (typeof CLOSING_OUTCOMES)[number]

export const Deletion = Type.Object({
  /** The refund to the account's own card or PayPal, in pounds. */
  amount: Pounds,
  memberships: Type.Array(
    Type.Object({
      plan: Plan,
      gift: Type.Boolean(),
      trial: Type.Boolean(),
      outcome: Type.Unsafe<ClosingOutcome>({ type: 'string', enum: [...CLOSING_OUTCOMES] }),
    }),
  ),
  /** The number that has not been chosen yet. */
  freeAudiobooks: Type.Integer({ minimum: 0 }),
})
export type Deletion = Static<typeof Deletion>

export const previewDeletion = endpoint({
  method: 'GET',
  path: '/api/users/{id}/delete-account',
  summary: 'What deleting the account ends and pays back',
  access: 'user',
  params: ById,
  reply: Deletion,
})

/**
 * Deletes the personal data, keeps the orders without a user, and refunds what a withdrawal would refund. 422 for a
 * wrong password, 429 after too many attempts. 409 if `amount`, the refund that the page showed, has changed; without
 * `amount` the due sum is refunded.
 */
export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/users/{id}/delete-account',
  summary: 'Delete the account',
  access: 'user',
  status: 204,
  params: ById,
  body: Type.Object({ password: OldPassword, amount: Type.Optional(Pounds) }),
})
