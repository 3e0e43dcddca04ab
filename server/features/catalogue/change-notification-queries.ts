import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

/** All instances drop what they remember of the catalogue; heard when a transaction commits. */
export const CATALOGUE_CHANGED = 'catalogue_changed'

export async function notifyInstances(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${CATALOGUE_CHANGED}, '')`)
}
