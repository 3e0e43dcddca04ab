import type { User } from '#contract/account.ts'
import { call, type CallInput } from '#net/call.ts'
import { settings } from '#net/settings.ts'

export type Registration = Omit<CallInput<'POST /api/users'>['body'], 'device'>
export type Profile = Required<CallInput<'PATCH /api/users/{id}'>['body']>

/**
 * @param giftToken from the gift's link: confirms the address it was sent to
 * @throws {NetProblem} 422 `email_taken`, 429
 */
export const register = async (typed: Registration, giftToken?: string) =>
  call('POST /api/users', {
    body: { ...typed, ...(giftToken ? { giftToken } : {}), ...(await settings.device()) },
    anonymous: true,
  })

/** Resolves with the id that a typed code is sent with. */
export const askForPassword = async (email: string): Promise<string> =>
  (await call('POST /api/forgot_passwords', { body: { email }, anonymous: true })).id

/** `id` is the user's with a link's token, the request's with a typed code. */
export const resetPassword = (id: string, resetToken: string, password: string) =>
  call('PATCH /api/forgot_passwords/{id}', { params: { id }, body: { resetToken, password } })

/** A link's token, or a typed code. The password is needed without a session. */
export const confirmAddress = (confirmationToken: string, password?: string) =>
  call('POST /api/user_confirmation/confirm', {
    body: { confirmationToken, ...(password === undefined ? {} : { password }) },
  })

export const mailConfirmationAgain = () => call('POST /api/user_confirmation/resend')

/** The new address must confirm first; until then it is `pendingEmail`. */
export const changeEmail = (id: string, email: string, password: string): Promise<User> =>
  call('POST /api/users/{id}/change-email', { params: { id }, body: { email, password } })

export const mailEmailChangeAgain = (id: string) =>
  call('POST /api/users/{id}/change-email/resend', { params: { id } })

export const cancelEmailChange = (id: string): Promise<User> =>
  call('DELETE /api/users/{id}/change-email', { params: { id } })

/** From the link in the email to the former address. */
export const undoEmailChange = (token: string) =>
  call('POST /api/email_changes/undo', { body: { token }, anonymous: true })

/** Resolves with the session's new token. */
export const changePassword = async (id: string, oldPassword: string, newPassword: string): Promise<string> =>
  (await call('PUT /api/users/{id}/change-password', { params: { id }, body: { oldPassword, newPassword } }))
    .token

/** For 15 minutes this session may give and add cards. */
export const provePassword = (id: string, password: string) =>
  call('POST /api/users/{id}/prove', { params: { id }, body: { password } })

/** The first password of an account that a wallet's payment made. */
export const choosePassword = (id: string, newPassword: string) =>
  call('POST /api/users/{id}/choose-password', { params: { id }, body: { newPassword } })

export const saveProfile = (id: string, body: Profile): Promise<User> =>
  call('PATCH /api/users/{id}', { params: { id }, body })

export const switchPromotions = (id: string, promotions: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/promotion-update', { params: { id }, body: { promotions } })

export const switchChoiceEmails = (id: string, choiceEmails: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/choice-emails-update', { params: { id }, body: { choiceEmails } })

export const showListening = (id: string, shown: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/listening-shown', { params: { id }, body: { shown } })

/** @param amount the refund that the dialog showed, in pounds; the server answers 409 if it has changed */
export const deleteAccount = (id: string, password: string, amount: number) =>
  call('POST /api/users/{id}/delete-account', { params: { id }, body: { password, amount } })

export const exportOwnData = (id: string) => call('GET /api/users/{id}/export', { params: { id } })
