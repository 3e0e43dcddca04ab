import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FEED_PATH } from '#contract/limits.ts'
import { trustedNetworks } from '../auth/country.ts'
import { visitorAsking } from '../auth/in-process.ts'
import { hidden } from '../auth/security-log.ts'
import { type Cause, causedBy, currentCause } from '../log/log-context.ts'
import { writeRequestLine } from '../log/log.ts'
import type { Config } from '../settings/config.ts'
import type { Shop } from '../shop.ts'
import { REQUEST_ID } from './response-cache.ts'

/** Whoever waits is told something by then: a browser, a proxy and a person give up at about half a minute. */
const ANSWERED_WITHIN_MS = 12_000

/** An id of another form than a proxy's would be is not believed: it stands in every line of the log. */
const ID = /^[\w.:+/=-]{8,100}$/

/** Asked by machines, every few seconds. */
const OF_MACHINES: ReadonlySet<string> = new Set([
  '/api/health',
  '/api/health/ready',
  '/api/health/live',
  '/metrics',
])

/** The id of a request: a trusted proxy's, else one of our own. What a page asks of the shop has the page's. */
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
  /** Whoever asked went before all of it was sent. */
  readonly isCut?: boolean
}

/** Writes the one line of a request, and counts it. */
export function noteAnswered({ log, metrics, config }: Shop, answered: Answered): void {
  const { id, method, route, status, ms, userId, isCut } = answered
  // A stream is open for hours, which says nothing about how quick the shop is.
  if (route !== FEED_PATH) metrics.requests.observe(ms / 1000, method, route, String(status))
  writeRequestLine(log, OF_MACHINES.has(route) && status < 500 ? 'debug' : 'info', {
    request: id,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    who: userId && hidden(config, userId),
    cut: isCut || undefined,
    msg: 'answered',
  })
}

const causes = new WeakMap<FastifyRequest, Cause>()
const routes = new WeakMap<FastifyRequest, string>()

/** For what the router does not know by a pattern. */
export const noteRoute = (request: FastifyRequest, route: string): void => void routes.set(request, route)

/** The pattern of an address, never the address. */
export const routeOf = (request: FastifyRequest): string =>
  request.routeOptions.url ?? routes.get(request) ?? '(none)'

/** Every request has an id, which comes back with its answer and stands in each line of the log that it causes. */
export function watchRequests(app: FastifyInstance, shop: Shop): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id)
    // A page that is rendered asks in here: one request, and one line.
    if (visitorAsking()) return done()
    const startedAt = performance.now()
    const cause: Cause = {
      request: request.id,
      // The demo's clock goes through a year in one request, and whoever moves it waits.
      ...(request.url.startsWith('/dev/') ? {} : { answerBy: startedAt + ANSWERED_WITHIN_MS }),
    }
    causes.set(request, cause)
    reply.raw.once('close', () => {
      cause.isOver = true
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
    causedBy(cause, done)
  })
  // A body is read by the connection, which is none of the request's: from here on it is known again.
  app.addHook('preValidation', (request, _reply, done) => {
    const cause = causes.get(request)
    if (cause) causedBy(cause, done)
    else done()
  })
}
