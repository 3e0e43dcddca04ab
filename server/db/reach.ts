import { sql } from 'drizzle-orm'
import type { Db } from './open.ts'

export async function reachDatabase(db: Db): Promise<void> {
  await db.execute(sql`select 1`)
}
