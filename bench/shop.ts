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

export interface MeasuredShop {
  readonly dataDir: string
  readonly stock: Stock
  readonly server: RunningServer
  /** Notifies the server of a catalogue change, as the import does. The server then clears its cached answers. */
  readonly forgetAnswers: () => Promise<void>
  readonly printCards: (count: number) => Promise<string[]>
  close(): Promise<void>
}

/** The size for most measures. */
const LARGE: StockWish = { titles: Number(process.env.BENCH_TITLES ?? 100_000), listeners: 2_000 }

export async function openShop(wish = LARGE): Promise<MeasuredShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'murmur-bench-'))
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    APP_KEYS: randomBytes(32).toString('hex'),
    CODE_KEY: randomBytes(32).toString('hex'),
    DEMO: '0',
    // Logins can then claim different IP addresses through X-Forwarded-For; the limits are per address.
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
        // Wait for the notification to arrive.
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
