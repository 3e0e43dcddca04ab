import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../auth/caller.ts'

/** Keys for signed addresses, newest first; older ones still open what they signed. */
export type SigningKeys = readonly [Buffer, ...Buffer[]]

/** Whom an address is signed for. It opens nothing once the session has ended. */
export type Holder = Pick<Caller, 'userId' | 'sessionId'>

/** Signs one path for one session of a user until an instant, and nothing else: `path?exp=…&u=…&s=…&sig=…`. */
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

/** Whom an address was signed for; null for one that was changed, is too old, or was never signed. */
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

// None of the parts can hold a line break, so no two sets of parts sign alike.
const signature = (key: Buffer, ...parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
