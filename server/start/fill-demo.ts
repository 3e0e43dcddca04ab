import { checkCodeKey } from '../codes/check-key.ts'
import { alone } from '../db/alone.ts'
import { emptyDatabase } from '../db/empty.ts'
import { demoIsLoaded } from '../import/demo-folders.ts'
import { pricesOf } from '../outside/stripe/membership-prices.ts'
import { sandboxControlOf } from '../outside/stripe/sandbox-control.ts'
import { refused } from '../wire/refusals.ts'
import type { ApiServer } from '../wire/serve.ts'
import type { Shop } from '../shop.ts'

/** An arbitrary number that none of our other locks use. */
const DEMO_LOCK = 7_305_513

/**
 * Fills an empty shop, on one of the instances that begin together. The import's libraries take 40 MB, so they are loaded only
 * where there is something to import.
 */
export async function openDemo({ db, database, media, now, config }: Shop, content?: string): Promise<void> {
  if (await demoIsLoaded(db, content)) return
  await alone(database, DEMO_LOCK, async () => {
    if (await demoIsLoaded(db, content)) return
    const { loadDemo } = await import('../import/demo.ts')
    console.log('Filling the demo shop (once): titles, covers, sound, accounts …')
    await loadDemo({ db, media, now, config, log: console, ...(content ? { content } : {}) })
  })
}

/**
 * A sandbox has no prices and no members until somebody makes them; an owner's account gets its prices by
 * `npm run payments:set-up`.
 */
export async function fillTheSandbox({ config, billing, db, log }: Shop): Promise<void> {
  const sandboxControl = sandboxControlOf(config.payments)
  if (!sandboxControl) return
  try {
    await billing.prices.setUp(pricesOf(Object.values(config.details.plans)))
    const { enrolDemoMembers } = await import('../import/demo-members.ts')
    await enrolDemoMembers({ db, config }, sandboxControl)
    const { payDemoGifts } = await import('../import/demo-payments.ts')
    await payDemoGifts(db, sandboxControl)
  } catch (error) {
    log.warn({ err: error }, 'the sandbox lacks prices or members, so nobody can join or change')
  }
}

/** Where an owner tries other prices in a demo, nobody has to tell its sandbox. */
export async function priceTheSandbox({ config, billing }: Shop): Promise<void> {
  if (!sandboxControlOf(config.payments)) return
  await billing.prices.setUp(pricesOf(Object.values(config.details.plans)))
}

/**
 * The demo as it was on its first day (docs/demo.md, Time): nobody is logged in any more, and time is the machine's. An
 * owner's database is left alone, as `npm start -- --fresh` leaves it.
 */
export async function resetDemo(shop: Shop, content?: string): Promise<void> {
  await emptyDatabase(shop.database.pool)
  await sandboxControlOf(shop.config.payments)?.reset()
  shop.clock.aheadMs = 0
  await checkCodeKey(shop.db, shop.config)
  await openDemo(shop, content)
  await fillTheSandbox(shop)
  shop.answers.clear()
}

/** `POST /dev/reset`. Registered in demo mode only. */
export function registerReset({ app, shop }: ApiServer): void {
  let resetting: Promise<void> | undefined
  app.post('/dev/reset', async (_request, reply) => {
    if (shop.config.databaseUrl) throw refused('This shop has a database of its own, which is left alone.')
    resetting ??= resetDemo(shop).finally(() => (resetting = undefined))
    await resetting
    return reply.header('cache-control', 'no-store').send({ now: shop.clock.now().toISOString() })
  })
}
