import { schemaOf } from '../db/migrate.ts'
import { loadDetails } from '../db/shop-details-queries.ts'
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
import { checkProxy } from './checks/proxy.ts'
import { checkRestored } from './checks/restored.ts'
import { checkWebhooks } from './checks/webhooks.ts'
import { broken, type Check, type Examined, findings, type Named } from './finding.ts'

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
  proxy: checkProxy,
}

export async function* examine(shop: Examined): AsyncGenerator<Named> {
  // Without tables every check would fail.
  if ((await schemaOf(shop.pool).catch(() => undefined)) === 0) {
    yield { name: 'database', ...broken(emptyDatabase(shop.config.databaseUrl)) }
    return
  }
  // With an older schema this fails; the checks report it.
  await loadDetails(shop.db, shop.config.details).catch(() => undefined)
  yield* findings(CHECKS, shop)
}

const emptyDatabase = (databaseUrl: string | undefined) =>
  `The database is empty: the first start makes a shop in it, and npm run restore brings one back.${databaseUrl ? ' If yours should be there, DATABASE_URL names another database.' : ''}`
