import { createHmac, timingSafeEqual } from 'node:crypto'

/** Keys for signed addresses, newest first; older ones still open what they signed. */
export type SigningKeys = readonly [Buffer, ...Buffer[]]

/** Signs one path for one user until an instant, and nothing else: `path?exp=…&u=…&sig=…`. */
export function signedAddress(keys: SigningKeys, path: string, userId: string, expiresAt: Date): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  return `${path}?exp=${seconds}&u=${userId}&sig=${signature(keys[0], path, String(seconds), userId)}`
}

/** The user an address was signed for; null for one that was changed, is too old, or was never signed. */
export function readSignature(keys: SigningKeys, url: string, now: Date): string | null {
  const [path = '', query = ''] = url.split('?', 2)
  const given = new URLSearchParams(query)
  const expires = given.get('exp') ?? ''
  const userId = given.get('u') ?? ''
  const signed = Buffer.from(given.get('sig') ?? '')
  if (!/^\d{1,12}$/.test(expires)) return null
  const genuine = keys.some((key) => {
    const expected = Buffer.from(signature(key, path, expires, userId))
    return expected.length === signed.length && timingSafeEqual(expected, signed)
  })
  return genuine && Number(expires) * 1000 > now.getTime() ? userId : null
}

// None of the three parts can hold a line break, so no two sets of parts sign alike.
const signature = (key: Buffer, path: string, expires: string, userId: string): string =>
  createHmac('sha256', key).update(`${path}\n${expires}\n${userId}`).digest('base64url')
