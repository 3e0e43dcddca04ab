import type { Config } from '../settings/config.ts'
import { checkBackups } from './checks/backups.ts'
import { checkClock } from './checks/clock.ts'
import { checkDatabase } from './checks/database.ts'
import { checkDisk } from './checks/disk.ts'
import { checkKeys } from './checks/keys.ts'
import { checkMail } from './checks/mail.ts'
import { checkMedia } from './checks/media.ts'
import { checkMemory } from './checks/memory.ts'
import { checkMigrations } from './checks/migrations.ts'
import { checkNumbers } from './checks/numbers.ts'
import { checkOnSale } from './checks/on-sale.ts'
import { checkPages } from './checks/pages.ts'
import { checkPermissions } from './checks/permissions.ts'
import { checkPrices } from './checks/prices.ts'
import { checkProvider } from './checks/provider.ts'
import { checkRestored } from './checks/restored.ts'
import { checkSettings } from './checks/settings.ts'
import { checkWebhooks } from './checks/webhooks.ts'
import { broken, type Check, type Examined, type Finding, type QuickCheck } from './finding.ts'

/** Those that need no database, in a moment. */
const QUICK: Readonly<Record<string, QuickCheck>> = {
  settings: checkSettings,
  permissions: checkPermissions,
  disk: checkDisk,
  memory: checkMemory,
  backups: (config) => checkBackups(config),
}

const THOROUGH: Readonly<Record<string, Check>> = {
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
  'on sale': checkOnSale,
  pages: checkPages,
}

export interface Named extends Finding {
  readonly name: string
}

export const examineQuickly = (config: Config): AsyncGenerator<Named> => each(QUICK, config)

export const examine = (shop: Examined): AsyncGenerator<Named> => each(THOROUGH, shop)

/** One that fails itself stops no other. */
async function* each<Given>(
  checks: Readonly<Record<string, (given: Given) => Finding | Promise<Finding>>>,
  given: Given,
): AsyncGenerator<Named> {
  for (const [name, check] of Object.entries(checks))
    try {
      yield { name, ...(await check(given)) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      yield { name, ...broken(`This could not be looked at: ${reason}`) }
    }
}

/** As an owner reads it. */
export const lineOf = ({ state, name, says }: Named): string =>
  `${state.padEnd(7)} ${name.padEnd(12)} ${says}`
