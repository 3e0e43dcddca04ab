import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isFromThisMachine } from '../auth/this-machine.ts'
import { notFound } from '../http/http-errors.ts'
import type { ApiServer } from '../http/serve.ts'
import { metricsText } from './metrics-text.ts'
import { pricesAsked, todoList } from './todo.ts'

/**
 * Metrics for Prometheus: for direct requests from this machine, without a proxy, and for clients with the token.
 * Others get 404.
 */
export function registerMetrics({ app, shop }: ApiServer): void {
  const text = metricsText(shop, todoList(shop, pricesAsked(shop)))
  const { metricsToken } = shop.config
  app.get('/metrics', { exposeHeadRoute: false }, async ({ raw }, reply) => {
    if (!isFromThisMachine(raw) && !hasToken(raw, metricsToken)) throw notFound()
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await text())
  })
}

function hasToken({ headers }: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return false
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

/** Hashed to equal length, as `timingSafeEqual` requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
