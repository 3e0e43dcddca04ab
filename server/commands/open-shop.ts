import '../event-handlers.ts'
import { BusinessClock } from '../clock.ts'
import { type Config, readConfig } from '../settings/config.ts'
import { loadDetails } from '../db/shop-queries.ts'
import { followSharedClock, selectClockOffset } from '../db/shared-clock.ts'
import { type Database, databaseOf, joinDatabase, type OpenDatabase } from '../db/open.ts'
import { openLog } from '../log/log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { openProvider } from '../integrations/stripe/provider.ts'
import type { Shop } from '../shop.ts'
import { Caches } from '../caches.ts'
import { PublicAnswers } from '../http/response-cache.ts'
import { DiskSpace } from '../http/disk-space.ts'
import { paymentsOfRunningDemo } from './payments-of-demo.ts'
import { addressOfRunningShop } from '../settings/running-address.ts'

export const withDatabase = <Result>(
  work: (opened: { readonly db: Database; readonly config: Config }) => Promise<Result>,
): Promise<Result> =>
  open(readConfig(environmentOfRunningShop(), []), (database, config) => work({ db: database.db, config }))

function environmentOfRunningShop(): Readonly<Record<string, string | undefined>> {
  const { dataDir } = readConfig(process.env, [])
  return { ...process.env, ...addressOfRunningShop(process.env, dataDir) }
}

/** Without an HTTP server. The running server is notified of changes. */
export function withShop<Result>(work: (shop: Shop) => Promise<Result>): Promise<Result> {
  const { dataDir } = readConfig(process.env, [])
  const environment = { ...paymentsOfRunningDemo(process.env, dataDir), ...environmentOfRunningShop() }
  return open(readConfig(environment, []), async (database, config) => {
    // The log goes to stderr, the command's output to stdout.
    const log = openLog('error', process.stderr)
    const ending = new AbortController()
    const { now } = await followSharedClock(database.db, log, ending.signal)
    const clock = new BusinessClock(now)
    clock.aheadMs = await selectClockOffset(database.db)
    const answers = new PublicAnswers({ maxBytes: 1_000_000, countryOf: () => '' })
    return work({
      config,
      database,
      db: database.db,
      now,
      clock,
      answers,
      caches: new Caches(answers),
      log,
      metrics: new Metrics(),
      disk: new DiskSpace(config.dataDir, log),
      ending: ending.signal,
      media: openMedia(config),
      ...openProvider(config.payments),
    }).finally(() => ending.abort())
  })
}

async function open<Result>(
  config: Config,
  work: (database: OpenDatabase, config: Config) => Promise<Result>,
): Promise<Result> {
  const database = await joinDatabase({ ...databaseOf(config), log: console })
  try {
    await loadDetails(database.db, config.details)
    return await work(database, config)
  } finally {
    await database.close()
  }
}
