import { call } from '#net/call.ts'

/** Uses the link that asks whether the newsletter is wanted; safe to repeat. */
export const confirmNewsletter = (token: string) =>
  call('POST /api/newsletters/confirm/{token}', { params: { token }, anonymous: true })

/** Takes the address that a mail was sent to off the list; safe to repeat. */
export const unsubscribe = (token: string) =>
  call('POST /api/newsletters/unsubscribe/{token}', { params: { token }, anonymous: true })
