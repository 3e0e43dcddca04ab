import { createHash, randomBytes } from 'node:crypto'
import {
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { takeLock } from '#server/db/embedded/lock.ts'
import { MIGRATIONS } from '#server/db/migrate.ts'
import { joinDatabase, type OpenDatabase, type OpenOptions, openDatabase } from '#server/db/open.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | undefined
    /** Folders whose embedded databases run as long as the tests do. */
    runningFolders: readonly string[] | undefined
  }
}

/** Which of the two databases this run is about. */
export const onPostgres = process.env.TEST_DATABASE === 'postgres'

/** A database of its own with all migrations and nothing in it; gone when it is closed. */
export const testDatabase = async (): Promise<OpenDatabase> =>
  onPostgres ? newDatabase() : ((await emptiedDatabase()) ?? (await newDatabase()))

/** One that nobody has used before, for tests that change its tables or settings. */
export const newDatabase = (options: Partial<OpenOptions> = {}): Promise<OpenDatabase> =>
  onPostgres ? postgresDatabase(options) : embeddedDatabase(options)

/** One of those that run already, emptied, where one is free: a database process takes seconds to start. */
async function emptiedDatabase(): Promise<OpenDatabase | undefined> {
  for (const dataDir of inject('runningFolders') ?? []) {
    const release = await takeLock(join(dataDir, 'in-use.db'), 0)
    if (!release) continue
    const database = await joinDatabase({ dataDir })
    await forgetRows(database.pool)
    return {
      ...database,
      close: async () => {
        await database.close()
        release()
      },
    }
  }
  return undefined
}

/**
 * As `emptyDatabase`, in a tenth of its time: most tables are empty, and to truncate one means new files for it, for its
 * indexes, and for those of every table that refers to it.
 */
async function forgetRows(pool: pg.Pool): Promise<void> {
  const tables = await namesIn(
    pool,
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const filled = await namesIn(
    pool,
    tables
      .map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${table})`)
      .join(' UNION ALL '),
  )
  const countAnew = `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`
  // Without foreign keys, whose order would matter.
  await pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
    ${filled.map((table) => `DELETE FROM ${table};`).join(' ')} ${countAnew}; COMMIT`,
  )
  // Nothing else clears away the deleted rows, and a thousand tests would wade through them.
  for (const table of filled) await pool.query(`VACUUM ${table}`)
}

const namesIn = async (pool: pg.Pool, question: string): Promise<string[]> =>
  (await pool.query<{ name: string }>(question)).rows.map(({ name }) => name)

async function embeddedDatabase(options: Partial<OpenOptions>): Promise<OpenDatabase> {
  const dataDir = await freshDataDir()
  const database = await openDatabase({ dataDir, ...options })
  return {
    ...database,
    close: async () => {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A data folder with all migrations, for tests that open it themselves. The caller removes it. */
export async function freshDataDir(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'murmur-test-'))
  const prepared = await preparedFolder()
  cpSync(join(prepared, 'db'), join(dataDir, 'db'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  return dataDir
}

/** Made once for each state of the migrations; later runs find it. A copy takes a tenth of a creation. */
export async function preparedFolder(): Promise<string> {
  const folder = join(tmpdir(), `murmur-prepared-${migrationsHash()}`)
  if (existsSync(folder)) return folder
  const release = await takeLock(`${folder}.lock`, 120_000)
  try {
    if (existsSync(folder)) return folder
    const unfinished = `${folder}.new`
    rmSync(unfinished, { recursive: true, force: true })
    await (await openDatabase({ dataDir: unfinished })).close()
    renameSync(unfinished, folder)
    return folder
  } finally {
    release?.()
  }
}

async function postgresDatabase(options: Partial<OpenOptions>): Promise<OpenDatabase> {
  const cluster = await postgresUrl()
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(cluster, `CREATE DATABASE ${name} TEMPLATE ${await preparedTemplate(cluster)}`)
  const database = await openDatabase({
    dataDir: tmpdir(),
    databaseUrl: databaseAt(cluster, name),
    ...options,
  })
  return {
    ...database,
    close: async () => {
      await database.close()
      await onServer(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

let ownCluster: Promise<string> | undefined

/** The run's cluster; one of this file's own when Vitest was started without our global set-up. */
function postgresUrl(): Promise<string> {
  const provided = inject('postgresUrl')
  ownCluster ??= provided
    ? Promise.resolve(provided)
    : startPostgres({ durable: false }).then(({ url }) => url)
  return ownCluster
}

let template: Promise<string> | undefined

function preparedTemplate(cluster: string): Promise<string> {
  template ??= prepareTemplate(cluster)
  return template
}

export async function prepareTemplate(cluster: string): Promise<string> {
  const name = `prepared_${migrationsHash()}`
  const made = await onServer(cluster, `CREATE DATABASE ${name}`).then(
    () => true,
    (error: { code?: string }) => {
      if (error.code === '42P04') return false
      throw error
    },
  )
  if (made) await (await openDatabase({ dataDir: tmpdir(), databaseUrl: databaseAt(cluster, name) })).close()
  return name
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
