import { createHmac } from 'node:crypto'
import type { Config } from '../settings/config.ts'
import { keysFor } from '../settings/keys.ts'
import type { Shop } from '../shop.ts'
import { addressKey } from '../rate-limiting/rate-limit.ts'

/** Events that an owner looks for after an incident (ASVS 16.3.1). Never rename one: people search for them. */
export type SecurityEvent =
  | 'account_deleted'
  | 'address_change_asked'
  | 'address_change_undone'
  | 'address_changed'
  | 'address_confirmed'
  | 'device_logged_out'
  | 'identity_proved'
  | 'log_in'
  | 'log_in_failed'
  | 'log_in_refused'
  | 'logged_out'
  | 'blocked'
  | 'unblocked'
  | 'logged_out_elsewhere'
  | 'office_passkey_added'
  | 'office_recovery'
  | 'office_sign_in'
  | 'office_sign_in_failed'
  | 'passkey_added'
  | 'passkey_removed'
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
  'office_recovery',
  'office_sign_in_failed',
  'password_wrong',
  'session_reused',
])

interface Who {
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly email?: string
  readonly address?: string
}

export const hidden = (config: Pick<Config, 'appKeys'>, text: string): string =>
  createHmac('sha256', keysFor(config, 'security-log')[0]).update(text).digest('base64url').slice(0, 16)

/** Accounts appear by id; email and IP addresses as keyed hashes, so that lines match without identifying anyone. */
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
