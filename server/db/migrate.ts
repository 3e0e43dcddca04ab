import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg, { type ClientBase, type ClientConfig, type Pool } from 'pg'
import { BadSetting } from '../settings/bad-setting.ts'

export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** An arbitrary number, different from those of our other advisory locks. */
const MIGRATION_LOCK = 7_305_511

const LOOK_AGAIN_MS = 100

/** One instance migrates, others wait. Before the pool opens: statements prepared earlier would fail once. */
export async function migrate(config: ClientConfig, folder: string = MIGRATIONS): Promise<void> {
  // A separate connection, because a migration ends transactions.
  const guard = await connect(config)
  try {
    // Polled: a waiting statement has a snapshot, and CREATE INDEX CONCURRENTLY waits for older snapshots.
    while (!(await takeLock(guard))) await pause(LOOK_AGAIN_MS)
    const client = await connect(config)
    try {
      await bringUpToDate(client, { folder, besideWrites: true })
    } finally {
      await client.end()
    }
    await guard.query('COMMIT')
  } finally {
    await guard.end()
  }
}

async function takeLock(guard: ClientBase): Promise<boolean> {
  await guard.query('BEGIN')
  // This transaction is idle while another instance migrates, which may take longer than the owner's timeout.
  await guard.query('SET LOCAL idle_in_transaction_session_timeout = 0')
  // Without a parameter: a parameterised statement stays open until the transaction ends, and keeps its snapshot.
  const { rows } = await guard.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS taken`,
  )
  if (!rows[0]!.taken) await guard.query('ROLLBACK')
  return rows[0]!.taken
}

/** Runs in one transaction; with `besideWrites`, commits earlier migrations and builds large indexes concurrently. */
export async function bringUpToDate(
  client: ClientBase,
  {
    folder = MIGRATIONS,
    besideWrites = false,
  }: { readonly folder?: string; readonly besideWrites?: boolean },
): Promise<void> {
  const schema = await selectSchema(client)
  const missing = readMigrationFiles({ migrationsFolder: folder }).filter(
    ({ folderMillis: at }) => at > schema,
  )
  if (missing.length === 0) return
  await client.query(LEDGER)
  for (const step of besideWrites ? stepsOf(missing) : [missing]) {
    const [first] = step
    if (besideWrites && isBesideWrites(first!)) {
      await buildBesideWrites(client, first!)
      await note(client, first!)
    } else await atOnce(client, () => carryOut(client, step))
  }
}

/** Each concurrent index is a separate step. */
function stepsOf(migrations: readonly MigrationMeta[]): MigrationMeta[][] {
  const steps: MigrationMeta[][] = []
  for (const migration of migrations) {
    const last = steps.at(-1)
    if (!last || isBesideWrites(migration) || isBesideWrites(last[0]!)) steps.push([migration])
    else last.push(migration)
  }
  return steps
}

async function atOnce(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function carryOut(client: ClientBase, migrations: readonly MigrationMeta[]): Promise<void> {
  for (const migration of migrations) {
    for (const statement of migration.sql) await client.query(notBesideWrites(statement))
    await note(client, migration)
  }
}

const LEDGER = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

const note = (client: ClientBase, { hash, folderMillis }: MigrationMeta) =>
  client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ])

interface JournalEntry {
  readonly when: number
  readonly tag: string
}

const readJournal = (): JournalEntry[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by drizzle-kit
  (JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as { entries: JournalEntry[] })
    .entries

/** A schema version is the time at which its last migration was written. */
export const schemaOfRelease = (): number => readJournal().at(-1)!.when

export const isBeforeFirstRelease = (schema: number): boolean => schema > 0 && schema < readJournal()[0]!.when

export async function pendingMigrations({ pool }: { readonly pool: Pool }): Promise<string[]> {
  const client = await pool.connect()
  try {
    const schema = await selectSchema(client)
    return readJournal()
      .filter(({ when }) => when > schema)
      .map(({ tag }) => tag)
  } finally {
    client.release()
  }
}

export async function schemaOf(pool: Pool): Promise<number> {
  const client = await pool.connect()
  try {
    return await selectSchema(client)
  } finally {
    client.release()
  }
}

/** 0 if the database contains no shop. @throws {BadSetting} for a shop from before the first release */
export async function selectSchema(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (!rows[0]?.exists) return 0
  const last = await client.query<{ at: string | null }>(
    'select max(created_at)::text as at from drizzle.__drizzle_migrations',
  )
  const schema = Number(last.rows[0]?.at ?? 0)
  if (isBeforeFirstRelease(schema))
    throw new BadSetting(
      'This database was made before the first release of Murmur, and no upgrade leads from it to this one. ' +
        'Start with an empty database (npm start -- --fresh, or another DATABASE_URL), or restore a backup that a release made.',
    )
  return schema
}

/** Migrates an empty database or an earlier schema, inside the client's current transaction. */
export async function applyMigrations(
  client: ClientBase,
  {
    after = 0,
    until = Infinity,
    folder = MIGRATIONS,
  }: { readonly after?: number; readonly until?: number; readonly folder?: string | undefined },
): Promise<void> {
  await client.query(LEDGER)
  await carryOut(
    client,
    readMigrationFiles({ migrationsFolder: folder }).filter(
      ({ folderMillis: at }) => at > after && at <= until,
    ),
  )
}

/** Errors of an idle connection are ignored: the next query on it fails. */
export async function connect(config: ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The SQL that drizzle-kit generates for an index with `.concurrently()`. */
const BESIDE_WRITES = /^(create (?:unique )?index) concurrently (?:if not exists )?"(\w+)"/i

/** @throws {Error} if it contains anything else, because such a migration is no transaction and may be repeated */
export function isBesideWrites({ sql }: Pick<MigrationMeta, 'sql'>): boolean {
  const statements = sql.map(withoutComments).filter(Boolean)
  const indexes = statements.filter((statement) => BESIDE_WRITES.test(statement))
  if (indexes.length > 0 && indexes.length < statements.length)
    throw new Error(`An index that is built beside writes has a migration for itself: ${indexes[0]!}`)
  return indexes.length > 0
}

/** For an empty database or one that is being restored: without concurrent writers a normal build is faster. */
const notBesideWrites = (statement: string): string => {
  const bare = withoutComments(statement)
  return BESIDE_WRITES.test(bare) ? bare.replace(/ concurrently/i, '') : statement
}

/** An interrupted build leaves an invalid index that is maintained but never used: drop it and build again. */
async function buildBesideWrites(client: ClientBase, { sql }: MigrationMeta): Promise<void> {
  await client.query('set statement_timeout = 0')
  for (const statement of sql.map(withoutComments).filter(Boolean)) {
    const [, , name] = BESIDE_WRITES.exec(statement)!
    const state = await indexState(client, name!)
    if (state === 'valid') continue
    if (state === 'invalid') await client.query(`drop index concurrently "${name!}"`)
    await client.query(statement)
  }
  await client.query('reset statement_timeout')
}

async function indexState(client: ClientBase, name: string): Promise<'valid' | 'invalid' | 'none'> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [`"${name}"`],
  )
  if (!rows[0]) return 'none'
  return rows[0].valid ? 'valid' : 'invalid'
}

const withoutComments = (statement: string): string =>
  statement
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
