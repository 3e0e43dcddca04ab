import { reachDatabase } from '../db/reach.ts'
import type { ApiServer } from './serve.ts'

/**
 * Ready when the database answers. `HEAD` is also the client's connectivity probe: it asks nothing, and says that
 * it speaks JSON, by which the client tells it from a captive portal (trap 22).
 */
export function registerHealth({ app, shop }: ApiServer): void {
  app.head('/api/health', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('application/json').send(),
  )
  app.get('/api/health', { exposeHeadRoute: false }, async (_request, reply) => {
    await reachDatabase(shop.db)
    return reply.header('cache-control', 'no-store').send({ status: 'ready', database: shop.database.kind })
  })
}
