import type { FastifyRequest } from 'fastify'
import { noteCaller } from '../log/log-context.ts'
import { notSignedIn } from '../http/http-errors.ts'
import type { Shop } from '../shop.ts'
import { accessTokens } from './access-token.ts'
import type { Caller } from './access.ts'
import { liveSessionsOf, SESSION_REVOKED } from './live-sessions.ts'

/**
 * Returns the caller, null without a token. Never from a cookie, so no other site can send it.
 *
 * @throws 401
 */
export function sessionGuard(shop: Shop): (request: FastifyRequest) => Promise<Caller | null> {
  const tokens = accessTokens(shop)
  const sessions = liveSessionsOf(shop)
  void shop.database
    .listen(
      SESSION_REVOKED,
      (sessionId) => sessions.forget(sessionId),
      () => sessions.forgetAll(),
    )
    .catch((error: unknown) => shop.log.error({ err: error }, 'log-outs of other instances are not heard'))

  return async ({ headers }) => {
    const token = bearerToken(headers.xtoken, headers.authorization)
    if (token === undefined) return null
    const { userId, sessionId } = await tokens.read(token)
    const caller = await sessions.find(sessionId)
    if (!caller || caller.userId !== userId) throw notSignedIn('Invalid JWT Token')
    noteCaller(userId)
    return caller
  }
}

function bearerToken(...headers: readonly (string | string[] | undefined)[]): string | undefined {
  const [first, ...others] = headers.filter((header) => header !== undefined).map(String)
  if (first === undefined) return undefined
  if (others.some((other) => other !== first)) throw notSignedIn('Invalid JWT Token')
  const token = /^Bearer +([^\s]+)$/i.exec(first)?.[1]
  if (token === undefined) throw notSignedIn('Invalid JWT Token')
  return token
}
