import { isIPv4 } from 'node:net'
import type { Config } from '../../settings/config.ts'
import { addressKey, type Limit, siteOf } from '../../rate-limiting/rate-limit.ts'
import type { Turn } from './fair-queue.ts'

/** Wrong passwords for one account from one address; never by account alone, or a stranger could lock it. */
export const WRONG_PASSWORDS: Limit = {
  name: 'log-in of',
  most: 5,
  windowSeconds: 15 * 60,
  firstWaitSeconds: 30,
}
/** From all addresses together, without the account's own devices: what a network of machines gets. */
export const GUESSES_ANYWHERE: Limit = { name: 'log-in anywhere of', most: 10, windowSeconds: 3600 }
/** Each one costs a hash, and a mail to somebody. */
export const PASSWORD_CHANGES: Limit = { name: 'password change of', most: 5, windowSeconds: 3600 }
/** Each one is a mail to an address that need not be the caller's. */
export const EMAIL_CHANGES: Limit = { name: 'email change of', most: 5, windowSeconds: 3600 }
export const LOG_INS_OF_ADDRESS: Limit = { name: 'log-in from', most: 100, windowSeconds: 3600 }
/** That succeed: each one is a session, and nobody logs in so often. */
export const LOG_INS_OF_ACCOUNT: Limit = { name: 'log-in to', most: 60, windowSeconds: 3600 }
export const REFRESHES: Limit = { name: 'refresh', most: 60, windowSeconds: 3600 }
export const REGISTRATIONS: Limit = { name: 'register from', most: 10, windowSeconds: 3600 }
/**
 * Checks whether an address has an account. Same counter as `REGISTRATIONS`; the last five are reserved for
 * registering.
 */
export const KNOWN_QUESTIONS: Limit = { ...REGISTRATIONS, most: 5 }
/**
 * For every address alike, known or not. A caller who asks too often waits; the owner, who asks from elsewhere, does
 * not. All together no mailbox is flooded: by then it holds twenty links, and each of them works.
 */
export const FORGOTTEN_BY: Limit = { name: 'forgot', most: 3, windowSeconds: 3600 }
export const FORGOTTEN_OF: Limit = { name: 'forgot anywhere', most: 20, windowSeconds: 3600 }
export const FORGOTTEN_FROM: Limit = { name: 'forgot from', most: 30, windowSeconds: 3600 }
export const CONFIRMATIONS_OF: Limit = { name: 'confirmation mail', most: 3, windowSeconds: 3600 }
/** Wrong links and codes. */
export const PROOFS_FROM: Limit = { name: 'unknown link from', most: 30, windowSeconds: 3600 }
export const EXPORTS_OF: Limit = { name: 'export', most: 20, windowSeconds: 3600 }

/** In demo mode on this machine only failures count: journeys and measurements come from one address. */
export const countsEverything = (config: Pick<Config, 'demo'>, address: string): boolean =>
  !(config.demo && isLoopback(address))

export const accountAt = (email: string, address: string): string =>
  `${email.toLowerCase()} at ${addressKey(address)}`

/** The turn in the password queue for a user with a session or an emailed link. */
export const turnOfAccount = (userId: string): Turn => ({ one: `account ${userId}`, isKnown: true })

/** The turn for a public form. All requests of a network share one queue, for all accounts that they name. */
export function turnOfVisitor(email: string, address: string, isKnown = false): Turn {
  const network = addressKey(address)
  return { one: accountAt(email, address), line: siteOf(network) ?? network, isKnown }
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}
