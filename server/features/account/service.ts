import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { candidatesOf, type CodeKeys } from '../../codes/secrets.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { Caller } from '../../auth/caller.ts'
import {
  addressKey,
  countHit,
  countOrRefuse,
  forgetHits,
  limitKey,
  selectTallies,
} from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { notSignedIn, Refusal, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { cartIdOf } from '../bag/bag-holder.ts'
import { feedToken } from '../feed/tokens.ts'
import { benefitsOf, paysForOthers } from '../membership/service.ts'
import type { Accounts, Tokens, Visit } from './accounts.ts'
import { countGuess, guessLimits, refuseGuess } from './password-attempts.ts'
import { countsEverything, KNOWN_QUESTIONS, REGISTRATIONS, turnOfAccount, turnOfVisitor } from './limits.ts'
import { inHashingQueue } from './hashing.ts'
import { hashPassword, isOutdated, passwordMatches } from './passwords.ts'
import { refuseGuessablePassword } from './password-strength.ts'
import { mailConfirmation } from './email-token-mails.ts'
import { confirmAddress, selectPendingAddress, wasMailedTo } from './email-token-queries.ts'
import {
  insertUser,
  isReservedForAnother,
  revokeSessions,
  selectCredentials,
  selectUser,
  updatePasswordHash,
} from './queries.ts'
import { openSession } from './sessions.ts'

interface Attempt {
  readonly email: string
  readonly password: string
}

export const logOutEverywhere = async (tx: Db, userId: string, now: Date): Promise<void> => {
  await revokeSessions(tx, userId, {}, now)
}

/**
 * Confirms an address through a link that was emailed to it. Returns the address, or undefined for a deleted account.
 */
export const confirmByMail = (tx: Db, userId: string, now: Date): Promise<string | undefined> =>
  confirmAddress(tx, userId, now)

/** @throws 401 with the same message for a wrong password and an unknown address; 429 after too many failures */
export async function logIn(accounts: Accounts, { email, password }: Attempt, from: Visit): Promise<Tokens> {
  const { shop } = accounts
  const { db, now } = shop
  const { address } = from
  const limits = await guessLimits(shop, email, from)
  const [account, before] = await Promise.all([selectCredentials(db, email), selectTallies(db, limits.all)])
  const refuseBy = (tallies: Awaited<ReturnType<typeof selectTallies>>) => {
    try {
      refuseGuess(limits, tallies, now())
    } catch (refusal) {
      noteSecurity(shop, 'log_in_refused', { userId: account?.userId, email, address })
      throw refusal
    }
  }
  refuseBy(before)
  const matches = await inHashingQueue(turnOfVisitor(email, address, limits.isKnown), async (hash) => {
    const [isRight, tallies] = await Promise.all([
      passwordMatches(hash, account?.passwordHash ?? null, password),
      selectTallies(db, limits.all),
    ])
    // Concurrent guesses run one by one here, so each sees the count of those before it. If the limit is reached, don't
    // reveal the result of the comparison.
    refuseBy(tallies)
    if (!isRight) await countGuess(db, limits, now())
    else for (const limit of limits.own) if (tallies.has(limitKey(...limit))) await forgetHits(db, ...limit)
    return isRight
  })
  if (!account || !matches) {
    noteSecurity(shop, 'log_in_failed', { userId: account?.userId, email, address })
    throw notSignedIn('Invalid credentials.')
  }

  const { userId } = account
  if (isOutdated(account.passwordHash))
    await updatePasswordHash(db, userId, await hashPassword(password, turnOfAccount(userId)))
  if (countsEverything(shop.config, address)) {
    await Promise.all([
      countHit(db, ...limits.ofAddress, now()),
      countOrRefuse(db, ...limits.ofAccount, now()),
    ])
  }
  const tokens = await openSession(accounts, userId, from)
  noteSecurity(shop, 'log_in', { userId, address })
  return tokens
}

export interface Registration {
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly countryCode: string
  readonly newsletter?: boolean
  /** The token of an emailed gift link. If that email went to this address, the address needs no confirmation. */
  readonly giftToken?: string
}

/**
 * Creates an account and logs it in. Emails a link to confirm the address, unless a gift link has proved it already.
 * `within` runs in the same transaction: the account takes over the visitor's bag, or neither happens.
 * @throws 422 'already taken'
 */
export async function openAccount(
  accounts: Accounts,
  { password, newsletter = false, giftToken, ...given }: Registration,
  from: Visit,
  within: (tx: Transaction, userId: string) => Promise<void> = async () => undefined,
): Promise<Tokens> {
  const { shop } = accounts
  const { db, config, now } = shop
  if (countsEverything(config, from.address))
    await countOrRefuse(db, REGISTRATIONS, addressKey(from.address), now())
  await refuseGuessablePassword(password, given, 'password')
  // Check before the costly hash. The unique index decides between concurrent registrations.
  const isKept = (at: Db) => isReservedForAnother(at, given.email, { userId: null, now: now() })
  if ((await selectCredentials(db, given.email)) || (await isKept(db))) throw alreadyTaken()
  const passwordHash = await hashPassword(password, turnOfVisitor(given.email, from.address))
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
    if (id === undefined || (await isKept(tx))) throw alreadyTaken()
    const isProved =
      giftToken !== undefined && (await wasMailedTo(tx, given.email, linkHashes(config, giftToken)))
    if (isProved) await confirmAddress(tx, id, now())
    else
      // Create the account even if strangers used up the address's email limit; the user can request this email again.
      await mailConfirmation(shop, tx, { userId: id, email: given.email, firstName, newsletter }).catch(
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        },
      )
    await within(tx, id)
    return id
  })
  noteSecurity(shop, 'registered', { userId, address: from.address })
  return openSession(accounts, userId, from)
}

/**
 * True if registering would answer 'already taken'.
 * @throws 429 after a few checks
 */
export async function isAddressKnown({ shop }: Accounts, email: string, address: string): Promise<boolean> {
  const { db, config, now } = shop
  if (countsEverything(config, address)) await countOrRefuse(db, KNOWN_QUESTIONS, addressKey(address), now())
  if (await selectCredentials(db, email)) return true
  return isReservedForAnother(db, email, { userId: null, now: now() })
}

const linkHashes = (config: CodeKeys, token: string): string[] =>
  (['gift', 'membership_gift'] as const)
    .map((kind) => candidatesOf(config, kind, token))
    .flatMap(({ column, hashes }) => (column === 'token' ? hashes : []))

const alreadyTaken = () => unprocessable('email', ACCOUNT_MESSAGES.emailAlreadyTaken)

export async function loggedUser(shop: Shop, { userId, sessionId }: Caller) {
  const { db, now, clock } = shop
  const [row, benefits, cartId, feed, paysSomeone, pendingEmail] = await Promise.all([
    selectUser(db, userId),
    benefitsOf(db, userId, clock.now()),
    cartIdOf(db, userId),
    feedToken(shop, { userId, sessionId }),
    paysForOthers(db, userId),
    selectPendingAddress(db, userId, now()),
  ])
  // Authentication found the account a moment ago, so it was deleted since then.
  if (!row) throw notSignedIn('Invalid JWT Token')
  return { row, benefits, cartId, feed, paysSomeone, pendingEmail }
}
