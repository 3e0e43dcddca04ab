import { Duration } from 'luxon'
import { sandboxControlOf } from '../integrations/stripe/sandbox-control.ts'
import { unprocessable, refused } from '../http/http-errors.ts'
import type { ApiServer } from '../http/serve.ts'
import { advance, type Moved } from './advance-clock.ts'

const YEAR_MS = 366 * 24 * 3_600_000
/** A card is valid for a few years; a demo never needs to go further. */
const LONGEST_MS = 3 * YEAR_MS

/** In demo mode only (docs/demo.md, Time): `GET /dev/clock`, and `POST { "advance": "P30D" }`. */
export function registerClock({ app, shop }: ApiServer): void {
  let moving: Promise<unknown> = Promise.resolve()
  const view = (moved: Moved | null) => ({
    now: shop.clock.now().toISOString(),
    aheadSeconds: Math.round(shop.clock.aheadMs / 1000),
    ...(moved ? { stops: moved.stops } : {}),
  })

  app.get('/dev/clock', async (_request, reply) => reply.header('cache-control', 'no-store').send(view(null)))
  app.post('/dev/clock', async ({ body }, reply) => {
    const ms = lengthOf(body)
    // One after another: the clock only moves forward.
    const moved = moving.then(() => advance(shop, sandboxControlOf(shop.config.payments), ms))
    moving = moved.catch(() => undefined)
    return reply.header('cache-control', 'no-store').send(view(await moved))
  })
}

function lengthOf(body: unknown): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body can be anything
  const { advance: duration } = (body ?? {}) as { advance?: unknown }
  const ms = typeof duration === 'string' ? Duration.fromISO(duration).toMillis() : Number.NaN
  if (!(ms > 0 && ms <= LONGEST_MS))
    throw unprocessable('advance', 'Say how far, at most three years: { "advance": "P30D" }.')
  return ms
}

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
