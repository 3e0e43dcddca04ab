import { refused } from '../http/http-errors.ts'
import type { ApiServer } from '../http/serve.ts'

/** `POST /dev/reset`. Requests that arrive during a reset wait for that reset. */
export function registerReset({ app, shop }: ApiServer, resetDemo: () => Promise<void>): void {
  let resetting: Promise<void> | undefined
  app.post('/dev/reset', async (_request, reply) => {
    if (shop.config.databaseUrl) throw refused('This shop has a database of its own, which is left alone.')
    resetting ??= resetDemo().finally(() => (resetting = undefined))
    await resetting
    return reply.header('cache-control', 'no-store').send({ now: shop.clock.now().toISOString() })
  })
}
