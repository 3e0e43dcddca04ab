import { isIPv4 } from 'node:net'
import type { Config } from '../../settings/config.ts'
import { addressKey, type Limit, siteOf } from '../../rate-limiting/rate-limit.ts'
import type { Turn } from './fair-queue.ts'

/** From one IP address. Never count by account alone: a stranger could lock the account. */
export const WRONG_PASSWORDS: Limit = {
  name: 'log-in of',
  most: 5,
  windowSeconds: 15 * 60,
  firstWaitSeconds: 30,
}
/** From all IP addresses, against botnets; the account's own devices are not counted. */
export const GUESSES_ANYWHERE: Limit = { name: 'log-in anywhere of', most: 10, windowSeconds: 3600 }
/** Each change costs a hash and sends an email. */
export const PASSWORD_CHANGES: Limit = { name: 'password change of', most: 5, windowSeconds: 3600 }
/** Each change sends an email to an address that may not be the caller's. */
export const EMAIL_CHANGES: Limit = { name: 'email change of', most: 5, windowSeconds: 3600 }
export const LOG_INS_OF_ADDRESS: Limit = { name: 'log-in from', most: 100, windowSeconds: 3600 }
/** Successful log-ins. Each creates a session, and no person logs in this often. */
export const LOG_INS_OF_ACCOUNT: Limit = { name: 'log-in to', most: 60, windowSeconds: 3600 }
/** Each stores a challenge for five minutes; the log-in page asks for one whenever it opens. */
export const PASSKEY_CHALLENGES: Limit = { name: 'passkey challenge from', most: 300, windowSeconds: 3600 }
export const REFRESHES: Limit = { name: 'refresh', most: 60, windowSeconds: 3600 }
export const REGISTRATIONS: Limit = { name: 'register from', most: 10, windowSeconds: 3600 }
/** Shares its counter with `REGISTRATIONS`, and leaves five of the ten for registering. */
export const KNOWN_QUESTIONS: Limit = { ...REGISTRATIONS, most: 5 }
/** `FORGOTTEN_BY` counts per email and IP address: a stranger's requests must not delay the owner. */
export const FORGOTTEN_BY: Limit = { name: 'forgot', most: 3, windowSeconds: 3600 }
export const FORGOTTEN_OF: Limit = { name: 'forgot anywhere', most: 20, windowSeconds: 3600 }
export const FORGOTTEN_FROM: Limit = { name: 'forgot from', most: 30, windowSeconds: 3600 }
export const CONFIRMATIONS_OF: Limit = { name: 'confirmation mail', most: 3, windowSeconds: 3600 }
export const PROOFS_FROM: Limit = { name: 'unknown link from', most: 30, windowSeconds: 3600 }
export const EXPORTS_OF: Limit = { name: 'export', most: 20, windowSeconds: 3600 }

/** Demo mode on this machine counts only failures: end-to-end tests and benchmarks all come from one address. */
export const countsEverything = (config: Pick<Config, 'demo'>, address: string): boolean =>
  !(config.demo && isLoopback(address))

export const accountAt = (email: string, address: string): string =>
  `${email.toLowerCase()} at ${addressKey(address)}`

export const turnOfAccount = (userId: string): Turn => ({ one: `account ${userId}`, isKnown: true })

/** All requests from one network share a queue, whichever accounts they name. */
export function turnOfVisitor(email: string, address: string, isKnown = false): Turn {
  const network = addressKey(address)
  return { one: accountAt(email, address), line: siteOf(network) ?? network, isKnown }
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}
