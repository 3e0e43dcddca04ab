import { randomUUID } from 'node:crypto'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import type { Transaction } from '../../db/open.ts'
import { type AccessTokens, accessTokens } from '../../guards/access-token.ts'
import { liveSessionsOf } from '../../guards/live-sessions.ts'
import {
  addressKey,
  countHit,
  countOrRefuse,
  forgetHits,
  limitKey,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
  type Tally,
} from '../../guards/rate-limit.ts'
import { notSignedIn, Refusal, unprocessable } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import { cartIdOf } from '../bag/rules.ts'
import { feedToken } from '../feed/rules.ts'
import { benefitsOf, paysForOthers } from '../membership/rules.ts'
import {
  accountAt,
  countsEverything,
  LOG_INS_OF_ADDRESS,
  REFRESHES,
  REGISTRATIONS,
  WRONG_PASSWORDS,
} from './limits.ts'
import { inHashingQueue } from './hashing.ts'
import { hashPassword, isOutdated, passwordMatches } from './passwords.ts'
import { mailConfirmation } from './proof-rules.ts'
import { type RefreshTokens, refreshTokens, tokenHash } from './refresh-token.ts'
import {
  insertSession,
  insertUser,
  revokeSession,
  rotateSession,
  selectCredentials,
  selectSession,
  selectUser,
  updatePasswordHash,
} from './rows.ts'

const DAY_MS = 24 * 3_600_000
const SLIDING_MS = 30 * DAY_MS
const ABSOLUTE_MS = 180 * DAY_MS
/** Two tabs that refresh at once, or an answer that got lost. */
const GRACE_MS = 10_000

export interface Tokens {
  readonly token: string
  readonly refreshToken: string
}

export interface Accounts {
  readonly shop: Shop
  readonly access: AccessTokens
  readonly refresh: RefreshTokens
  /** The newest tallies of this instance, for those who wait with many guesses at once. */
  readonly failures: Map<string, Tally>
}

export const accountsOf = (shop: Shop): Accounts => ({
  shop,
  access: accessTokens(shop),
  refresh: refreshTokens(shop.config),
  failures: new Map(),
})

interface Attempt {
  readonly email: string
  readonly password: string
  readonly address: string
}

export { countsEverything } from './limits.ts'

/** Throws 401 for a wrong password and an unknown address alike, 429 after too many failures. */
export async function logIn(accounts: Accounts, { email, password, address }: Attempt): Promise<Tokens> {
  const { shop, failures } = accounts
  const { db } = shop
  const ofAccount: LimitOf = [WRONG_PASSWORDS, accountAt(email, address)]
  const ofAddress: LimitOf = [LOG_INS_OF_ADDRESS, addressKey(address)]
  const limits = [ofAccount, ofAddress]
  const [account, tallies] = await Promise.all([selectCredentials(db, email), selectTallies(db, limits)])
  refuseOverLimit(limits, tallies, shop.now())

  const matches = await inHashingQueue(async (hash) => {
    // However many guesses came at once, each one sees those before it.
    refuseOverLimit(limits, failures, shop.now())
    const isRight = await passwordMatches(hash, account?.passwordHash ?? null, password)
    if (!isRight) for (const limit of limits) await countFailure(accounts, limit)
    return isRight
  })
  if (!account || !matches) throw notSignedIn('Invalid credentials.')

  if (isOutdated(account.passwordHash))
    await updatePasswordHash(db, account.userId, await hashPassword(password))
  if (tallies.has(limitKey(...ofAccount))) await forgetHits(db, ...ofAccount)
  failures.delete(limitKey(...ofAccount))
  const [tokens] = await Promise.all([
    openSession(accounts, account.userId),
    countsEverything(shop.config, address) && countHit(db, ...ofAddress, shop.now()),
  ])
  return tokens
}

const FAILURES_REMEMBERED = 10_000

async function countFailure({ shop, failures }: Accounts, limit: LimitOf): Promise<void> {
  const tally = await countHit(shop.db, ...limit, shop.now())
  if (failures.size >= FAILURES_REMEMBERED) failures.clear()
  failures.set(limitKey(...limit), tally)
}

export interface Registration {
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly countryCode: string
  readonly newsletter?: boolean
}

/**
 * Makes an account, asks by mail to confirm its address, and logs it in. `within` runs in the same transaction: what
 * the visitor had becomes the account's together with it, or neither happens. Throws 422 'already taken'.
 */
export async function openAccount(
  accounts: Accounts,
  { password, newsletter = false, ...given }: Registration,
  address: string,
  within: (tx: Transaction, userId: string) => Promise<void> = async () => undefined,
): Promise<Tokens> {
  const { shop } = accounts
  const { db, config, now } = shop
  if (countsEverything(config, address)) await countOrRefuse(db, REGISTRATIONS, addressKey(address), now())
  // Known before the costly hash; the index decides between two at once.
  if (await selectCredentials(db, given.email)) throw alreadyTaken()
  const passwordHash = await hashPassword(password)
  const firstName = given.firstName.trim()
  const userId = await db.transaction(async (tx) => {
    const id = await insertUser(tx, {
      ...given,
      firstName,
      lastName: given.lastName.trim(),
      passwordHash,
      newsletter,
      createdAt: now(),
    })
    if (id === undefined) throw alreadyTaken()
    await mailConfirmation(shop, tx, { userId: id, email: given.email, firstName })
    await within(tx, id)
    return id
  })
  return openSession(accounts, userId)
}

const alreadyTaken = () => unprocessable('email', ACCOUNT_MESSAGES.emailAlreadyTaken)

/** A new session of an account, on one device. */
export async function openSession({ shop, access, refresh }: Accounts, userId: string): Promise<Tokens> {
  const sessionId = randomUUID()
  const refreshToken = refresh.first(sessionId)
  const now = shop.now()
  const [token] = await Promise.all([
    access.issue({ userId, sessionId }),
    insertSession(shop.db, {
      id: sessionId,
      userId,
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
 * Exchanges a refresh token for its successor. The token before the newest answers the same successor for
 * ten seconds after the exchange; any older one was copied, so it ends the session. Throws 401.
 */
export async function refreshSession(accounts: Accounts, token: string, address: string): Promise<Tokens> {
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
  })
  if (rotated)
    return { token: await access.issue({ userId: rotated.userId, sessionId }), refreshToken: successors[0] }

  const session = await selectSession(shop.db, sessionId)
  if (!session || session.revokedAt || session.expiresAt <= now) throw refused()
  const successor = successors.find((candidate) => tokenHash(candidate) === session.tokenHash)
  // Nothing is written here, so that asking again and again does not make the grace longer.
  if (successor && now.getTime() - session.rotatedAt.getTime() <= GRACE_MS)
    return { token: await access.issue({ userId: session.userId, sessionId }), refreshToken: successor }

  shop.log.warn({ sessionId }, 'a used refresh token came back: its session is ended')
  await endSession(shop, sessionId)
  throw refused()
}

/** Ends the session that a refresh token belongs to; nothing for a token that is none. */
export async function logOut({ shop, refresh }: Accounts, token: string): Promise<void> {
  const sessionId = refresh.sessionOf(token)
  if (sessionId) await endSession(shop, sessionId)
}

/** The account with what its memberships give it now, its bag and the key to its live stream. */
export async function loggedUser(shop: Shop, userId: string) {
  const { db, now } = shop
  const [row, benefits, cartId, feed, paysSomeone] = await Promise.all([
    selectUser(db, userId),
    benefitsOf(db, userId, now()),
    cartIdOf(db, userId),
    feedToken(shop, userId),
    paysForOthers(db, userId),
  ])
  // The session guard found the account moments ago; it can only have been deleted since.
  if (!row) throw notSignedIn('Invalid JWT Token')
  return { row, benefits, cartId, feed, paysSomeone }
}

async function endSession(shop: Shop, sessionId: string): Promise<void> {
  await revokeSession(shop.db, sessionId, shop.now())
  liveSessionsOf(shop).forget(sessionId)
}

const refused = (): Refusal => notSignedIn('Invalid JWT Refresh Token')
