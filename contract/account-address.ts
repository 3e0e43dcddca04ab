import Type from 'typebox'
import { ById, OldPassword, User } from './account.ts'
import { Email } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'

/**
 * The token of the mailed link, with the session of who registered or their password; or, of a signed-in user, the
 * code from the same email. A change of address is confirmed by the same call. Safe to repeat. 422 for one that is
 * unknown or too old, and at `password` where that is missing or wrong; 429 after too many codes.
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

/** Sends the mail again; nothing is sent to an address that is confirmed. */
export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/user_confirmation/resend',
  summary: 'Send the confirmation mail again',
  access: 'user',
  alsoOutlets: true,
  status: 204,
})

/**
 * Asks for another address: a mail to it asks to confirm it (`confirmUser`), a mail to the present one says so. Answers
 * the same for an address that somebody else has. 422 at `email` for one's own address and at `password` for a wrong
 * password; 429 after too many of either.
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

/** Sends the mail to the new address again; nothing is sent where no change waits. */
export const resendEmailChange = endpoint({
  method: 'POST',
  path: '/api/users/{id}/change-email/resend',
  summary: 'Send the mail to the new address again',
  access: 'user',
  alsoOutlets: true,
  status: 204,
  params: ById,
})

/** What was mailed to the new address opens nothing any more. */
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
 * Gives an account the address back that it had, by the token of the mail to that address, within seven days and once.
 * Every session ends, the password opens nothing any more, and a mail asks for a new one. 404 when it opens nothing.
 */
export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/api/email_changes/undo',
  summary: 'Undo a change of address',
  access: 'open',
  status: 204,
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
})
