import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { libraryEntries } from '../../db/schema/library.ts'
import { mediaFiles } from '../../db/schema/media.ts'

export type Source = (typeof libraryEntries.$inferInsert)['source']

export interface EntryRow extends Record<string, unknown> {
  id: string
  book_id: number
  added_at: string
  /** In the order of the chapters; empty for an e-book. */
  chapter_ms: number[]
  /** In the same order. */
  chapter_titles: string[]
}

export async function selectEntries(
  db: Db,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<EntryRow[]> {
  const { rows } = await db.execute<EntryRow>(sql`
    select id, book_id, to_char(added_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as added_at,
      array(select duration_ms from chapters where chapters.book_id = library_entries.book_id order by number) as chapter_ms,
      array(select title from chapters where chapters.book_id = library_entries.book_id order by number) as chapter_titles
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

export async function ownsBook(db: Db, userId: string, bookId: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select from library_entries where user_id = ${userId}::uuid and book_id = ${bookId}`,
  )
  return rows.length > 0
}

export interface FileDue extends Record<string, unknown> {
  entryId: string
  userId: string
  owner: string
  slug: string
  sourceId: string
}

export async function selectFilesDue(db: Db, failedBefore: Date, limit: number): Promise<FileDue[]> {
  const { rows } = await db.execute<FileDue>(sql`
    select l.id as "entryId", l.user_id as "userId", trim(u.first_name || ' ' || u.last_name) as owner,
      b.slug, b.file_id as "sourceId"
    from library_entries l join books b on b.id = l.book_id join users u on u.id = l.user_id
    where b.made_after_purchase and b.file_id is not null and l.file_id is null
      and (l.file_failed_at is null or l.file_failed_at < ${failedBefore.toISOString()}::timestamptz)
    order by l.added_at, l.id limit ${limit}::int`)
  return rows
}

export async function noteFileProblem(
  db: Db,
  entryId: string,
  problem: { fileFailedAt: Date; fileProblem: string },
): Promise<void> {
  await db.update(libraryEntries).set(problem).where(eq(libraryEntries.id, entryId))
}

/** False if another instance stored a copy first, or the entry was deleted. */
export async function storeOwnFile(
  db: Db,
  entryId: string,
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<boolean> {
  await db.insert(mediaFiles).values({ sha256, extension: 'epub', bytes }).onConflictDoNothing()
  const kept = await db
    .update(libraryEntries)
    .set({ fileId: sha256, fileFailedAt: null, fileProblem: null })
    .where(and(eq(libraryEntries.id, entryId), isNull(libraryEntries.fileId)))
    .returning({ id: libraryEntries.id })
  return kept.length > 0
}

export async function selectMadeAfterPurchase(db: Db, bookId: number): Promise<boolean> {
  const { rows } = await db.execute(sql`select from books where id = ${bookId} and made_after_purchase`)
  return rows.length > 0
}

export async function notifyOwnFileDue(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${OWN_FILE_DUE}, '')`)
}

/** Notified when an account gets an e-book whose file is made per owner. */
export const OWN_FILE_DUE = 'own_file_due'

export interface FreeCopies {
  readonly userId: string
  readonly bookIds: readonly number[]
}

const isFreeCopy = ({ userId, bookIds }: FreeCopies) =>
  and(
    eq(libraryEntries.userId, userId),
    inArray(libraryEntries.bookId, [...bookIds]),
    eq(libraryEntries.source, 'owner'),
  )

export const selectFreeCopies = (db: Db, copies: FreeCopies): Promise<{ id: string }[]> =>
  db.select({ id: libraryEntries.id }).from(libraryEntries).where(isFreeCopy(copies))

export async function deleteFreeCopies(db: Db, copies: FreeCopies): Promise<number> {
  const taken = await db.delete(libraryEntries).where(isFreeCopy(copies)).returning({ id: libraryEntries.id })
  return taken.length
}
