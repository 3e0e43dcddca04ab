import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { joinDatabase, type OpenDatabase } from '#server/db/open.ts'
import {
  hearOn,
  type Kept,
  type Listener,
  LISTENERS_KEY,
  promisesTo,
  someListeners,
  whatWasKept,
} from './listeners.ts'
import { freePort, type ServerProcess, startSources } from './server-process.ts'

/** Several servers on one PostgreSQL, and listeners who keep sending events. */
export interface ShopUnderLoad {
  readonly servers: readonly ServerProcess[]
  readonly listeners: readonly Listener[]
  /** The address of a server, the next one on each call. */
  readonly url: () => string
  /** Requests answered with 503 (`refused`) and requests without a response (`broken`). */
  readonly refused: () => number
  readonly broken: () => number
  /** Waits until every listener has another acknowledged event. */
  promisesMore(): Promise<void>
  /** Stops all listeners; returns them and what the database has stored. */
  end(): Promise<[readonly Listener[], Kept]>
  close(): Promise<void>
}

interface Wish {
  readonly databaseUrl?: string
  /** Use a data folder with an embedded database instead; the caller removes it. */
  readonly dataDir?: string
  readonly instances?: number
  readonly listeners?: number
  /** A request without a response is repeated at another server after this time. */
  readonly patienceMs?: number
  /** Additional environment variables. */
  readonly env?: Record<string, string>
}

export async function shopUnderLoad({
  databaseUrl,
  dataDir: given,
  instances = 1,
  listeners: count = 10,
  patienceMs,
  env = {},
}: Wish): Promise<ShopUnderLoad> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'murmur-machines-'))
  const place = { dataDir, ...(databaseUrl ? { databaseUrl } : {}) }
  const listeners = await beside(place, (database) => someListeners(database, count))
  const settings = {
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    APP_KEYS: LISTENERS_KEY,
    CODE_KEY: LISTENERS_KEY,
    DEMO: '0',
    ...env,
  }
  const servers: ServerProcess[] = []
  for (let instance = 0; instance < instances; instance++)
    servers.push(await startSources({ ...settings, PORT: await freePort() }))
  let asked = 0
  const url = () => servers[asked++ % servers.length]!.url
  const work = { isOver: false, hasClosed: false }
  const done = Promise.all(listeners.map((listener) => hearOn(listener, url, work, patienceMs)))
  // Errors are handled where `done` is awaited; this only prevents an unhandled rejection.
  done.catch(() => undefined)
  const sum = (of: 'refused' | 'broken') => listeners.reduce((all, listener) => all + listener[of].count, 0)
  const promisesMore = async () => {
    const before = listeners.map(({ acknowledged }) => acknowledged.length)
    while (listeners.some(({ acknowledged }, index) => acknowledged.length <= before[index]!))
      await Promise.race([pause(20), done])
  }
  while (promisesTo(listeners) < count * 2) await Promise.race([pause(20), done])
  return {
    servers,
    listeners,
    url,
    refused: () => sum('refused'),
    broken: () => sum('broken'),
    promisesMore,
    end: async () => {
      work.isOver = true
      await done
      return [listeners, await beside(place, whatWasKept)]
    },
    close: async () => {
      work.isOver = work.hasClosed = true
      await Promise.allSettled([done, ...servers.map((server) => server.stop())])
      if (!given) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs queries while the servers are running. */
export const inDatabase = <T>(databaseUrl: string, use: (database: OpenDatabase) => Promise<T>): Promise<T> =>
  beside({ dataDir: tmpdir(), databaseUrl }, use)

async function beside<T>(
  place: { readonly dataDir: string; readonly databaseUrl?: string },
  use: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await joinDatabase(place)
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
