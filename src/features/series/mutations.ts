import { call } from '#net/call.ts'

/** Asks for a mail with the link that confirms it. */
export const askForNext = (slug: string, email: string) =>
  call('POST /api/series/{slug}/notices', { params: { slug }, body: { email } })

/** Uses the link that asks whether somebody wants to hear of the next one; safe to repeat. */
export const confirmNotice = (token: string) =>
  call('POST /api/series_notices/confirm/{token}', { params: { token }, anonymous: true })

/** Nothing is sent any more to whom the mail went; safe to repeat. */
export const endNotice = (token: string) =>
  call('POST /api/series_notices/end/{token}', { params: { token }, anonymous: true })
