import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Caches } from '#server/caches.ts'
import { PublicAnswers } from '#server/http/response-cache.ts'
import { buildApp } from '#server/app.ts'
import { BusinessClock } from '#server/clock.ts'
import { readConfig } from '#server/settings/config.ts'
import { DiskSpace } from '#server/http/disk-space.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import { countryByHeader } from '#server/auth/country.ts'
import { type Log, openLog } from '#server/log/log.ts'
import { Metrics } from '#server/metrics/metrics.ts'
import { type Billing, openProvider, type Payments } from '#server/integrations/stripe/provider.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import type { Shop } from '#server/shop.ts'
import { testDatabase } from './database.ts'
import { noBilling } from './no-provider.ts'

/** A Monday morning; tests that need another time set it. */
const OPENING = '2026-03-02T08:00:00.000Z'

export interface TestShop extends Shop {
  readonly app: FastifyInstance
  /** The system clock and business clock of the shop. It only moves when the test moves it. */
  readonly clock: TestClock
  /** The folder of its media, if it has one. */
  readonly mediaDir: string
  /** The same shop after a restart: a new app on the same database, which stays open. */
  restarted(): Promise<TestShop>
  close(): Promise<void>
}

interface Options {
  /** Environment variables to read the configuration from. */
  readonly env?: Record<string, string>
  /** Aborted when the server is told to shut down. */
  readonly ending?: AbortSignal
  /** A database to use instead of a new one. */
  readonly database?: OpenDatabase
  readonly payments?: Payments
  readonly billing?: Billing
  /** Receives the log; without it only errors are printed. */
  readonly log?: Log
}

class TestClock extends BusinessClock {
  readonly machine: () => Date
  readonly set: (instant: string | Date) => void
  readonly advance: (seconds: number) => void

  constructor(opening: string) {
    let time = new Date(opening).getTime()
    const machine = () => new Date(time)
    super(machine)
    this.machine = machine
    this.set = (instant) => void (time = new Date(instant).getTime())
    this.advance = (seconds) => void (time += seconds * 1000)
  }
}

/** The whole server with its own database, not listening on a port: requests use `app.inject`. */
export async function testShop({
  env = {},
  ending = new AbortController().signal,
  database: given,
  payments,
  billing,
  log = openLog('error'),
}: Options = {}): Promise<TestShop> {
  const database = given ?? (await testDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'murmur-shop-'))
  const config = readConfig({ DATA_DIR: dataDir, APP_KEYS: 'k'.repeat(32), ...env }, [])
  const clock = new TestClock(OPENING)

  const metrics = new Metrics()
  const disk = new DiskSpace(dataDir, log)
  const media = openMedia(config)
  const provider = openProvider(config.payments, { log, metrics })
  const open = async (closing: () => Promise<void>): Promise<TestShop> => {
    const answers = new PublicAnswers({ maxBytes: 8_000_000, countryOf: countryByHeader(config) })
    const shop: Shop = {
      config,
      database,
      db: database.db,
      now: clock.machine,
      clock,
      answers,
      caches: new Caches(answers),
      log,
      metrics,
      disk,
      ending,
      media,
      payments: payments ?? provider.payments,
      billing: billing ?? (payments ? noBilling : provider.billing),
    }
    const app = await buildApp(shop, {
      importer: async () => (await import('#importer/uploads.ts')).importer,
    })
    await app.ready()
    const close = async () => {
      await app.close()
      await closing()
    }
    return {
      ...shop,
      app,
      clock,
      mediaDir: join(dataDir, 'media'),
      close,
      restarted: async () => (await app.close(), open(closing)),
    }
  }

  return open(async () => {
    if (!given) await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
}
