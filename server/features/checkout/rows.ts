import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
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

export async function isEmailOf(db: Db, userId: string, email: string): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), sql`lower(${users.email}) = ${email.toLowerCase()}`))
  return row !== undefined
}
