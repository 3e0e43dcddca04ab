import { and, asc, count, desc, eq, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { bookmarkHistory, bookmarks } from '../../db/schema/bookmarks.ts'
import { books } from '../../db/schema/catalogue.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'

const columns = {
  id: bookmarks.id,
  bookId: bookmarks.bookId,
  slug: books.slug,
  chapter: bookmarks.chapter,
  seconds: bookmarks.seconds,
  note: bookmarks.note,
  madeAt: bookmarks.madeAt,
  changedAt: bookmarks.changedAt,
  eventId: bookmarks.eventId,
  deviceId: bookmarks.deviceId,
  sequence: bookmarks.sequence,
  removedAt: bookmarks.removedAt,
}

export type BookmarkRow = NonNullable<Awaited<ReturnType<typeof selectBookmark>>>

/** Serializes all changes to an account's bookmarks until the transaction ends. */
export async function lockBookmarks(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`bookmarks ${userId}`}, 0))`)
}

/** A bookmark of this account, including a removed one (`removedAt` is set). */
export async function selectBookmark(db: Db, userId: string, id: string) {
  const [row] = await db
    .select(columns)
    .from(bookmarks)
    .innerJoin(books, eq(books.id, bookmarks.bookId))
    .where(and(eq(bookmarks.userId, userId), eq(bookmarks.id, id)))
  return row
}

export async function selectBookmarks(
  db: Db,
  { userId, slug, page }: { userId: string; slug: string | undefined; page: PageOf },
) {
  const wanted = and(
    eq(bookmarks.userId, userId),
    isNull(bookmarks.removedAt),
    slug === undefined ? undefined : eq(books.slug, slug),
  )
  const rows = await db
    .select(columns)
    .from(bookmarks)
    .innerJoin(books, eq(books.id, bookmarks.bookId))
    .where(wanted)
    .orderBy(asc(bookmarks.bookId), asc(bookmarks.chapter), asc(bookmarks.seconds), asc(bookmarks.id))
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  const [all] = await db
    .select({ total: count() })
    .from(bookmarks)
    .innerJoin(books, eq(books.id, bookmarks.bookId))
    .where(wanted)
  return { rows, total: all!.total }
}

export async function countBookmarks(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(bookmarks)
    .where(and(eq(bookmarks.userId, userId), isNull(bookmarks.removedAt)))
  return row!.total
}

export async function insertBookmark(db: Db, bookmark: typeof bookmarks.$inferInsert): Promise<void> {
  await db.insert(bookmarks).values(bookmark)
}

export interface Written {
  readonly note: string
  readonly changedAt: Date
  readonly eventId: string | null
  readonly deviceId: string | null
  readonly sequence: number
}

export async function updateNote(db: Db, userId: string, id: string, written: Written): Promise<void> {
  await db
    .update(bookmarks)
    .set(written)
    .where(and(eq(bookmarks.userId, userId), eq(bookmarks.id, id)))
}

const HISTORY_KEPT = 50
/** Per account, for all its bookmarks together: otherwise 2,000 bookmarks could store 100,000 notes. */
const HISTORY_KEPT_OF_ACCOUNT = 2000

/** Once per event; deletes the oldest entries above both limits. */
export async function insertEarlierNote(
  db: Db,
  { userId, bookmarkId, ...written }: { userId: string; bookmarkId: string } & Written,
): Promise<void> {
  const ofBookmark = and(eq(bookmarkHistory.userId, userId), eq(bookmarkHistory.bookmarkId, bookmarkId))
  if (written.eventId !== null) {
    const [known] = await db
      .select({ id: bookmarkHistory.id })
      .from(bookmarkHistory)
      .where(and(ofBookmark, eq(bookmarkHistory.eventId, written.eventId)))
    if (known) return
  }
  await db.insert(bookmarkHistory).values({ userId, bookmarkId, ...written })
  const kept = db
    .select({ id: bookmarkHistory.id })
    .from(bookmarkHistory)
    .where(ofBookmark)
    .orderBy(desc(bookmarkHistory.id))
    .limit(HISTORY_KEPT)
  await db.delete(bookmarkHistory).where(and(ofBookmark, notInArray(bookmarkHistory.id, kept)))
  const ofUser = eq(bookmarkHistory.userId, userId)
  const newest = db
    .select({ id: bookmarkHistory.id })
    .from(bookmarkHistory)
    .where(ofUser)
    .orderBy(desc(bookmarkHistory.id))
    .limit(HISTORY_KEPT_OF_ACCOUNT)
  await db.delete(bookmarkHistory).where(and(ofUser, notInArray(bookmarkHistory.id, newest)))
}

export const selectEarlierNotes = (db: Db, userId: string, bookmarkId: string) =>
  db
    .select({
      note: bookmarkHistory.note,
      changedAt: bookmarkHistory.changedAt,
      deviceId: bookmarkHistory.deviceId,
    })
    .from(bookmarkHistory)
    .where(and(eq(bookmarkHistory.userId, userId), eq(bookmarkHistory.bookmarkId, bookmarkId)))
    .orderBy(desc(bookmarkHistory.changedAt), desc(bookmarkHistory.id))
    .limit(HISTORY_KEPT)

/** A late repeat of a request arrives within weeks. No account removes 1,000 bookmarks in that time. */
const REMOVED_KEPT = 1000

/** Deletes the note and its history but keeps the id, so that a late repeat does not create the bookmark again. */
export async function markRemoved(db: Db, userId: string, id: string, removedAt: Date): Promise<void> {
  await db
    .delete(bookmarkHistory)
    .where(and(eq(bookmarkHistory.userId, userId), eq(bookmarkHistory.bookmarkId, id)))
  await db
    .update(bookmarks)
    .set({ note: '', removedAt })
    .where(and(eq(bookmarks.userId, userId), eq(bookmarks.id, id)))
  const ofUser = and(eq(bookmarks.userId, userId), isNotNull(bookmarks.removedAt))
  const kept = db
    .select({ id: bookmarks.id })
    .from(bookmarks)
    .where(ofUser)
    .orderBy(desc(bookmarks.removedAt), desc(bookmarks.id))
    .limit(REMOVED_KEPT)
  await db.delete(bookmarks).where(and(ofUser, notInArray(bookmarks.id, kept)))
}
