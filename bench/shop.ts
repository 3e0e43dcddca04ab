import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer, type RunningServer } from './server.ts'
import { joinDatabase } from '../server/db/open.ts'
import { seedCards } from './seed-cards.ts'
import { startChild } from './children.ts'
import type { Stock, StockWish } from './stock.ts'

/** The real server, as an owner starts it, with a large stock and many listeners. */
export interface MeasuredShop {
  readonly dataDir: string
  readonly stock: Stock
  readonly server: RunningServer
  /** Says that the catalogue changed, as the import does: the server forgets every answer that it kept. */
  readonly forgetAnswers: () => Promise<void>
  /** Makes cards that nobody sold yet, and answers their numbers. */
  readonly printCards: (count: number) => Promise<string[]>
  close(): Promise<void>
}

/** What most of it is measured in. */
const LARGE: StockWish = { titles: Number(process.env.BENCH_TITLES ?? 100_000), listeners: 2_000 }

export async function openShop(wish = LARGE): Promise<MeasuredShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'murmur-bench-'))
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    APP_KEYS: randomBytes(32).toString('hex'),
    CODE_KEY: randomBytes(32).toString('hex'),
    DEMO: '0',
    // Log-ins then come from as many addresses as they say: the limits are for one of them.
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const clear = () => rm(dataDir, { recursive: true, force: true })
  try {
    const stock = await startChild('stock.ts', env).ask<Stock>(wish)
    const server = await startServer(env)
    const database = await joinDatabase({ dataDir })
    return {
      dataDir,
      stock,
      server,
      forgetAnswers: async () => {
        await database.db.execute('notify catalogue_changed')
        // It is told a moment later.
        await pause(50)
      },
      printCards: (count) => seedCards(database.db, count),
      close: async () => {
        await database.close()
        await server.stop()
        await clear()
      },
    }
  } catch (error) {
    await clear()
    throw error
  }
}
