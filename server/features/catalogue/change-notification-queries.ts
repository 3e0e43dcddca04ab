import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

/** All instances then drop their caches of the catalogue. Delivered when the transaction commits. */
export const CATALOGUE_CHANGED = 'catalogue_changed'

export async function notifyInstances(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${CATALOGUE_CHANGED}, '')`)
}
