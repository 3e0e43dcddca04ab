import { DAY_MS } from '#contract/durations.ts'
import { randomUUID } from 'node:crypto'
import type { DeviceHere } from '#contract/account.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { forbidden, gone, notSignedIn, type Refusal } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import type { Accounts, Tokens, Visit } from './accounts.ts'
import { storeDevice } from './device-queries.ts'
import { countsEverything, REFRESHES } from './limits.ts'
import { tokenHash } from './refresh-token.ts'
import { insertSession, revokeSession, rotateSession, selectIsBlocked, selectSession } from './queries.ts'

const SLIDING_MS = 30 * DAY_MS
const ABSOLUTE_MS = 180 * DAY_MS
/** For two tabs that refresh at the same time, and for a response that got lost. */
const GRACE_MS = 10_000

/**
 * Opens a session on one device.
 * @throws 403 for an account that the shop's owner has blocked
 */
export async function openSession(
  { shop, access, refresh }: Accounts,
  userId: string,
  { device = unknownDevice() }: Visit,
): Promise<Tokens> {
  if (await selectIsBlocked(shop.db, userId))
    throw forbidden('This account is blocked. If you think that’s a mistake, please write to us.')
  const sessionId = randomUUID()
  const refreshToken = refresh.first(sessionId)
  const now = shop.now()
  const [token] = await Promise.all([
    access.issue({ userId, sessionId }),
    storeDevice(shop.db, { userId, ...device, now }),
    insertSession(shop.db, {
      id: sessionId,
      userId,
      deviceId: device.id,
      tokenHash: tokenHash(refreshToken),
      createdAt: now,
      rotatedAt: now,
      expiresAt: new Date(now.getTime() + SLIDING_MS),
      endsAt: new Date(now.getTime() + ABSOLUTE_MS),
    }),
  ])
  return { token, refreshToken }
}

/**
 * Exchanges a refresh token for its successor. For ten seconds after the exchange the previous token returns the same
 * successor. The use of an older token means that it was copied, and ends the session.
 * @throws 401, also for an expired session, whose device keeps the account's data
 * @throws 410 for a session that another device ended or whose account was deleted: the device removes the data
 */
export async function refreshSession(
  accounts: Accounts,
  token: string,
  { address, device }: Visit,
): Promise<Tokens> {
  const { shop, access, refresh } = accounts
  const sessionId = refresh.sessionOf(token)
  if (!sessionId) throw refused()
  const now = shop.now()
  if (countsEverything(shop.config, address)) await countOrRefuse(shop.db, REFRESHES, sessionId, now)

  const successors = refresh.successors(token)
  const rotated = await rotateSession(shop.db, {
    sessionId,
    from: tokenHash(token),
    to: tokenHash(successors[0]),
    now,
    expiresAt: new Date(now.getTime() + SLIDING_MS),
    deviceId: device?.id,
  })
  if (rotated?.userId) {
    const { userId } = rotated
    if (device) await storeDevice(shop.db, { userId, ...device, now })
    return { token: await access.issue({ userId, sessionId }), refreshToken: successors[0] }
  }

  const session = await selectSession(shop.db, sessionId)
  if (session && (session.removesData || !session.userId)) throw gone('Logged out from elsewhere')
  if (!session?.userId || session.revokedAt || session.expiresAt <= now) throw refused()
  const successor = successors.find((candidate) => tokenHash(candidate) === session.tokenHash)
  // Write nothing here, so that repeated requests cannot extend the grace period.
  if (successor && now.getTime() - session.rotatedAt.getTime() <= GRACE_MS)
    return { token: await access.issue({ userId: session.userId, sessionId }), refreshToken: successor }

  noteSecurity(shop, 'session_reused', { userId: session.userId, sessionId, address })
  await endSession(shop, sessionId)
  throw refused()
}

export async function logOut({ shop, refresh }: Accounts, token: string): Promise<void> {
  const sessionId = refresh.sessionOf(token)
  if (!sessionId) return
  await endSession(shop, sessionId)
  noteSecurity(shop, 'logged_out', { sessionId })
}

async function endSession(shop: Shop, sessionId: string): Promise<void> {
  await revokeSession(shop.db, sessionId, shop.now())
  liveSessionsOf(shop).forget(sessionId)
}

const refused = (): Refusal => notSignedIn('Invalid JWT Refresh Token')

/** A client that names no device can still be logged out from the list of devices. */
const unknownDevice = (): DeviceHere => ({ id: randomUUID(), browser: 'Unknown browser' })
