import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as apply } from 'drizzle-orm/node-postgres/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg, { type ClientBase, type ClientConfig, type Pool } from 'pg'

export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** An arbitrary number that none of our other locks use. */
const MIGRATION_LOCK = 7_305_511

/**
 * Brings the schema up to date; a schema that is ahead of this code is left as it is. Runs before the
 * pool opens, since a statement prepared before a change of its table fails once after it.
 */
export async function migrate(config: ClientConfig, folder: string = MIGRATIONS): Promise<void> {
  const client = await connect(config)
  try {
    await apply(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end()
  }
}

/**
 * The same where several instances may start together: one of them migrates, the others wait and find
 * nothing to do.
 */
export async function migrateAlone(config: ClientConfig, folder: string = MIGRATIONS): Promise<void> {
  // On a connection of its own, because the migrator commits by itself; held by the transaction, not the
  // session, so that it works through a pooler.
  const guard = await connect(config)
  try {
    await guard.query('BEGIN')
    await guard.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await migrate(config, folder)
    await guard.query('COMMIT')
  } finally {
    await guard.end()
  }
}

/** Each release has one schema, named by the moment at which its last migration was written. */
export const schemaOfRelease = (): number =>
  readMigrationFiles({ migrationsFolder: MIGRATIONS }).at(-1)!.folderMillis

/** Names of the migrations that a database still lacks, in their order. */
export async function pendingMigrations({ pool }: { readonly pool: Pool }): Promise<string[]> {
  const client = await pool.connect()
  try {
    const schema = await selectSchema(client)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by drizzle-kit
    const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
      entries: { when: number; tag: string }[]
    }
    return entries.filter(({ when }) => when > schema).map(({ tag }) => tag)
  } finally {
    client.release()
  }
}

/** The schema that a database has; 0 for one that holds no shop. */
export async function selectSchema(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (!rows[0]?.exists) return 0
  const last = await client.query<{ at: string | null }>(
    'select max(created_at)::text as at from drizzle.__drizzle_migrations',
  )
  return Number(last.rows[0]?.at ?? 0)
}

/** Brings an empty database to the schema of an earlier release, and then on, inside the transaction that the client is in. */
export async function applyMigrations(
  client: ClientBase,
  { after = 0, until = Infinity }: { readonly after?: number; readonly until?: number },
): Promise<void> {
  // As the migrator makes it.
  await client.query(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
  for (const { sql, folderMillis: at, hash } of readMigrationFiles({ migrationsFolder: MIGRATIONS })) {
    if (at <= after || at > until) continue
    for (const statement of sql) await client.query(statement)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      at,
    ])
  }
}

/** A connection of its own. A lost one also fails the query that needs it. */
export async function connect(config: ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}
