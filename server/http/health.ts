import { reachDatabase } from '../db/reach.ts'
import { diskFull, unavailable } from './http-errors.ts'
import type { ApiServer } from './serve.ts'

/**
 * Ready when the database answers, there is room to write, and the server was not told to end. `HEAD` is also the client's
 * connectivity probe: it asks nothing, and says that it speaks JSON, by which the client tells it from a captive portal (trap 22).
 * Alive is whoever answers at all: a server that waits for its database must not be started anew for it.
 */
export function registerHealth({ app, shop }: ApiServer): void {
  app.head('/api/health', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('application/json').send(),
  )
  for (const address of ['/api/health', '/api/health/ready'])
    app.get(address, { exposeHeadRoute: false }, async (_request, reply) => {
      if (shop.ending.aborted) throw unavailable(2)
      await reachDatabase(shop.db)
      if (await shop.disk.isFull()) throw diskFull()
      return reply.header('cache-control', 'no-store').send({ status: 'ready', database: shop.database.kind })
    })
  app.get('/api/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
}
