import { eq, lt } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { providerEvents } from '../../db/schema/orders.ts'

export async function selectEvent(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(eq(providerEvents.id, id))
  return rows.length > 0
}

export async function insertEvent(db: Db, event: typeof providerEvents.$inferInsert): Promise<void> {
  await db.insert(providerEvents).values(event).onConflictDoNothing()
}

/** A job: the provider repeats itself for days, not for months. */
export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await db.delete(providerEvents).where(lt(providerEvents.receivedAt, before))
}
