import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru.ts'
import type { Config } from '../settings/config.ts'
import { keysFor } from '../settings/keys.ts'
import type { Shop } from '../shop.ts'
import { addressKey } from '../rate-limiting/rate-limit.ts'

/**
 * Events that an owner looks for after an incident (ASVS 16.3.1). The names must not change: people search for them.
 */
export type SecurityEvent =
  | 'account_deleted'
  | 'address_change_asked'
  | 'address_change_undone'
  | 'address_changed'
  | 'address_confirmed'
  | 'device_logged_out'
  | 'log_in'
  | 'log_in_failed'
  | 'log_in_refused'
  | 'logged_out'
  | 'blocked'
  | 'unblocked'
  | 'logged_out_elsewhere'
  | 'password_changed'
  | 'password_reset'
  | 'password_reset_asked'
  | 'password_wrong'
  | 'profile_changed'
  | 'registered'
  | 'session_reused'

/** Logged as warnings: one is a typing mistake, many are an attack. */
const WARNINGS: ReadonlySet<SecurityEvent> = new Set([
  'log_in_failed',
  'log_in_refused',
  'password_wrong',
  'session_reused',
])

interface Who {
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly email?: string
  /** An IP address. */
  readonly address?: string
}

/** Hashed names of recent callers: computing a hash costs more than looking up a list for the caller. */
const NAMES = 20_000

class Names {
  readonly #key: Buffer
  readonly #known = new LRUCache<string, string>(atMost(NAMES))

  constructor(config: Pick<Config, 'appKeys'>) {
    this.#key = keysFor(config, 'security-log')[0]
  }

  of(text: string): string {
    const known = this.#known.get(text)
    if (known) return known
    const name = createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 16)
    this.#known.set(text, name)
    return name
  }
}

const names = new WeakMap<object, Names>()

export function hidden(config: Pick<Config, 'appKeys'>, text: string): string {
  let known = names.get(config)
  if (!known) names.set(config, (known = new Names(config)))
  return known.of(text)
}

/**
 * Writes a line of the security log. Accounts appear by id; email and IP addresses only as keyed hashes, so that lines
 * about the same address can be matched without identifying anyone.
 */
export function noteSecurity(
  { log, config }: Pick<Shop, 'log' | 'config'>,
  event: SecurityEvent,
  { userId, sessionId, email, address }: Who,
): void {
  const line = {
    security: event,
    ...(userId ? { account: userId } : {}),
    ...(sessionId ? { session: sessionId } : {}),
    ...(email ? { email: hidden(config, email.toLowerCase()) } : {}),
    ...(address ? { from: hidden(config, addressKey(address)) } : {}),
  }
  log[WARNINGS.has(event) ? 'warn' : 'info'](line, event.replaceAll('_', ' '))
}
