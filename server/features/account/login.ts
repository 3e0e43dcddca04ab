import type { RealTime } from '../../clock.ts'
import {
  countHit,
  countOrRefuse,
  forgetHits,
  limitKey,
  selectTallies,
  addressKey,
  firstOverLimit,
  type LimitOf,
  type Tallies,
} from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import type { Caller } from '../../auth/access.ts'
import { updateProved } from '../../auth/session-queries.ts'
import { notSignedIn, tooMany, unprocessable } from '../../http/http-errors.ts'
import { type Accounts, type Tokens, type Visit, openSession } from './sessions.ts'
import {
  countsEverything,
  turnOfAccount,
  turnOfVisitor,
  accountAt,
  GUESSES_ANYWHERE,
  LOG_INS_OF_ACCOUNT,
  LOG_INS_OF_ADDRESS,
  WRONG_PASSWORDS,
} from './limits.ts'
import { inHashingQueue, hashPassword, isOutdated, passwordMatches, provesPassword } from './passwords.ts'
import { selectCredentials, updatePasswordHash, isDeviceOf } from './queries.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'

interface Attempt {
  readonly email: string
  readonly password: string
}

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
  if (account.passwordHash !== null && isOutdated(account.passwordHash))
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

interface GuessLimits {
  /** Reset by the correct password. */
  readonly own: readonly LimitOf[]
  readonly ofAddress: LimitOf
  readonly ofAccount: LimitOf
  readonly anywhere: readonly LimitOf[]
  readonly isKnown: boolean
  readonly all: readonly LimitOf[]
}

/** Guesses per IP address that count towards the shared limit. Low: one address must not make unknown devices wait. */
const COUNTED_ANYWHERE = 2

async function countGuess(db: Db, { own, ofAddress, anywhere }: GuessLimits, now: RealTime): Promise<void> {
  const [here] = await Promise.all(own.map((limit) => countHit(db, ...limit, now)))
  await countHit(db, ...ofAddress, now)
  if (here!.hits <= COUNTED_ANYWHERE) for (const limit of anywhere) await countHit(db, ...limit, now)
}

/** Strangers can make unknown devices wait, but never a device that was logged in before. */
async function guessLimits(
  { db, config }: Shop,
  email: string,
  { address, device }: Visit,
): Promise<GuessLimits> {
  const known = device !== undefined && (await isDeviceOf(db, email, device.id))
  const own: LimitOf[] = [[WRONG_PASSWORDS, accountAt(email, address)]]
  if (known) own.push([WRONG_PASSWORDS, `${email.toLowerCase()} on ${device.id.toLowerCase()}`])
  const ofAddress: LimitOf = [LOG_INS_OF_ADDRESS, addressKey(address)]
  const ofAccount: LimitOf = [LOG_INS_OF_ACCOUNT, email.toLowerCase()]
  const isBraked = !known && countsEverything(config, address)
  const anywhere: LimitOf[] = isBraked ? [[GUESSES_ANYWHERE, email.toLowerCase()]] : []
  return {
    isKnown: known,
    own,
    ofAddress,
    ofAccount,
    anywhere,
    all: [...own, ofAddress, ofAccount, ...anywhere],
  }
}

/** Names other ways to log in: strangers' guesses can lock out a user who knows the password. */
function refuseGuess(limits: GuessLimits, tallies: Tallies, now: RealTime): void {
  const over = firstOverLimit(limits.all, tallies, now)
  if (!over) return
  const { limit, waitSeconds } = over
  const when = `You can try again ${waitInWords(waitSeconds)}.`
  const reset = 'Or choose “Forgotten your password?” and we’ll email you a link.'
  throw tooMany(
    waitSeconds,
    limit.name === GUESSES_ANYWHERE.name
      ? `Too many attempts to log in to this account. ${when} A device that you’ve logged in on before can log in now. ${reset}`
      : limit.name.startsWith(LOG_INS_OF_ADDRESS.name)
        ? `Too many wrong passwords came from your network. ${when} Or use another connection, such as your phone’s.`
        : limit.name === LOG_INS_OF_ACCOUNT.name
          ? `Too many attempts. ${when}`
          : `Too many attempts with a wrong password. ${when} ${reset}`,
  )
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return seconds <= 45 ? 'in less than a minute' : 'in about a minute'
  const minutes = Math.ceil(seconds / 60)
  return minutes > 55 ? 'in about an hour' : `in about ${minutes} minutes`
}

/** @throws 422 for a wrong password, 429 after too many */
export async function proveIdentity(
  shop: Shop,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
  password: string,
): Promise<void> {
  if (!(await provesPassword(shop, userId, password))) throw unprocessable('password', 'Invalid credentials.')
  await updateProved(shop.db, sessionId, shop.now())
  noteSecurity(shop, 'identity_proved', { userId, sessionId })
}
