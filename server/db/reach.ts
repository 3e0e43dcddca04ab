import { sql } from 'drizzle-orm'
import type { Db } from './open.ts'

/** @throws if the database does not answer */
export async function reachDatabase(db: Db): Promise<void> {
  await db.execute(sql`select 1`)
}
