import { checkCodeKey } from '#server/codes/check-key.ts'
import { alone } from './alone.ts'
import { emptyDatabase } from '#server/db/tables.ts'
import { demoIsLoaded } from './demo-folders.ts'
import { pricesOf } from '#server/integrations/stripe/prices.ts'
import { sandboxControlOf } from '#server/integrations/stripe/sandbox-control.ts'
import type { Shop } from '#server/shop.ts'

/** Advisory lock; the number must differ from all other advisory locks. */
const DEMO_LOCK = 7_305_513

/** On one of the instances that start together. The importer takes 40 MB, so load it only when needed. */
export async function openDemo(shop: Shop, content?: string): Promise<void> {
  const { db, database } = shop
  if (await demoIsLoaded(db, content)) return
  await alone(database, DEMO_LOCK, async () => {
    if (await demoIsLoaded(db, content)) return
    const { loadDemo } = await import('./demo.ts')
    console.log('Filling the demo shop (once): titles, covers, sound, accounts …')
    await loadDemo(shop, { log: console, content })
  })
}

/** For a real Stripe account the owner runs `npm run payments:set-up`. */
export async function fillTheSandbox({ config, billing, db, log }: Shop): Promise<void> {
  const sandboxControl = sandboxControlOf(config.payments)
  if (!sandboxControl) return
  try {
    await billing.prices.setUp(pricesOf(Object.values(config.details.plans)))
    const { enrolDemoMembers, payDemoOrders } = await import('./demo-members.ts')
    await enrolDemoMembers({ db, config }, sandboxControl)
    await payDemoOrders(db, sandboxControl)
  } catch (error) {
    log.warn({ err: error }, 'the sandbox lacks prices or members, so nobody can join or change')
  }
}

/** Restores the demo's first day (docs/demo.md, Time). Never touches an owner's database. */
export async function resetDemo(shop: Shop, content?: string): Promise<void> {
  await emptyDatabase(shop.database.pool)
  await sandboxControlOf(shop.config.payments)?.reset()
  shop.clock.aheadMs = 0
  shop.answers.clear()
  await checkCodeKey(shop.db, shop.config)
  await openDemo(shop, content)
  await fillTheSandbox(shop)
  shop.answers.clear()
}
