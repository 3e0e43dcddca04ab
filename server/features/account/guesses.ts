import type { Db } from '../../db/open.ts'
import { addressKey, countHit, type LimitOf } from '../../guards/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import type { Visit } from './accounts.ts'
import { isDeviceOf } from './device-rows.ts'
import {
  accountAt,
  countsEverything,
  GUESSES_ANYWHERE,
  LOG_INS_OF_ACCOUNT,
  LOG_INS_OF_ADDRESS,
  WRONG_PASSWORDS,
} from './limits.ts'

interface GuessLimits {
  /** Of this address, and of this device where it is known; forgotten once the right password was given. */
  readonly own: readonly LimitOf[]
  readonly ofAddress: LimitOf
  readonly ofAccount: LimitOf
  readonly anywhere: readonly LimitOf[]
  readonly all: readonly LimitOf[]
}

/**
 * The number of an address's guesses that count towards the shared brake: one address never makes unknown devices
 * wait.
 */
const COUNTED_ANYWHERE = 2

/** Counts a wrong password, once it is known to be one. */
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
 * The limits that hold wrong passwords for an account back. A few from one address make that address wait. Guesses
 * from many addresses share one brake, which a device that was logged in before passes by: a stranger can make
 * strange devices wait, never the listener's own.
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
  return { own, ofAddress, ofAccount, anywhere, all: [...own, ofAddress, ofAccount, ...anywhere] }
}
