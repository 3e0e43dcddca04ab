import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { libraryEntries } from '../../db/schema/library.ts'

export interface EntryRow extends Record<string, unknown> {
  id: string
  book_id: number
  added_at: string
  /** In the order of the chapters; empty for an e-book. */
  chapter_ms: number[]
}

/** Newest first. */
export async function selectEntries(
  db: Db,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<EntryRow[]> {
  const { rows } = await db.execute<EntryRow>(sql`
    select id, book_id, to_char(added_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as added_at,
      array(select duration_ms from chapters where chapters.book_id = library_entries.book_id order by number) as chapter_ms
    from library_entries where user_id = ${userId}::uuid
    order by library_entries.added_at desc nulls last, id limit ${limit}::int offset ${offset}::int`)
  return rows
}

export async function countEntries(db: Db, userId: string): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from library_entries where user_id = ${userId}::uuid`,
  )
  return rows[0]?.total ?? 0
}

/** The id of the new entry; null where the title was there already. */
export async function insertEntry(db: Db, entry: typeof libraryEntries.$inferInsert): Promise<string | null> {
  const inserted = await db
    .insert(libraryEntries)
    .values(entry)
    .onConflictDoNothing({ target: [libraryEntries.userId, libraryEntries.bookId] })
    .returning({ id: libraryEntries.id })
  return inserted[0]?.id ?? null
}

export async function deleteEntry(db: Db, id: string): Promise<void> {
  await db.delete(libraryEntries).where(eq(libraryEntries.id, id))
}

export async function selectOwned(db: Db, userId: string, bookId: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from library_entries where user_id = ${userId}::uuid and book_id = ${bookId}`,
  )
  return rows.length > 0
}
