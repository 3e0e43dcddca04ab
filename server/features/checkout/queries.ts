import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { eventCursor, providerEvents } from '../../db/schema/orders.ts'

/** The events that have been handled. */
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
export async function selectSettledUntil(db: Db): Promise<Date | null> {
  const [row] = await db.select().from(eventCursor)
  return row?.settledUntil ?? null
}

export async function noteSettledUntil(db: Db, settledUntil: Date): Promise<void> {
  await db
    .insert(eventCursor)
    .values({ id: 1, settledUntil })
    .onConflictDoUpdate({ target: eventCursor.id, set: { settledUntil } })
}

/** Job: the provider repeats events for days, not for months. */
export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await db.delete(providerEvents).where(lt(providerEvents.receivedAt, before))
}

export async function isEmailOf(db: Db, userId: string, email: string): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), sql`lower(${users.email}) = ${email.toLowerCase()}`))
  return row !== undefined
}
