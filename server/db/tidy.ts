import { sql } from 'drizzle-orm'
import type { Db } from './open.ts'

/**
 * Sweeps deleted rows and refreshes what the planner knows, table by table, so that others get their turn
 * between two tables. The embedded database has no background process that would; for a nightly job.
 */
export async function tidy(db: Db): Promise<void> {
  const tables = await db.execute<{ name: string }>(
    sql`SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables ORDER BY relid`,
  )
  for (const { name } of tables.rows) await db.execute(sql.raw(`VACUUM (ANALYZE) ${name}`))
}
