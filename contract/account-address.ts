import Type from 'typebox'
import { ById, OldPassword, User } from './account.ts'
import { Email } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'

/**
 * Confirms an address: with the token of the emailed link plus the session or the password of the account, or, for a
 * logged-in user, with the code from the same email. Also confirms a change of address. Safe to repeat. 422 for an
 * unknown or expired token, and at `password` if that is missing or wrong; 429 after too many codes.
 */
export const confirmUser = endpoint({
  method: 'POST',
  path: '/api/user_confirmation/confirm',
  summary: 'Confirm an address',
  access: 'anyone',
  alsoOutlets: true,
  body: Type.Object({
    confirmationToken: Type.String({ minLength: 1, maxLength: 200 }),
    password: Type.Optional(OldPassword),
  }),
  reply: item('UserConfirmation', { email: Type.String() }),
})

/** Sends the email again. Sends nothing to a confirmed address. */
export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/user_confirmation/resend',
  summary: 'Send the confirmation mail again',
  access: 'user',
  alsoOutlets: true,
  status: 204,
})

/**
 * Requests a change of address: emails a link to the new address to confirm it (`confirmUser`), and a notice to the
 * current one. The answer is the same if another account has the new address. 422 at `email` for the caller's current
 * address and at `password` for a wrong password; 429 after too many of either.
 */
export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/users/{id}/change-email',
  summary: 'Ask for another email address',
  access: 'user',
  alsoOutlets: true,
  params: ById,
  body: Type.Object({ email: Email, password: OldPassword }),
  reply: User,
})

/** Sends the email to the new address again. Sends nothing without a pending change. */
export const resendEmailChange = endpoint({
  method: 'POST',
  path: '/api/users/{id}/change-email/resend',
  summary: 'Send the mail to the new address again',
  access: 'user',
  alsoOutlets: true,
  status: 204,
  params: ById,
})

/** The link and code that were emailed to the new address stop working. */
export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/users/{id}/change-email',
  summary: 'Keep the email address',
  access: 'user',
  alsoOutlets: true,
  params: ById,
  reply: User,
})

/**
 * Restores the account's previous address with the token from the email to that address; within seven days, once. Ends
 * every session, invalidates the password and emails a link for a new one. 404 for an invalid token.
 */
export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/api/email_changes/undo',
  summary: 'Undo a change of address',
  access: 'open',
  status: 204,
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
})
