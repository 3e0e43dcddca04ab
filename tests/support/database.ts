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
    /** The cluster of a run, and in it the database that each test file's is a copy of. */
    cluster: { readonly url: string; readonly template: string } | undefined
  }
}

/** A database of its own with all migrations and nothing in it, at a PostgreSQL of the whole run; gone when it is closed. */
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

/** The same, for what opens it by its address. */
export async function emptyShop(): Promise<{ readonly databaseUrl: string; drop(): Promise<void> }> {
  const { url, template } = await theCluster()
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return {
    databaseUrl: databaseAt(url, name),
    drop: () => onServer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** The cluster of the run; one of this file's own when Vitest was started without our global set-up. */
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

/** A data folder with all migrations, for tests that open it themselves. The caller removes it. */
export async function freshDataDir(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'murmur-test-'))
  // With its owner: PostgreSQL opens what belongs to it.
  execFileSync('cp', ['-a', clusterFolder(await preparedFolder()), clusterFolder(dataDir)])
  return dataDir
}

/** Made once for each state of the migrations; later runs find it. A copy takes a tenth of a creation. */
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
