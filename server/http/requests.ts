import { LRUCache } from 'lru-cache'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FEED_PATH } from '#contract/limits.ts'
import { trustedNetworks } from '../auth/country.ts'
import { visitorAsking } from '../auth/in-process.ts'
import { hidden } from '../auth/security-log.ts'
import { type Deadline, withDeadline } from '../integrations/stripe/deadline.ts'
import { type Cause, causedBy, currentCause } from '../log/log-context.ts'
import { writeRequestLine } from '../log/log.ts'
import type { Config } from '../settings/config.ts'
import { atMost } from '../lru.ts'
import type { Shop } from '../shop.ts'
import { REQUEST_ID } from './response-cache.ts'

/** Every waiting client gets an answer by then: browsers, proxies and people give up after about 30 seconds. */
const ANSWERED_WITHIN_MS = 12_000

/** Ids in another form than a proxy's are not accepted, because the id appears in every log line. */
const ID = /^[\w.:+/=-]{8,100}$/

/** Polled by machines every few seconds; logged at debug level. */
const OF_MACHINES: ReadonlySet<string> = new Set([
  '/api/health',
  '/api/health/ready',
  '/api/health/live',
  '/metrics',
])

/** A request's id: from a trusted proxy, or a new one. API calls made while rendering a page have the page's id. */
export function requestIds(config: Config): (request: IncomingMessage) => string {
  const isTrusted = trustedNetworks(config)
  return ({ headers, socket }) => {
    const outer = visitorAsking() && currentCause()?.request
    if (outer) return outer
    const given = headers[REQUEST_ID]
    return typeof given === 'string' && ID.test(given) && isTrusted(socket?.remoteAddress)
      ? given
      : randomUUID()
  }
}

interface Answered {
  readonly id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly userId?: string | undefined
  readonly isCut?: boolean
}

export function noteAnswered(shop: Shop, answered: Answered): void {
  const { log, metrics } = shop
  const { id, method, route, status, ms, userId, isCut } = answered
  // A live stream is open for hours, which says nothing about response times.
  if (route !== FEED_PATH) metrics.requests.observe(ms / 1000, method, route, String(status))
  writeRequestLine(log, OF_MACHINES.has(route) && status < 500 ? 'debug' : 'info', {
    request: id,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    who: userId && hashOfUser(shop, userId),
    cut: isCut || undefined,
    msg: 'answered',
  })
}

/** Hashing takes twelve microseconds, a hundred times as long as this look-up. */
function hashOfUser({ caches, config }: Shop, userId: string): string {
  const hashes = caches.get(hashOfUser, () => new LRUCache<string, string>(atMost(20_000)))
  const hash = hashes.get(userId) ?? hidden(config, userId)
  hashes.set(userId, hash)
  return hash
}

interface Context {
  readonly cause: Cause
  readonly deadline: Deadline | undefined
}

const contexts = new WeakMap<FastifyRequest, Context>()
const routes = new WeakMap<FastifyRequest, string>()

export const noteRoute = (request: FastifyRequest, route: string): void => void routes.set(request, route)

export const routeOf = (request: FastifyRequest): string =>
  request.routeOptions.url ?? routes.get(request) ?? '(none)'

export function watchRequests(app: FastifyInstance, shop: Shop): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id)
    // An API call made while rendering a page belongs to the page's request.
    if (visitorAsking()) return done()
    const startedAt = performance.now()
    const cause: Cause = { request: request.id }
    // The demo's clock may run through a year in one request, and its caller waits.
    const hasDeadline = !request.url.startsWith('/dev/')
    const deadline = hasDeadline ? { answerBy: startedAt + ANSWERED_WITHIN_MS, isOver: false } : undefined
    const context: Context = { cause, deadline }
    contexts.set(request, context)
    reply.raw.once('close', () => {
      if (deadline) deadline.isOver = true
      noteAnswered(shop, {
        id: request.id,
        method: request.method,
        route: routeOf(request),
        status: reply.raw.statusCode,
        ms: performance.now() - startedAt,
        userId: cause.userId,
        isCut: !reply.raw.writableFinished,
      })
    })
    runIn(context, done)
  })
  // The body is read in the connection's async context, so the request's context is set again from here on.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request)
    if (context) runIn(context, done)
    else done()
  })
}

const runIn = ({ cause, deadline }: Context, done: () => void) =>
  causedBy(cause, () => withDeadline(deadline, done))
