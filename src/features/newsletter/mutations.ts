import type { User } from '#contract/account.ts'
import { call } from '#net/call.ts'

/** The server emails a link that confirms it. */
export const subscribe = (email: string) => call('POST /api/newsletters', { body: { email } })

export const confirmNewsletter = (token: string) =>
  call('POST /api/newsletters/confirm/{token}', { params: { token }, anonymous: true })

export const unsubscribe = (token: string) =>
  call('POST /api/newsletters/unsubscribe/{token}', { params: { token }, anonymous: true })

export const switchNewsletter = (id: string, newsletter: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/newsletter-update', { params: { id }, body: { newsletter } })
