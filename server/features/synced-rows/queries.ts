import { and, desc, eq, isNotNull, notInArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'

export type SyncedTable = PgTable & Readonly<Record<'userId' | 'id' | 'removedAt', PgColumn>>

/** Serializes all changes to an account's rows of this kind until the transaction ends. */
export async function lockRows(
  tx: Db,
  kind: 'bookmarks' | 'highlights' | 'lists',
  userId: string,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${userId}`}, 0))`)
}

/** A late repeat arrives within weeks: `kept` is more than an account removes in that time. */
export async function deleteOldRemovals(
  db: Db,
  table: SyncedTable,
  userId: string,
  kept: number,
): Promise<void> {
  const removed = and(eq(table.userId, userId), isNotNull(table.removedAt))
  const newest = db
    .select({ id: table.id })
    .from(table)
    .where(removed)
    .orderBy(desc(table.removedAt), desc(table.id))
    .limit(kept)
  await db.delete(table).where(and(removed, notInArray(table.id, newest)))
}

export async function selectBookId(
  db: Db,
  format: 'audio_book' | 'e_book',
  slug: string,
): Promise<number | undefined> {
  const [book] = await db
    .select({ id: books.id })
    .from(books)
    .where(and(eq(books.format, format), eq(books.slug, slug)))
  return book?.id
}
