import { reachDatabase } from '../db/reach.ts'
import { diskFull } from './refusals.ts'
import type { ApiServer } from './serve.ts'

/**
 * Ready when the database answers and there is room to write. `HEAD` is also the client's connectivity probe: it asks nothing, and
 * says that it speaks JSON, by which the client tells it from a captive portal (trap 22). Alive is whoever answers at all: a
 * server that waits for its database must not be started anew for it.
 */
export function registerHealth({ app, shop }: ApiServer): void {
  app.head('/api/health', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('application/json').send(),
  )
  app.get('/api/health', { exposeHeadRoute: false }, async (_request, reply) => {
    await reachDatabase(shop.db)
    if (await shop.disk.isFull()) throw diskFull()
    return reply.header('cache-control', 'no-store').send({ status: 'ready', database: shop.database.kind })
  })
  app.get('/api/alive', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
}
