import { inArray, lt } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { eventCursor, providerEvents } from '../../db/schema/orders.ts'

export async function selectKnownEvents(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(inArray(providerEvents.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

export async function insertEvents(
  db: Db,
  events: readonly (typeof providerEvents.$inferInsert)[],
): Promise<void> {
  await db
    .insert(providerEvents)
    .values([...events])
    .onConflictDoNothing()
}

/** All events until this time, by the provider's clock, have been handled. */
export async function selectEventCursor(db: Db): Promise<Date | null> {
  const [row] = await db.select().from(eventCursor)
  return row?.settledUntil ?? null
}

export async function storeEventCursor(db: Db, settledUntil: Date): Promise<void> {
  await db
    .insert(eventCursor)
    .values({ id: 1, settledUntil })
    .onConflictDoUpdate({ target: eventCursor.id, set: { settledUntil } })
}

/** Job: the provider repeats events for days, not for months. */
export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await db.delete(providerEvents).where(lt(providerEvents.receivedAt, before))
}
