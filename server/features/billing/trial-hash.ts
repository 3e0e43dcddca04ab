import { createHmac, hkdfSync } from 'node:crypto'
import type { Config } from '../../settings/config.ts'

/**
 * A hash that stands for an account, a card or a PayPal payer in the list of those who had a trial: never the thing
 * itself. Made with the key that is never changed, since the list has to hold for years.
 */
export const trialHash = (
  { codeKey }: Pick<Config, 'codeKey'>,
  of: 'account' | 'method',
  value: string,
): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', codeKey, '', 'murmur trials', 32)))
    .update(`${of}:${value}`)
    .digest('base64url')
