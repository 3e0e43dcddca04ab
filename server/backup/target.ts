import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { Client } from 'pg'
import { clusterFolder, startEmbedded } from '../db/embedded/cluster.ts'
import { takeDataFolder } from '../db/embedded/lock.ts'
import { asSetting } from '../db/errors.ts'
import { connect } from '../db/migrate.ts'
import type { Place } from '../db/snapshot.ts'
import { BadBackup } from './bad-backup.ts'

/** An empty database whose client is in a transaction. Before `commit` nothing is visible, afterwards everything. */
export interface Target {
  readonly client: Client
  commit(): Promise<void>
  /** Must also be called after `commit`. */
  close(): Promise<void>
}

/** @throws {BadBackup} if there is a shop already */
export function openTarget(into: Place, staging: string): Promise<Target> {
  return into.databaseUrl ? openPostgres(into.databaseUrl) : openEmbedded(into.dataDir, staging)
}

async function openEmbedded(dataDir: string, staging: string): Promise<Target> {
  const release = await takeDataFolder(dataDir, 0)
  try {
    refuseShopIn(dataDir)
    const embedded = await startEmbedded({ dataDir: staging, log: { info() {}, warn() {}, error() {} } })
    const client = await connect(embedded.config)
    await client.query('begin')
    let ending: Promise<void> | undefined
    const end = () => (ending ??= client.end().then(() => embedded.close()))
    return {
      client,
      async commit() {
        await commit(client)
        await end()
        await rename(clusterFolder(staging), clusterFolder(dataDir))
      },
      close: () => end().finally(release),
    }
  } catch (error) {
    release()
    throw error
  }
}

async function openPostgres(connectionString: string): Promise<Target> {
  const client = await connect({ connectionString, keepAlive: true }).catch((error: unknown) => {
    throw asSetting(error)
  })
  try {
    await client.query('begin')
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' limit 1`,
    )
    if (rows[0])
      throw new BadBackup(
        `The database is not empty: it has a table ${rows[0].name}. Make a new one (createdb --owner USER NAME) and set DATABASE_URL to it.`,
      )
    // Copying the media can exceed the server's limit for an idle transaction.
    await client.query('set local idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end()
    throw error
  }
  return { client, commit: () => commit(client), close: () => client.end() }
}

async function commit(client: Client): Promise<void> {
  await client.query('commit')
  await client.query('analyze')
}

/** Also called before the backup is read, so that the owner gets this error at once. */
export function refuseShopIn(dataDir: string): void {
  if (existsSync(clusterFolder(dataDir)))
    throw new BadBackup(
      `There is a shop in ${dataDir} already. Restore into an empty folder, for example: DATA_DIR=./restored npm run restore -- FILE`,
    )
}
