import type { Db } from '../../db/open.ts'
import {
  addressKey,
  countHit,
  firstOverLimit,
  type LimitOf,
  type Tallies,
} from '../../rate-limiting/rate-limit.ts'
import { tooMany } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import type { Visit } from './accounts.ts'
import { isDeviceOf } from './device-queries.ts'
import {
  accountAt,
  countsEverything,
  GUESSES_ANYWHERE,
  LOG_INS_OF_ACCOUNT,
  LOG_INS_OF_ADDRESS,
  WRONG_PASSWORDS,
} from './limits.ts'

interface GuessLimits {
  /** The limits of this IP address and, if the account knows it, of this device. Reset by the correct password. */
  readonly own: readonly LimitOf[]
  readonly ofAddress: LimitOf
  readonly ofAccount: LimitOf
  readonly anywhere: readonly LimitOf[]
  readonly isKnown: boolean
  readonly all: readonly LimitOf[]
}

/**
 * The number of guesses of one IP address that count towards the shared limit. Low, so that a single address cannot
 * make unknown devices wait.
 */
const COUNTED_ANYWHERE = 2

export async function countGuess(
  db: Db,
  { own, ofAddress, anywhere }: GuessLimits,
  now: Date,
): Promise<void> {
  const [here] = await Promise.all(own.map((limit) => countHit(db, ...limit, now)))
  await countHit(db, ...ofAddress, now)
  if (here!.hits <= COUNTED_ANYWHERE) for (const limit of anywhere) await countHit(db, ...limit, now)
}

/**
 * The limits on wrong passwords for an account. A few from one IP address make that address wait. Guesses from many
 * addresses share one limit, which does not apply to a device that was logged in before: a stranger can make unknown
 * devices wait, but never the user's own.
 */
export async function guessLimits(
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

/**
 * The message names other ways to log in, because strangers' guesses can also lock out the user who knows the password.
 * @throws 429 if one of the limits is used up
 */
export function refuseGuess(limits: GuessLimits, tallies: Tallies, now: Date): void {
  const over = firstOverLimit(limits.all, tallies, now)
  if (!over) return
  const { limit, waitSeconds } = over
  const when = `You can try again ${inWords(waitSeconds)}.`
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

function inWords(seconds: number): string {
  if (seconds <= 90) return seconds <= 45 ? 'in less than a minute' : 'in about a minute'
  const minutes = Math.ceil(seconds / 60)
  return minutes > 55 ? 'in about an hour' : `in about ${minutes} minutes`
}
