import { reachDatabase } from '../db/open.ts'
import { diskFull, unavailable } from './http-errors.ts'
import type { ApiServer } from './serve.ts'

/**
 * Ready if the database answers, the disk has space, and the server was not told to stop. `HEAD` is the app's
 * connectivity probe: it makes no query, and its JSON content type distinguishes the shop from a captive portal (trap
 * 22). Alive is any server that answers: one that waits for its database must not be restarted because of it.
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
