import { join } from 'node:path'
import { PublicAnswers } from './answers.ts'
import { buildApp } from './app.ts'
import { BadSetting, readConfig, type Config } from './config.ts'
import { DatabaseInUse, openDatabase } from './db/open.ts'
import { countryByHeader } from './guards/country.ts'
import { reconcileRegularly } from './features/checkout/reconcile.ts'
import { startMakingOwnFiles } from './features/library/rules.ts'
import { refreshSearch } from './features/search/refresh.ts'
import { everyNight } from './jobs/nightly.ts'
import { openPayments } from './outside/stripe/open-payments.ts'
import { startSendingMail } from './outside/mail/sender.ts'
import type { Shop } from './shop.ts'
import { accountsOfTheDemo } from './welcome.ts'

/** A thousand lists or two hundred pages: what a day's visitors ask for again and again. */
const ANSWERS_BYTES = 16 * 1024 * 1024

try {
  await start(readConfig())
} catch (error) {
  // What the owner can mend is one sentence; anything else is a fault of ours and keeps its trace.
  if (error instanceof BadSetting || error instanceof DatabaseInUse) console.error(error.message)
  else console.error(error)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const database = await openDatabase({
    dataDir: config.dataDir,
    ...(config.databaseUrl ? { databaseUrl: config.databaseUrl } : {}),
    log: console,
  })
  const mediaDir = join(config.dataDir, 'media')
  const answers = new PublicAnswers({ maxBytes: ANSWERS_BYTES, countryOf: countryByHeader(config) })
  const shop: Shop = {
    config,
    database,
    db: database.db,
    now: () => new Date(),
    answers,
    log: console,
    mediaDir,
    payments: openPayments(config.payments),
  }

  if (config.demo) await openDemo(shop)
  const forget = () => answers.clear()
  // A message that was missed while the connection was gone counts as one that came.
  await database.listen('catalogue_changed', forget, forget)

  const app = await buildApp(shop)
  const stopJobs = everyNight(shop)
  const stopMail = await startSendingMail(shop)
  const stopReconciling = reconcileRegularly(shop)
  const stopMakingFiles = await startMakingOwnFiles(shop)
  stopOn(['SIGINT', 'SIGTERM'], async () => {
    stopJobs()
    stopReconciling()
    await stopMakingFiles()
    await app.close()
    await stopMail()
    await database.close()
  })
  await app.listen({ host: config.host, port: config.port }).catch(async (error: NodeJS.ErrnoException) => {
    await database.close()
    if (error.code !== 'EADDRINUSE') throw error
    throw new BadSetting(
      `Port ${config.port} is already in use. Stop the other server, or choose another port: PORT=3001 npm start`,
    )
  })
  // A shop from before there was a search; the answers that knew nothing of it are forgotten.
  void refreshSearch(shop.db).then(
    (refreshed) => refreshed > 0 && forget(),
    (error: unknown) => console.error('The search could not be brought up to date:', error),
  )
  console.log(`Murmur is open at ${config.publicUrl}`)
  if (config.demo) console.log(accountsOfTheDemo)
  // Tells a supervisor, and the tests, that requests are answered now.
  process.send?.('ready')
}

/** Loaded on demand, because the import's libraries would otherwise take 40 MB of every server. */
async function openDemo({ db, mediaDir, now, config }: Shop): Promise<void> {
  const { demoIsLoaded, loadDemo } = await import('./import/demo.ts')
  if (await demoIsLoaded(db)) return
  console.log('Filling the demo shop (once): titles, covers, sound, accounts …')
  await loadDemo({ db, mediaDir, now, config, log: console })
}

/** Finishes what is under way, then goes; a second signal does not wait. */
function stopOn(signals: readonly NodeJS.Signals[], close: () => Promise<void>): void {
  let closing = false
  for (const signal of signals)
    process.on(signal, () => {
      if (closing) process.exit(1)
      closing = true
      void close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
}
