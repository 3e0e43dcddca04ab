import type { DeviceHere } from '#contract/account.ts'
import { type AccessTokens, accessTokens } from '../../auth/access-token.ts'
import type { Shop } from '../../shop.ts'
import { DAY_MS } from '#contract/durations.ts'
import { randomUUID, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../auth/access.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { forbidden, gone, notFound, notSignedIn, type Refusal } from '../../http/http-errors.ts'
import {
  storeDevice,
  insertSession,
  revokeSession,
  rotateSession,
  selectIsBlocked,
  selectSession,
} from './queries.ts'
import { countsEverything, REFRESHES } from './limits.ts'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'

export interface Accounts {
  readonly shop: Shop
  readonly access: AccessTokens
  readonly refresh: RefreshTokens
}

export const accountsOf = (shop: Shop): Accounts => ({
  shop,
  access: accessTokens(shop),
  refresh: refreshTokens(shop.config),
})

export interface Tokens {
  readonly token: string
  readonly refreshToken: string
}

export interface Visit {
  readonly address: string
  readonly device?: DeviceHere | undefined
}

const SLIDING_MS = 30 * DAY_MS
const ABSOLUTE_MS = 180 * DAY_MS
/** For two tabs that refresh at the same time, and for a response that got lost. */
const GRACE_MS = 10_000

/** @throws 403 for an account that the shop's owner has blocked */
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
      tokenHash: refreshTokenHash(refreshToken),
      createdAt: now,
      rotatedAt: now,
      expiresAt: new Date(now.getTime() + SLIDING_MS),
      endsAt: new Date(now.getTime() + ABSOLUTE_MS),
    }),
  ])
  return { token, refreshToken }
}

const VIEW_MS = 30 * 60_000

/** For a member of staff who sees the shop as this user: read only, and with no token to refresh it. */
export async function openView(
  shop: Shop,
  { userId, viewedBy }: { readonly userId: string; readonly viewedBy: string },
): Promise<{ readonly token: string; readonly endsAt: Date }> {
  const sessionId = randomUUID()
  const now = shop.now()
  const endsAt = new Date(now.getTime() + VIEW_MS)
  await insertSession(shop.db, {
    id: sessionId,
    userId,
    tokenHash: refreshTokenHash(randomBytes(SECRET_BYTES).toString('base64url')),
    createdAt: now,
    rotatedAt: now,
    expiresAt: endsAt,
    endsAt,
    viewedBy,
  })
  return { token: await accessTokens(shop).issue({ userId, sessionId }), endsAt }
}

/**
 * For ten seconds the previous token returns the same successor. An older token was copied, and ends the session.
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
  if (!sessionId) throw invalidRefreshToken()
  const now = shop.now()
  if (countsEverything(shop.config, address)) await countOrRefuse(shop.db, REFRESHES, sessionId, now)

  const successors = refresh.successors(token)
  const rotated = await rotateSession(shop.db, {
    sessionId,
    from: refreshTokenHash(token),
    to: refreshTokenHash(successors[0]),
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
  if (!session?.userId || session.revokedAt || session.expiresAt <= now) throw invalidRefreshToken()
  const successor = successors.find((candidate) => refreshTokenHash(candidate) === session.tokenHash)
  // Write nothing here, so that repeated requests cannot extend the grace period.
  if (successor && now.getTime() - session.rotatedAt.getTime() <= GRACE_MS)
    return { token: await access.issue({ userId: session.userId, sessionId }), refreshToken: successor }

  noteSecurity(shop, 'session_reused', { userId: session.userId, sessionId, address })
  await endSession(shop, sessionId)
  throw invalidRefreshToken()
}

export async function logOut({ shop, refresh }: Accounts, token: string): Promise<void> {
  const sessionId = refresh.sessionOf(token)
  if (!sessionId) return
  await endSession(shop, sessionId)
  noteSecurity(shop, 'logged_out', { sessionId })
}

/** Staff end their view of the shop as this user. @throws 404 for the user's own session */
export async function leaveView(
  shop: Shop,
  { sessionId, viewedBy }: Pick<Caller, 'sessionId' | 'viewedBy'>,
): Promise<void> {
  if (!viewedBy) throw notFound()
  await endSession(shop, sessionId)
}

async function endSession(shop: Shop, sessionId: string): Promise<void> {
  await revokeSession(shop.db, sessionId, shop.now())
  liveSessionsOf(shop).forget(sessionId)
}

const invalidRefreshToken = (): Refusal => notSignedIn('Invalid JWT Refresh Token')

/** A client that names no device can still be logged out from the list of devices. */
const unknownDevice = (): DeviceHere => ({ id: randomUUID(), browser: 'Unknown browser' })

// A token has the session's id, a secret, and a MAC ("seal") over both: 64 bytes, 86 characters in base64url.
const ID_BYTES = 16
const SECRET_BYTES = 32
const SEAL_BYTES = 16

interface RefreshTokens {
  first(sessionId: string): string
  /** Computed, so that repeats in the grace period get the same one. Several, newest first, during a key rotation. */
  successors(token: string): readonly [string, ...string[]]
  sessionOf(token: string): string | null
}

/** The seal stops a stranger who knows a session id from ending that session with an invented token. */
function refreshTokens(config: Pick<Config, 'appKeys'>): RefreshTokens {
  const keys = keysFor(config, 'refresh-token')

  const sealed = (key: Buffer, sessionId: Buffer, secret: Buffer): string =>
    Buffer.concat([sessionId, secret, sealOf(key, Buffer.concat([sessionId, secret]))]).toString('base64url')

  const successor = (key: Buffer, bytes: Buffer): string =>
    sealed(key, bytes.subarray(0, ID_BYTES), createHmac('sha256', key).update('next').update(bytes).digest())

  return {
    first: (sessionId) => sealed(keys[0], bytesOf(sessionId), randomBytes(SECRET_BYTES)),
    successors(token) {
      const bytes = Buffer.from(token, 'base64url')
      const [newest, ...older] = keys
      return [successor(newest, bytes), ...older.map((key) => successor(key, bytes))]
    },
    sessionOf(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== ID_BYTES + SECRET_BYTES + SEAL_BYTES) return null
      // The same bytes have several base64url spellings. Accept only ours, because the text is hashed and compared.
      if (bytes.toString('base64url') !== token) return null
      const body = bytes.subarray(0, ID_BYTES + SECRET_BYTES)
      const seal = bytes.subarray(ID_BYTES + SECRET_BYTES)
      const isOurs = keys.some((key) => timingSafeEqual(sealOf(key, body), seal))
      return isOurs ? uuidOf(bytes.subarray(0, ID_BYTES)) : null
    },
  }
}

const refreshTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url')

const sealOf = (key: Buffer, body: Buffer): Buffer =>
  createHmac('sha256', key).update('seal').update(body).digest().subarray(0, SEAL_BYTES)

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
