import type { User } from '#contract/account.ts'
import { call } from '#net/call.ts'

/** Asks for a mail with the link that confirms it. */
export const subscribe = (email: string) => call('POST /api/newsletters', { body: { email } })

/** Uses the link that asks whether the newsletter is wanted; safe to repeat. */
export const confirmNewsletter = (token: string) =>
  call('POST /api/newsletters/confirm/{token}', { params: { token }, anonymous: true })

/** Takes the address that a mail was sent to off the list; safe to repeat. */
export const unsubscribe = (token: string) =>
  call('POST /api/newsletters/unsubscribe/{token}', { params: { token }, anonymous: true })

/** Of an account, in its settings. */
export const switchNewsletter = (id: string, newsletter: boolean): Promise<User> =>
  call('PATCH /api/users/{id}/newsletter-update', { params: { id }, body: { newsletter } })
