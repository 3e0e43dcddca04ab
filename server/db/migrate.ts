import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as apply } from 'drizzle-orm/node-postgres/migrator'
import { fileURLToPath } from 'node:url'
import pg, { type ClientConfig } from 'pg'

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

async function connect(config: ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // A lost connection also fails the query that needs it.
  client.on('error', () => {})
  await client.connect()
  return client
}
