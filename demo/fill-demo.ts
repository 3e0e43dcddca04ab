import { checkCodeKey } from '#server/codes/check-key.ts'
import { alone } from '#server/db/alone.ts'
import { emptyDatabase } from '#server/db/empty.ts'
import { demoIsLoaded } from './demo-folders.ts'
import { pricesOf } from '#server/integrations/stripe/membership-prices.ts'
import { sandboxControlOf } from '#server/integrations/stripe/sandbox-control.ts'
import type { Shop } from '#server/shop.ts'

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
    const { loadDemo } = await import('./demo.ts')
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
    const { enrolDemoMembers } = await import('./demo-members.ts')
    await enrolDemoMembers({ db, config }, sandboxControl)
    const { payDemoGifts } = await import('./demo-payments.ts')
    await payDemoGifts(db, sandboxControl)
  } catch (error) {
    log.warn({ err: error }, 'the sandbox lacks prices or members, so nobody can join or change')
  }
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
