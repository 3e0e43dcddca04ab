import type { User } from '#contract/account.ts'
import { call, type CallInput } from '#net/call.ts'

export type Registration = CallInput<'POST /api/users'>['body']
export type Profile = Required<CallInput<'PATCH /api/users/{id}'>['body']>

/** @throws {NetProblem} 422 'already taken', 429. */
export const register = (body: Registration) => call('POST /api/users', { body, anonymous: true })

/** Answers what a code that is typed is sent to. */
export const askForPassword = async (email: string): Promise<string> =>
  (await call('POST /api/forgot_passwords', { body: { email }, anonymous: true })).id

/** `id` is the user's beside a link's token, the request's beside a code. */
export const resetPassword = (id: string, resetToken: string, password: string) =>
  call('PATCH /api/forgot_passwords/{id}', { params: { id }, body: { resetToken, password } })

/** A link's token, or the code of a signed-in user. */
export const confirmAddress = (confirmationToken: string) =>
  call('POST /api/user_confirmation/confirm', { body: { confirmationToken } })

export const mailConfirmationAgain = () => call('POST /api/user_confirmation/resend')

/** Answers the session's new token. */
export const changePassword = async (id: string, oldPassword: string, newPassword: string): Promise<string> =>
  (await call('PUT /api/users/{id}/change-password', { params: { id }, body: { oldPassword, newPassword } }))
    .token

export const saveProfile = (id: string, body: Profile): Promise<User> =>
  call('PATCH /api/users/{id}', { params: { id }, body })

export const switchNewsletter = (id: string, newsletter: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/newsletter-update', { params: { id }, body: { newsletter } })

export const switchPromotions = (id: string, promotions: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/promotion-update', { params: { id }, body: { promotions } })

export const deleteAccount = (id: string) => call('POST /api/users/{id}/delete-account', { params: { id } })

export const exportOwnData = (id: string) => call('GET /api/users/{id}/export', { params: { id } })
