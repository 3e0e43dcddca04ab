import { hkdfSync } from 'node:crypto'
import type { Config } from './config.ts'

/** A key made for one purpose is useless for every other. */
export type KeyPurpose =
  | 'access-token'
  | 'refresh-token'
  | 'media-address'
  | 'mailed-code'
  | 'feed-token'
  | 'gift-code'
  | 'giver-link'
  | 'security-log'
  | 'recovery-code'

/** 32 bytes each, from `APP_KEYS`. The first one signs, all verify, so that keys can be rotated. */
export function keysFor(
  config: Pick<Config, 'appKeys'>,
  purpose: KeyPurpose,
): readonly [Buffer, ...Buffer[]] {
  const [newest, ...older] = config.appKeys
  return [derive(newest, purpose), ...older.map((key) => derive(key, purpose))]
}

const derive = (key: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `murmur ${purpose}`, 32))
