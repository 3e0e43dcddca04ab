import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg, { type ClientConfig, type Pool } from 'pg'
import { createPool } from './client.ts'
import { type EmbeddedPostgres, type Log, runningConfig, startEmbedded } from './embedded/cluster.ts'
import type { Config } from '../settings/config.ts'
import {
  refuseUnfinishedRestore,
  restoringFolder,
  unfinishedRestore,
} from '../settings/unfinished-restore.ts'
import { asSetting, DatabaseInUse } from './errors.ts'
import { Notifications } from './listen.ts'
import { migrate, selectSchema } from './migrate.ts'

export type Database = NodePgDatabase
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
export type Db = PgDatabase<NodePgQueryResultHKT>

export interface OpenDatabase {
  db: Database
  pool: Pool
  kind: 'embedded' | 'postgres'
  processIds(): number[]
  /** @param onGap called when messages may have been missed; returns a function that stops listening */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap?: () => void,
  ): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface OpenOptions {
  dataDir: string
  databaseUrl?: string
  /** Bypasses the pooler of `databaseUrl`, which may run named statements in different sessions. */
  directUrl?: string | undefined
  connections?: number
  idleInTransactionMs?: number
  log?: Log
  namedStatements?: boolean
  patienceMs?: number
  schemaAsItIs?: boolean
  migrations?: string
}

export const databaseOf = ({
  dataDir,
  databaseUrl,
  databaseDirectUrl,
  databaseConnections,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseConnections'>): OpenOptions => ({
  dataDir,
  ...(databaseUrl ? { databaseUrl } : {}),
  directUrl: databaseDirectUrl,
  connections: databaseConnections,
})

/** A frozen server holds locks that others wait for. */
const IDLE_IN_TRANSACTION_MS = 10_000

const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Also migrates.
 *
 * @throws {BadSetting} if the database cannot be opened or a restore was interrupted
 * @throws {DatabaseInUse} if another process keeps the data folder locked
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { databaseUrl, log = quiet } = options
  if (databaseUrl) {
    const config = { connectionString: databaseUrl }
    const direct = { connectionString: options.directUrl ?? databaseUrl }
    const prepare = async () => {
      const schema = await answer(config)
      if (schema === 0 && existsSync(restoringFolder(options.dataDir)))
        throw unfinishedRestore(options.dataDir)
      if (!options.schemaAsItIs) await migrate(direct, options.migrations)
    }
    await prepare().catch((error: unknown) => {
      throw asSetting(error)
    })
    return connect({ kind: 'postgres', config, options })
  }
  refuseUnfinishedRestore(options.dataDir)
  const embedded = await startEmbedded({ ...options, log })
  try {
    if (!options.schemaAsItIs) await migrate(embedded.config, options.migrations)
    return connect({ kind: 'embedded', config: embedded.config, options, embedded })
  } catch (error) {
    await embedded.close()
    throw error
  }
}

/** For a command next to the server: joins the running server's database, or opens it if no server runs. */
export async function joinDatabase(options: OpenOptions): Promise<OpenDatabase> {
  if (options.databaseUrl) return openDatabase(options)
  for (let attempt = 1; ; attempt++) {
    try {
      return await openDatabase({ ...options, patienceMs: 0 })
    } catch (error) {
      if (!(error instanceof DatabaseInUse)) throw error
      const config = runningConfig(options.dataDir)
      if (config && (await answers(config))) return connect({ kind: 'embedded', config, options })
      // A server that is starting locks the folder before its PostgreSQL answers.
      if (attempt === ATTEMPTS) throw error
      await pause(500)
    }
  }
}

const ATTEMPTS = 10

interface Connection {
  kind: OpenDatabase['kind']
  config: ClientConfig
  options: OpenOptions
  embedded?: EmbeddedPostgres
}

function connect({ kind, config, options, embedded }: Connection): OpenDatabase {
  const { log = quiet, directUrl, namedStatements = !directUrl, connections = 10 } = options
  const { idleInTransactionMs = IDLE_IN_TRANSACTION_MS } = options
  const warn = (error: unknown) => log.warn(`database connection lost: ${String(error)}`)
  const pool = createPool(
    {
      ...config,
      namedStatements,
      max: connections,
      // Frees prepared statements, which use this machine's memory if the database is embedded.
      idleTimeoutMillis: kind === 'embedded' ? 30_000 : 300_000,
      // A prepared statement keeps a plan for the table sizes at that time, and a shop grows.
      maxLifetimeSeconds: 900,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // Poolers do not pass this on, and some refuse it: set it for the role (docs/operations/deployment.md).
      ...(!directUrl ? { idle_in_transaction_session_timeout: idleInTransactionMs } : {}),
    },
    warn,
  )
  const direct = directUrl ? { connectionString: directUrl } : config
  const notifications = new Notifications({ ...direct, keepAlive: true }, warn)
  return {
    db: withSafeTransactions(drizzle(pool), pool),
    pool,
    kind,
    processIds: () => embedded?.processIds() ?? [],
    listen: (channel, onMessage, onGap) => notifications.listen(channel, onMessage, onGap),
    close: async () => {
      await notifications.close()
      await pool.end()
      await embedded?.close()
    },
  }
}

/** Drizzle never returns a connection whose `begin` failed, so a restarting database would exhaust the pool. */
function withSafeTransactions(db: Database, pool: Pool): Database {
  db.transaction = async (work, settings) => {
    const client = await pool.connect()
    try {
      return await drizzle(client).transaction(work, settings)
    } finally {
      // Close a connection that is still in a transaction: its next user would continue that transaction.
      client.release(client.getTransactionStatus() !== 'I')
    }
  }
  return db
}

const answers = (config: ClientConfig): Promise<boolean> =>
  answer(config).then(
    () => true,
    () => false,
  )

async function answer(config: ClientConfig): Promise<number> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await selectSchema(client)
  } finally {
    await client.end().catch(() => {})
  }
}

export async function reachDatabase(db: Db): Promise<void> {
  await db.execute(sql`select 1`)
}
