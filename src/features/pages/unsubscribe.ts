import { call } from '#net/call.ts'

/** Takes the address that a mail was sent to off the list; safe to repeat. */
export const unsubscribe = (token: string) =>
  call('POST /api/newsletters/unsubscribe/{token}', { params: { token }, anonymous: true })
