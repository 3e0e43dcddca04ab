import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND_MS } from '#contract/durations.ts'
import { SHOP_FILE } from '../../settings/owners-details.ts'
import { loadDetails, SHOP_DETAILS_CHANGED, storeDetails } from '../../db/shop-queries.ts'
import type { Config } from '../../settings/config.ts'
import type { Shop } from '../../shop.ts'
import { PLANS } from '#contract/plans.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { PLAN_KEYS } from '#contract/shop-terms.ts'
import type { Db } from '../../db/open.ts'
import { counted } from '../../print/table.ts'
import { countByPlan } from './queries.ts'

/** A change must take effect within a minute (docs/operations/configuration.md). A check reads one small file. */
const LOOK_EVERY_MS = 15 * SECOND_MS

type Follower = Pick<Shop, 'config' | 'db' | 'database' | 'answers' | 'log'>

/** Loads the shop details when the owner changes `shop.json` here or on another machine. Returns a function to stop. */
export async function followDetails(
  shop: Follower,
  everyMs = LOOK_EVERY_MS,
  onChange: () => Promise<void> = async () => undefined,
): Promise<() => void> {
  const { config, db, database, answers, log } = shop
  const load = async () => {
    const before = config.details.version
    await loadDetails(db, config.details)
    if (config.details.version === before) return
    answers.clear()
    await onChange()
  }
  const loadAgain = () =>
    void load().catch((error: unknown) =>
      log.warn({ err: error }, 'what the shop is called could not be read'),
    )
  let seen = ''
  const look = async () => {
    const found = await takeShopFile(shop)
    const says = found.join(' ')
    if (says !== '' && says !== seen) for (const mistake of found) log.warn({ file: 'shop.json' }, mistake)
    seen = says
  }
  await load()
  await look()
  await load()
  await database.listen(SHOP_DETAILS_CHANGED, loadAgain, loadAgain)
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'shop.json could not be read'))
      .finally(() => (looking = undefined))
  }, everyMs).unref()
  return () => clearInterval(timer)
}

export async function takeShopFile({
  config,
  db,
}: Pick<Shop, 'db'> & { readonly config: Pick<Config, 'dataDir' | 'details'> }): Promise<readonly string[]> {
  // The checker's libraries would slow down the start.
  if (!existsSync(join(config.dataDir, SHOP_FILE))) return []
  const { readShopFile } = await import('./read-file.ts')
  const read = await readShopFile(config.dataDir)
  if (!read) return []
  if ('mistakes' in read) return read.mistakes
  if (read.said.version === config.details.version) return []
  const missing = await missingPlans(db, read.said.file)
  if (missing.length > 0) return missing.map((says) => `line ${read.lines.get('/plans') ?? 1}: ${says}`)
  const outcome = await storeDetails(db, read.said, read.writtenAt)
  return outcome === 'older'
    ? [
        'This shop.json is older than the one that the shop has from another machine. Save it once more to have it taken.',
      ]
    : []
}

/** Memberships use the name and benefits of their plan, so it must stay; with `sold: false` it cannot be joined. */
export async function missingPlans(db: Db, { plans }: ShopFile): Promise<string[]> {
  if (!plans) return []
  const named = new Set<number>(plans.map(({ key }) => PLAN_KEYS[key]))
  const missing = (await countByPlan(db)).filter(({ plan }) => !named.has(plan) && plan in PLANS)
  return missing.map(({ plan, people }) => {
    const key = Object.entries(PLAN_KEYS).find(([, id]) => id === plan)?.[0]
    return `"plans" lacks "${key}", which ${counted(people, 'person', 'people')} ${people === 1 ? 'has' : 'have'}: keep it in the list, with "sold": false.`
  })
}
