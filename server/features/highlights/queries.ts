import { and, asc, count, desc, eq, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { highlightHistory, highlights } from '../../db/schema/highlights.ts'
import { books } from '../../db/schema/catalogue.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import type { Written } from '../bookmarks/service.ts'

const columns = {
  id: highlights.id,
  bookId: highlights.bookId,
  slug: books.slug,
  locator: highlights.locator,
  share: highlights.share,
  quote: highlights.quote,
  chapter: highlights.chapter,
  note: highlights.note,
  madeAt: highlights.madeAt,
  changedAt: highlights.changedAt,
  eventId: highlights.eventId,
  deviceId: highlights.deviceId,
  sequence: highlights.sequence,
  removedAt: highlights.removedAt,
}

export type HighlightRow = NonNullable<Awaited<ReturnType<typeof selectHighlight>>>

/** Serializes all changes to an account's highlights until the transaction ends. */
export async function lockHighlights(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`highlights ${userId}`}, 0))`)
}

/** A highlight of this account, including a removed one (`removedAt` is set). */
export async function selectHighlight(db: Db, userId: string, id: string) {
  const [row] = await db
    .select(columns)
    .from(highlights)
    .innerJoin(books, eq(books.id, highlights.bookId))
    .where(and(eq(highlights.userId, userId), eq(highlights.id, id)))
  return row
}

export async function selectHighlights(
  db: Db,
  { userId, slug, page }: { userId: string; slug: string | undefined; page: PageOf },
) {
  const wanted = and(
    eq(highlights.userId, userId),
    isNull(highlights.removedAt),
    slug === undefined ? undefined : eq(books.slug, slug),
  )
  const rows = await db
    .select(columns)
    .from(highlights)
    .innerJoin(books, eq(books.id, highlights.bookId))
    .where(wanted)
    .orderBy(asc(highlights.bookId), asc(highlights.share), asc(highlights.madeAt), asc(highlights.id))
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  const [all] = await db
    .select({ total: count() })
    .from(highlights)
    .innerJoin(books, eq(books.id, highlights.bookId))
    .where(wanted)
  return { rows, total: all!.total }
}

export async function countHighlights(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(highlights)
    .where(and(eq(highlights.userId, userId), isNull(highlights.removedAt)))
  return row!.total
}

export async function selectEBookId(db: Db, slug: string): Promise<number | undefined> {
  const [row] = await db
    .select({ id: books.id })
    .from(books)
    .where(and(eq(books.slug, slug), eq(books.format, 'e_book')))
  return row?.id
}

export async function insertHighlight(db: Db, highlight: typeof highlights.$inferInsert): Promise<void> {
  await db.insert(highlights).values(highlight)
}

export async function updateNote(db: Db, userId: string, id: string, written: Written): Promise<void> {
  await db
    .update(highlights)
    .set(written)
    .where(and(eq(highlights.userId, userId), eq(highlights.id, id)))
}

const HISTORY_KEPT = 50
/** Per account, for all its highlights together: otherwise 2,000 highlights could store 100,000 notes. */
const HISTORY_KEPT_OF_ACCOUNT = 2000

/** Once per event; deletes the oldest entries above both limits. */
export async function insertEarlierNote(
  db: Db,
  { userId, highlightId, ...written }: { userId: string; highlightId: string } & Written,
): Promise<void> {
  const ofHighlight = and(eq(highlightHistory.userId, userId), eq(highlightHistory.highlightId, highlightId))
  if (written.eventId !== null) {
    const [known] = await db
      .select({ id: highlightHistory.id })
      .from(highlightHistory)
      .where(and(ofHighlight, eq(highlightHistory.eventId, written.eventId)))
    if (known) return
  }
  await db.insert(highlightHistory).values({ userId, highlightId, ...written })
  const kept = db
    .select({ id: highlightHistory.id })
    .from(highlightHistory)
    .where(ofHighlight)
    .orderBy(desc(highlightHistory.id))
    .limit(HISTORY_KEPT)
  await db.delete(highlightHistory).where(and(ofHighlight, notInArray(highlightHistory.id, kept)))
  const ofUser = eq(highlightHistory.userId, userId)
  const newest = db
    .select({ id: highlightHistory.id })
    .from(highlightHistory)
    .where(ofUser)
    .orderBy(desc(highlightHistory.id))
    .limit(HISTORY_KEPT_OF_ACCOUNT)
  await db.delete(highlightHistory).where(and(ofUser, notInArray(highlightHistory.id, newest)))
}

export const selectEarlierNotes = (db: Db, userId: string, highlightId: string) =>
  db
    .select({
      note: highlightHistory.note,
      changedAt: highlightHistory.changedAt,
      deviceId: highlightHistory.deviceId,
    })
    .from(highlightHistory)
    .where(and(eq(highlightHistory.userId, userId), eq(highlightHistory.highlightId, highlightId)))
    .orderBy(desc(highlightHistory.changedAt), desc(highlightHistory.id))
    .limit(HISTORY_KEPT)

/** A late repeat of a request arrives within weeks. No account removes 1,000 highlights in that time. */
const REMOVED_KEPT = 1000

/** Keeps the id, so that a late repeat does not create the highlight again. */
export async function markRemoved(db: Db, userId: string, id: string, removedAt: Date): Promise<void> {
  await db
    .delete(highlightHistory)
    .where(and(eq(highlightHistory.userId, userId), eq(highlightHistory.highlightId, id)))
  await db
    .update(highlights)
    .set({ note: '', quote: '', removedAt })
    .where(and(eq(highlights.userId, userId), eq(highlights.id, id)))
  const ofUser = and(eq(highlights.userId, userId), isNotNull(highlights.removedAt))
  const kept = db
    .select({ id: highlights.id })
    .from(highlights)
    .where(ofUser)
    .orderBy(desc(highlights.removedAt), desc(highlights.id))
    .limit(REMOVED_KEPT)
  await db.delete(highlights).where(and(ofUser, notInArray(highlights.id, kept)))
}
