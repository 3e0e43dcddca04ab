import { hkdfSync } from 'node:crypto'
import type { Config } from './config.ts'

/** The purposes of keys. A key made for one purpose is useless for every other. */
export type KeyPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'media-address'
  | 'mailed-code'
  | 'feed-token'
  | 'gift-code'
  | 'giver-link'
  | 'security-log'

/**
 * The keys for one purpose, 32 bytes each, derived from `APP_KEYS` in their order. The first one signs, all of them
 * verify, so that keys can be rotated while people are signed in.
 */
export function keysFor(
  config: Pick<Config, 'appKeys'>,
  purpose: KeyPurpose,
): readonly [Buffer, ...Buffer[]] {
  const [newest, ...older] = config.appKeys
  return [derive(newest, purpose), ...older.map((key) => derive(key, purpose))]
}

const derive = (key: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `murmur ${purpose}`, 32))
