import { loadDetails } from '../db/shop-details-rows.ts'
import { checkClock } from './checks/clock.ts'
import { checkDatabase } from './checks/database.ts'
import { checkDelivery } from './checks/delivery.ts'
import { checkKeys } from './checks/keys.ts'
import { checkMail } from './checks/mail.ts'
import { checkMedia } from './checks/media.ts'
import { checkMigrations } from './checks/migrations.ts'
import { checkName } from './checks/name.ts'
import { checkNumbers } from './checks/numbers.ts'
import { checkOnSale } from './checks/on-sale.ts'
import { checkPages } from './checks/pages.ts'
import { checkPrices } from './checks/prices.ts'
import { checkProvider } from './checks/provider.ts'
import { checkRestored } from './checks/restored.ts'
import { checkWebhooks } from './checks/webhooks.ts'
import { type Check, type Examined, findings, type Named } from './finding.ts'

const CHECKS: Readonly<Record<string, Check>> = {
  database: checkDatabase,
  migrations: checkMigrations,
  keys: checkKeys,
  numbers: checkNumbers,
  restored: checkRestored,
  clock: checkClock,
  mail: checkMail,
  provider: checkProvider,
  prices: checkPrices,
  webhooks: checkWebhooks,
  media: checkMedia,
  delivery: checkDelivery,
  'on sale': checkOnSale,
  pages: checkPages,
  name: checkName,
}

/** Those that look into the database, at the provider and at files, knowing what the owner said of the shop. */
export async function* examine(shop: Examined): AsyncGenerator<Named> {
  // Where the schema is an older one, or none, the checks say so.
  await loadDetails(shop.db, shop.config.details).catch(() => undefined)
  yield* findings(CHECKS, shop)
}
