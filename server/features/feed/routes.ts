import type { FastifyReply, FastifyRequest } from 'fastify'
import { FEED_PATH, feedTopic } from '#contract/limits.ts'
import { answer, HttpRefusal } from '../../http/error-responses.ts'
import { noteCaller } from '../../log/log-context.ts'
import { accessTokens } from '../../auth/access-token.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { forbidden, notSignedIn, tooMany, unreadable } from '../../http/http-errors.ts'
import type { ApiServer } from '../../http/serve.ts'
import { Hub } from './hub.ts'
import { readFeedToken } from './tokens.ts'

type Query = Readonly<Record<string, string | string[] | undefined>>

export function registerFeed({ app, shop }: ApiServer): void {
  const hub = new Hub(shop)
  const tokens = accessTokens(shop)
  const sessions = liveSessionsOf(shop)
  // Open streams would prevent the server from closing.
  app.addHook('preClose', () => hub.close())

  /** Accepts the feed's own token or the access token (OP-69), but not in the URL: URLs end up in logs. */
  async function callerOf({ headers }: FastifyRequest) {
    const given = headers.authorization ?? headers.xtoken
    const token = /^Bearer +(\S+)$/i.exec(String(given ?? ''))?.[1]
    if (!token) throw notSignedIn()
    const claims = (await readFeedToken(shop, token)) ?? (await tokens.read(token))
    const caller = await sessions.find(claims.sessionId)
    if (caller?.userId !== claims.userId) throw notSignedIn('Invalid JWT Token')
    // The feed carries places.
    if (caller.viewedBy) throw forbidden()
    noteCaller(claims.userId)
    return claims
  }

  async function subscribe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await callerOf(request)
    const { userId } = caller
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the schema of its route before
    const query = request.query as Query
    const topics = [query.topic ?? query.match ?? []].flat()
    if (topics.length === 0) throw unreadable('topic: This value should not be blank.')
    if (topics.some((topic) => topic !== feedTopic(userId))) throw forbidden()
    const header = request.headers['last-event-id']
    const start = await hub.startOf(userId, [header ?? query.lastEventID].flat()[0] || undefined)
    // No `await` between this check and `hub.open`, or concurrent requests could exceed the limit.
    if (hub.isFull(userId)) throw tooMany(30, 'Too many live streams for one account.')

    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...headersOf(reply),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-accel-buffering': 'no',
      'last-event-id': start.id,
    })
    raw.write(':\n\n')
    await hub.open(raw, { ...caller, sequence: start.sequence }).catch((error: unknown) => {
      shop.log.warn({ err: error }, 'a live stream could not be opened')
      raw.end()
    })
    return reply
  }

  app.get(FEED_PATH, { exposeHeadRoute: false }, subscribe)
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: FEED_PATH,
    onRequest: async (_request, reply) =>
      answer(reply, new HttpRefusal(405, 'Method Not Allowed (Allow: GET)', { allow: 'GET' })),
    handler: () => undefined,
  })
}

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
