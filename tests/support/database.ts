import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { clusterFolder } from '#server/db/embedded/cluster.ts'
import { takeLock } from '#server/db/embedded/lock.ts'
import { MIGRATIONS } from '#server/db/migrate.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '#server/db/open.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster of the run, and the template database that is copied for each test file. */
    cluster: { readonly url: string; readonly template: string } | undefined
  }
}

/** A migrated, empty database in the cluster of the run; dropped when it is closed. */
export async function testDatabase(options: Partial<OpenOptions> = {}): Promise<OpenDatabase> {
  const shop = await emptyShop()
  const { databaseUrl } = shop
  const database = await openDatabase({ dataDir: tmpdir(), databaseUrl, schemaAsItIs: true, ...options })
  return {
    ...database,
    close: async () => {
      await database.close()
      await shop.drop()
    },
  }
}

/** The same, for code that opens a database by its URL. */
export async function emptyShop(): Promise<{ readonly databaseUrl: string; drop(): Promise<void> }> {
  const { url, template } = await theCluster()
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return {
    databaseUrl: databaseAt(url, name),
    drop: () => onServer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** The cluster of the run, or one for this file if Vitest was started without our global set-up. */
function theCluster(): Promise<{ url: string; template: string }> {
  const provided = inject('cluster')
  ownCluster ??= provided ? Promise.resolve(provided) : prepareCluster()
  return ownCluster
}

let ownCluster: ReturnType<typeof theCluster> | undefined

export async function prepareCluster() {
  const postgres = await startPostgres({ durable: false, settings: { file_copy_method: 'clone' } })
  const template = 'empty_shop'
  await onServer(postgres.url, `CREATE DATABASE ${template}`)
  const databaseUrl = databaseAt(postgres.url, template)
  await (await openDatabase({ dataDir: tmpdir(), databaseUrl })).close()
  return { url: postgres.url, template, stop: () => postgres.stop() }
}

/** A data folder with a migrated database, for tests that open it themselves. The caller removes it. */
export async function freshDataDir(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'murmur-test-'))
  // Keep the file owner: PostgreSQL refuses to open folders of other users.
  execFileSync('cp', ['-a', clusterFolder(await preparedFolder()), clusterFolder(dataDir)])
  return dataDir
}

/** Made once per set of migrations and reused by later runs. A copy takes a tenth of the time of a creation. */
async function preparedFolder(): Promise<string> {
  const folder = join(tmpdir(), `murmur-prepared-${migrationsHash()}-${process.getuid?.()}`)
  if (existsSync(folder)) return folder
  const release = await takeLock(`${folder}.lock`, 120_000)
  try {
    if (existsSync(folder)) return folder
    const unfinished = `${folder}.new`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { mode: 0o700 })
    await (await openDatabase({ dataDir: unfinished })).close()
    renameSync(unfinished, folder)
    return folder
  } finally {
    release?.()
  }
}

async function onServer(cluster: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}

const databaseAt = (cluster: string, name: string): string => cluster.replace('/postgres?', `/${name}?`)

function migrationsHash(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(MIGRATIONS).toSorted()) {
    if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(MIGRATIONS, name)))
  }
  return hash.digest('hex').slice(0, 12)
}
