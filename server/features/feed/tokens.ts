import { jwtVerify, SignJWT } from 'jose'
import { feedTopic } from '#contract/limits.ts'
import { keysFor } from '../../settings/keys.ts'
import { notSignedIn } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { errorCode } from '../../log/error-code.ts'

const TOKEN_SECONDS = 30 * 60
const ALGORITHM = 'HS256'
const AUDIENCE = 'murmur-feed'

export interface FeedOf {
  readonly userId: string
  readonly sessionId: string
}

/** `jwtMercuryToken`: it opens the account's own topic for half an hour and grants nothing else (OP-69). */
export async function feedToken(
  { config, now }: Pick<Shop, 'now'> & { readonly config: Pick<Shop['config'], 'appKeys'> },
  { userId, sessionId }: FeedOf,
): Promise<string> {
  const issuedAt = Math.floor(now().getTime() / 1000)
  const [key] = keysFor(config, 'feed-token')
  return new SignJWT({ mercure: { subscribe: [feedTopic(userId)] }, sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .sign(new Uint8Array(key))
}

/** @throws 401 for an expired token; another kind of token gives null */
export async function readFeedToken(
  { config, now }: Pick<Shop, 'now'> & { readonly config: Pick<Shop['config'], 'appKeys'> },
  token: string,
): Promise<(FeedOf & { expiresAtMs: number }) | null> {
  for (const key of keysFor(config, 'feed-token'))
    try {
      const { payload } = await jwtVerify(token, new Uint8Array(key), {
        algorithms: [ALGORITHM],
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'exp'],
        currentDate: now(),
      })
      return { userId: payload.sub!, sessionId: String(payload.sid), expiresAtMs: payload.exp! * 1000 }
    } catch (error) {
      if (errorCode(error) === 'ERR_JWT_EXPIRED') throw notSignedIn('Expired JWT Token')
    }
  return null
}
