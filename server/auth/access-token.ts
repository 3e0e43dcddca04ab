import { randomUUID, type webcrypto } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru.ts'
import type { Config } from '../settings/config.ts'
import { keysFor } from '../settings/keys.ts'
import { notSignedIn } from '../http/http-errors.ts'
import type { Shop } from '../shop.ts'

export const ACCESS_TOKEN_SECONDS = 30 * 60

const ALGORITHM = 'HS256'
const ISSUER = 'murmur'
const AUDIENCE = 'murmur'
const VERIFIED_AT_MOST = 20_000

export interface Claims {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAtMs: number
}

export type TokenShop = Pick<Shop, 'now'> & { readonly config: Pick<Config, 'appKeys'> }

export interface AccessTokens {
  issue(of: { userId: string; sessionId: string }): Promise<string>
  /** @throws 401 `Invalid JWT Token` or `Expired JWT Token`. Does not check whether the session still exists. */
  read(token: string): Promise<Claims>
}

/** Verified tokens are cached: a player sends the same one every few seconds, and verifying costs 100 look-ups. */
export function accessTokens({ config, now }: TokenShop): AccessTokens {
  const keys = keysFor(config, 'access-token').map(importKey)
  const verified = new LRUCache<string, Claims>(atMost(VERIFIED_AT_MOST))

  async function verify(token: string): Promise<Claims> {
    let failure: unknown
    for (const key of keys)
      try {
        const { payload } = await jwtVerify(token, await key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti'],
          currentDate: now(),
        })
        return claimsOf(payload)
      } catch (error) {
        failure = error
        // Any other error would be the same with every key.
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) break
      }
    throw failure instanceof errors.JWTExpired ? expired() : invalid()
  }

  return {
    async issue({ userId, sessionId }) {
      const issuedAt = Math.floor(now().getTime() / 1000)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(await keys[0]!)
    },

    async read(token) {
      const known = verified.get(token)
      if (known && known.expiresAtMs > now().getTime()) return known
      const claims = await verify(token)
      verified.set(token, claims)
      return claims
    },
  }
}

const invalid = () => notSignedIn('Invalid JWT Token')
const expired = () => notSignedIn('Expired JWT Token')

const importKey = (key: Buffer): Promise<webcrypto.CryptoKey> =>
  crypto.subtle.importKey('raw', new Uint8Array(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])

function claimsOf({ sub, sid, exp }: JWTPayload): Claims {
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') throw invalid()
  return { userId: sub, sessionId: sid, expiresAtMs: exp * 1000 }
}
