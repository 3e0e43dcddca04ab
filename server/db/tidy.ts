import { sql } from 'drizzle-orm'
import type { Db } from './open.ts'

/**
 * Clears out deleted rows and refreshes the planner's statistics, table by table, so that others get their turn in
 * between. For a nightly job: the embedded database has no background process that does it.
 */
export async function tidy(db: Db): Promise<void> {
  const tables = await db.execute<{ name: string }>(
    sql`SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables ORDER BY relid`,
  )
  for (const { name } of tables.rows) await db.execute(sql.raw(`VACUUM (ANALYZE) ${name}`))
}
