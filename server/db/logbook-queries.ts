import { desc, eq, or } from 'drizzle-orm'
import type { Db } from './open.ts'
import { logbook } from './schema/logbook.ts'

export type LogbookEntry = typeof logbook.$inferSelect

export async function insertEntry(db: Db, entry: typeof logbook.$inferInsert): Promise<number> {
  const [row] = await db.insert(logbook).values(entry).returning({ id: logbook.id })
  return row!.id
}

export async function noteOutcome(
  db: Db,
  id: number,
  outcome: NonNullable<LogbookEntry['outcome']>,
): Promise<void> {
  await db.update(logbook).set({ outcome }).where(eq(logbook.id, id))
}

export const selectEntries = (
  db: Db,
  { about, userId }: { readonly about?: string; readonly userId?: string },
  limit = 20,
): Promise<LogbookEntry[]> =>
  db
    .select()
    .from(logbook)
    .where(or(about ? eq(logbook.about, about) : undefined, userId ? eq(logbook.userId, userId) : undefined))
    .orderBy(desc(logbook.id))
    .limit(limit)

/** For a closed account: keeps what was done and erases why, and the values. */
export async function forgetReasons(tx: Db, userId: string): Promise<void> {
  await tx.update(logbook).set({ because: '', before: null, after: null }).where(eq(logbook.userId, userId))
}
