import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#contract/durations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { roleMay } from '#contract/office/permissions.ts'
import { noteCaller } from '../log/log-context.ts'
import { confirmAgain, forbidden, notSignedIn } from '../http/http-errors.ts'
import type { Config } from '../settings/config.ts'
import { isLoopback } from '../settings/demo-mode.ts'
import type { Shop } from '../shop.ts'
import { selectStaffSession, updateStaffSeen } from './staff-queries.ts'

export type StaffCaller = NonNullable<Awaited<ReturnType<typeof selectStaffSession>>>

/** How long a used passkey lasts for calls that move money, change roles or export data. */
export const FRESH_MS = 5 * MINUTE_MS
/** `lastSeenAt` is this exact. */
const SEEN_MS = MINUTE_MS

/** The calls of the office. The cookie goes to them alone: no page, file or call of the shop ever gets it. */
export const OFFICE_API = '/api/office'

/**
 * A browser accepts a name with this prefix only over HTTPS. Plain HTTP is for the shop on one's own machine, where a
 * `Secure` cookie would not be stored by every browser.
 */
export const staffCookieName = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl.startsWith('https://') ? '__Secure-office' : 'office'

export function staffCookie(config: Pick<Config, 'publicUrl'>, token: string, maxAgeSeconds: number): string {
  const secure = config.publicUrl.startsWith('https://') ? '; Secure' : ''
  return `${staffCookieName(config)}=${token}; Path=${OFFICE_API}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Returns who is signed in to the office, or null. Never by a customer's token. */
export function staffGuard(shop: Shop): (request: FastifyRequest) => Promise<StaffCaller | null> {
  const name = `${staffCookieName(shop.config)}=`
  return async ({ headers }) => {
    const token = (headers.cookie ?? '')
      .split(/; */)
      .find((part) => part.startsWith(name))
      ?.slice(name.length)
    if (!token) return null
    const now = shop.now()
    const found = await selectStaffSession(shop.db, hashOfToken(token), now)
    if (!found) return null
    noteCaller(found.staffId)
    const before = new Date(now.getTime() - SEEN_MS)
    if (!found.lastSeenAt || found.lastSeenAt < before)
      await updateStaffSeen(shop.db, found.staffId, { now, before })
    return found
  }
}

/** @throws 401 without a session, 403 for another role, 403 `confirm-again` if the passkey was used too long ago */
export function refuseStaff(
  { may, fresh }: Pick<Endpoint, 'may' | 'fresh'>,
  caller: StaffCaller | null,
  now: Date,
): void {
  if (!caller) throw notSignedIn('Please sign in to the office.')
  if (may && !roleMay(caller.role, may)) throw forbidden('Your role can’t do this.')
  if (fresh && !isFresh(caller, now)) throw confirmAgain()
}

export const isFresh = ({ confirmedAt }: Pick<StaffCaller, 'confirmedAt'>, now: Date): boolean =>
  confirmedAt !== null && now.getTime() - confirmedAt.getTime() < FRESH_MS

/** The addresses at which the office may be open. On this machine browsers only know passkeys of `localhost`. */
export function officeOrigins({ publicUrl }: Pick<Config, 'publicUrl'>): readonly string[] {
  const url = new URL(publicUrl)
  if (!isLoopback(url.hostname)) return [url.origin]
  return [url.origin, `${url.protocol}//localhost${url.port && `:${url.port}`}`]
}

/**
 * Refuses what another site makes a browser send, although the cookie is `SameSite=Strict` already: a sister domain
 * counts as the same site. Changes need an `Origin`, which every browser sends with them.
 */
export function refuseForeignOrigin(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isForeign =
    (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) ||
    (origin === undefined ? !isRead : !officeOrigins(config).includes(origin))
  if (isForeign) throw forbidden(`The office is at ${officeOrigins(config).at(-1)}/office.`)
}
