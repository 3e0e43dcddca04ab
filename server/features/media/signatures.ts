import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../auth/caller.ts'

/** Newest first. Older keys still verify the addresses they signed. */
export type SigningKeys = readonly [Buffer, ...Buffer[]]

/** The address is useless after the session has ended. */
export type Holder = Pick<Caller, 'userId' | 'sessionId'>

/** For one path and one session: `path?exp=…&u=…&s=…&sig=…`. */
export function signedAddress(
  keys: SigningKeys,
  path: string,
  { userId, sessionId }: Holder,
  expiresAt: Date,
): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  const given = `exp=${seconds}&u=${userId}&s=${sessionId}`
  return `${path}?${given}&sig=${signature(keys[0], path, String(seconds), userId, sessionId)}`
}

/** Null if the address was changed, has expired or was never signed. */
export function readSignature(keys: SigningKeys, url: string, now: Date): Holder | null {
  const [path = '', query = ''] = url.split('?', 2)
  const given = new URLSearchParams(query)
  const expires = given.get('exp') ?? ''
  const userId = given.get('u') ?? ''
  const sessionId = given.get('s') ?? ''
  const signed = Buffer.from(given.get('sig') ?? '')
  if (!/^\d{1,12}$/.test(expires)) return null
  const genuine = keys.some((key) => {
    const expected = Buffer.from(signature(key, path, expires, userId, sessionId))
    return expected.length === signed.length && timingSafeEqual(expected, signed)
  })
  return genuine && Number(expires) * 1000 > now.getTime() ? { userId, sessionId } : null
}

// No part can contain a line break, so different parts never produce the same text.
const signature = (key: Buffer, ...parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
