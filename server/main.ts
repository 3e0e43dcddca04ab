import { buildApp } from './app.ts'
import { BusinessClock } from './clock.ts'
import { checkCodeKey } from './codes/check-key.ts'
import { databaseOf, openDatabase } from './db/open.ts'
import { DatabaseInUse } from './db/errors.ts'
import { followSharedClock, selectClockOffset } from './db/shared-clock.ts'
import { followDetails } from './features/shop-details/follow.ts'
import { followEmptyShelves, followCatalogue } from './features/catalogue/caches.ts'
import { examineMachine, lineOf } from './checks/doctor.ts'
import { refreshSearch } from './features/search/refresh.ts'
import { countryByHeader } from './auth/country.ts'
import { catchUp } from './jobs/advance-clock.ts'
import { CLOCK_MOVED } from './jobs/queries.ts'
import { startJobs } from './jobs/start.ts'
import { openLog, serversOutput } from './log/log.ts'
import { Metrics } from './metrics/metrics.ts'
import { openMedia } from './integrations/media/open-media.ts'
import { pricesOf } from './integrations/stripe/prices.ts'
import { openProvider } from './integrations/stripe/provider.ts'
import { sandboxControlOf } from './integrations/stripe/sandbox-control.ts'
import { keepAssets } from './pages/assets.ts'
import { storeAddress } from './settings/running-address.ts'
import { readConfig, type Config } from './settings/config.ts'
import { BadSetting } from './settings/bad-setting.ts'
import type { Shop } from './shop.ts'
import { endInOrder } from './start/end-in-order.ts'
import { listenAtSocket, proxySocket } from './start/proxy-socket.ts'
import {
  accountsOfTheDemo,
  announceTodo,
  linkToOffice,
  refuseDemoAccounts,
  whatIsMissing,
} from './start/welcome.ts'
import { Caches } from './caches.ts'
import { PublicAnswers } from './http/response-cache.ts'
import { DiskSpace } from './http/disk-space.ts'

const ANSWERS_BYTES = 16 * 1024 * 1024

try {
  await start(readConfig())
} catch (error) {
  // An error that the owner can fix is printed as one sentence; any other error is a bug and is logged with its stack.
  if (error instanceof BadSetting || error instanceof DatabaseInUse) console.error(error.message)
  else openLog('error').fatal({ err: error }, 'the server could not start')
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = openLog(config.logLevel, serversOutput())
  // Node's default handler would print the whole error, including personal data.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the server ended by a fault of its own')
    process.exit(1)
  })
  // Printed first, because a broken setting may also be why the rest of the start fails.
  for await (const finding of examineMachine(config))
    if (finding.state === 'broken' || (finding.state === 'look' && !config.demo)) console.log(lineOf(finding))
  const database = await openDatabase({ ...databaseOf(config), log })
  await checkCodeKey(database.db, config).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  const answers = new PublicAnswers({ maxBytes: ANSWERS_BYTES, countryOf: countryByHeader(config) })
  const metrics = new Metrics()
  const disk = new DiskSpace(config.dataDir, log)
  const ending = new AbortController()
  const { now } = await followSharedClock(database.db, log, ending.signal)
  const shop: Shop = {
    config,
    database,
    db: database.db,
    now,
    clock: new BusinessClock(now),
    answers,
    caches: new Caches(answers),
    log,
    metrics,
    disk,
    ending: ending.signal,
    media: openMedia(config, now),
    ...openProvider(config.payments, { log, metrics }),
  }

  ending.signal.addEventListener('abort', await followDetails(shop, undefined, () => priceTheSandbox(shop)))
  const warning = await refuseDemoAccounts(shop)
  const demo = config.demo ? await import('#demo/fill-demo.ts') : undefined
  if (demo) {
    await demo.openDemo(shop)
    await demo.fillTheSandbox(shop)
    await followTheClock(shop)
  }
  await followCatalogue(shop)
  await followEmptyShelves(shop)

  await keepAssets(shop)
  const app = await buildApp(shop, {
    importer: async () => (await import('#importer/uploads.ts')).importer,
    ...(demo ? { resetDemo: () => demo.resetDemo(shop) } : {}),
  })
  const stopJobs =
    config.role === 'web'
      ? async () => undefined
      : await startJobs(shop, {
          analyseTitles: async (signal, onProgress) => {
            const { analyseDue } = await import('#analysis/analyse-due.ts')
            await analyseDue({ db: shop.db, media: shop.media, dataDir: config.dataDir, signal, onProgress })
          },
        })
  const sockets = config.socket === undefined ? undefined : proxySocket(app)
  endInOrder({
    app,
    sockets,
    log,
    ending,
    noticeSeconds: config.drainSeconds,
    stopJobs,
    closeDatabase: () => database.close(),
  })
  await app.listen({ host: config.host, port: config.port }).catch(async (error: NodeJS.ErrnoException) => {
    await database.close()
    if (error.code !== 'EADDRINUSE') throw error
    throw new BadSetting(
      `Port ${config.port} is already in use. Stop the other server, or choose another port: PORT=3001 npm start`,
    )
  })
  if (sockets) await listenAtSocket(sockets, config.socket!)
  // Commands read this file. A full disk must not stop the server from starting.
  try {
    storeAddress(config.dataDir, config.publicUrl)
  } catch (error) {
    log.warn({ err: error }, 'the address could not be stored for commands')
  }
  const sandboxControl = config.demo ? sandboxControlOf(config.payments) : null
  if (sandboxControl)
    void catchUp(shop, sandboxControl).catch((error: unknown) =>
      log.warn({ err: error }, 'the sandbox could not be brought to the shop’s time'),
    )
  // Shops created before the search index existed: build the index, then drop cached responses.
  void refreshSearch(shop.db).then(
    (refreshed) => refreshed > 0 && answers.clear(),
    (error: unknown) => log.error({ err: error }, 'the search could not be brought up to date'),
  )
  console.log(`${config.details.name} is open at ${config.publicUrl}`)
  if (config.demo) {
    console.log(accountsOfTheDemo)
    console.log(await linkToOffice(shop))
  }
  if (warning) console.log(warning)
  for (const sentence of await whatIsMissing(shop)) console.log(sentence)
  void announceTodo(shop)
  process.send?.('ready')
}

async function priceTheSandbox({ config, billing }: Shop): Promise<void> {
  if (!sandboxControlOf(config.payments)) return
  await billing.prices.setUp(pricesOf(Object.values(config.details.plans)))
}

/** Restores the demo's business time after a start, and follows changes made by other instances. */
async function followTheClock({ clock, database, db, log }: Shop): Promise<void> {
  const follow = async () => {
    clock.aheadMs = Math.max(clock.aheadMs, await selectClockOffset(db))
  }
  await follow()
  const again = () =>
    void follow().catch((error: unknown) => log.warn({ err: error }, 'the clock could not be read'))
  await database.listen(CLOCK_MOVED, again, again)
}
