import { and, count, desc, eq, lte, ne, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { books, chapters } from '../../db/schema/catalogue.ts'
import { bookTimes, chapterTimes, placeHistory, soundClaims } from '../../db/schema/listening.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'
import type { RealTime } from '../../clock.ts'
import { type ChapterOffsets, timelineOf } from './place-order.ts'

export async function selectTimelines(db: Db, slugs: readonly string[]): Promise<ChapterOffsets[]> {
  const rows = await db
    .select({
      bookId: books.id,
      slug: books.slug,
      chapter: { number: chapters.number, durationMs: chapters.durationMs, sound: chapters.soundId },
    })
    .from(books)
    .leftJoin(chapters, eq(chapters.bookId, books.id))
    .where(and(eq(books.format, 'audio_book'), sql`${books.slug} = any(${sql.param([...slugs])}::text[])`))
  return [...Map.groupBy(rows, ({ bookId }) => bookId)].map(([bookId, ofBook]) =>
    timelineOf(
      { bookId, slug: ofBook[0]!.slug },
      // Null for a book without chapters.
      ofBook.flatMap(({ chapter }) =>
        chapter ? [{ number: chapter.number, seconds: chapter.durationMs / 1000, sound: chapter.sound }] : [],
      ),
    ),
  )
}

const placeColumns = (table: typeof bookTimes | typeof chapterTimes | typeof placeHistory) => ({
  chapter: table.chapter,
  seconds: table.seconds,
  heardAt: table.heardAt,
  eventId: table.eventId,
  deviceId: table.deviceId,
})

interface Page {
  readonly userId: string
  readonly slug: string | undefined
  readonly page: PageOf
}

export type BookTimeRow = Awaited<ReturnType<typeof selectBookTimes>>['rows'][number]
export type TimeRow = Omit<BookTimeRow, 'fromSeconds' | 'speed' | 'speedChosenAt'>

export async function selectBookTimes(db: Db, { userId, slug, page }: Page) {
  const wanted = and(eq(bookTimes.userId, userId), ofBook(slug))
  const rows = await db
    .select({
      id: bookTimes.id,
      slug: books.slug,
      ...placeColumns(bookTimes),
      fromSeconds: bookTimes.fromSeconds,
      speed: bookTimes.speed,
      speedChosenAt: bookTimes.speedChosenAt,
    })
    .from(bookTimes)
    .innerJoin(books, eq(books.id, bookTimes.bookId))
    .where(wanted)
    .orderBy(desc(bookTimes.heardAt), bookTimes.id)
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  const [all] = await db
    .select({ total: count() })
    .from(bookTimes)
    .innerJoin(books, eq(books.id, bookTimes.bookId))
    .where(wanted)
  return { rows, total: all!.total }
}

export async function selectChapterTimes(db: Db, { userId, slug, page }: Page) {
  const wanted = and(eq(chapterTimes.userId, userId), ofBook(slug))
  const rows = await db
    .select({ id: chapterTimes.id, slug: books.slug, ...placeColumns(chapterTimes) })
    .from(chapterTimes)
    .innerJoin(books, eq(books.id, chapterTimes.bookId))
    .where(wanted)
    .orderBy(chapterTimes.bookId, chapterTimes.chapter)
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  const [all] = await db
    .select({ total: count() })
    .from(chapterTimes)
    .innerJoin(books, eq(books.id, chapterTimes.bookId))
    .where(wanted)
  return { rows, total: all!.total }
}

const ofBook = (slug: string | undefined): SQL | undefined =>
  slug === undefined ? undefined : eq(books.slug, slug)

export type TimeTable = 'book' | 'chapter'

export async function selectBookOfTime(
  db: Db,
  of: TimeTable,
  { id, userId }: { id: string; userId: string },
) {
  const table = of === 'book' ? bookTimes : chapterTimes
  const [row] = await db
    .select({ bookId: table.bookId, slug: books.slug, chapter: table.chapter })
    .from(table)
    .innerJoin(books, eq(books.id, table.bookId))
    .where(and(eq(table.id, id), eq(table.userId, userId)))
  return row
}

/** A later choice wins. Returns the current speed, or undefined if the row belongs to another account. */
export async function writeSpeed(
  db: Db,
  { id, userId, speed, chosenAt }: { id: string; userId: string; speed: number; chosenAt: Date },
) {
  const mine = and(eq(bookTimes.id, id), eq(bookTimes.userId, userId))
  const [taken] = await db
    .update(bookTimes)
    .set({ speed, speedChosenAt: chosenAt })
    .where(
      and(
        mine,
        // Of two speeds chosen in the same millisecond the faster one wins, in any order of arrival.
        sql`(${bookTimes.speedChosenAt} is null
          or (${bookTimes.speedChosenAt}, ${bookTimes.speed}) < (${chosenAt.toISOString()}::timestamptz, ${speed}::float8))`,
      ),
    )
    .returning({ id: bookTimes.id })
  const [holds] = await db
    .select({ slug: books.slug, speed: bookTimes.speed, chosenAt: bookTimes.speedChosenAt })
    .from(bookTimes)
    .innerJoin(books, eq(books.id, bookTimes.bookId))
    .where(mine)
  return holds && { ...holds, isTaken: taken !== undefined }
}

export async function selectHistory(db: Db, { userId, bookId }: { userId: string; bookId: number }) {
  return db
    .select(placeColumns(placeHistory))
    .from(placeHistory)
    .where(and(eq(placeHistory.userId, userId), eq(placeHistory.bookId, bookId)))
    .orderBy(desc(placeHistory.id))
    .limit(50)
}

/** Devices keep unsent events for weeks. After a month, a repeat is an old new event, and loses. */
const EVENTS_KEPT_MS = 30 * 24 * 3_600_000

/** Keeps each transaction short. */
const CLEARED_AT_ONCE = 5_000

export async function clearOldEvents(db: Db, now: RealTime): Promise<void> {
  const before = new Date(now.getTime() - EVENTS_KEPT_MS).toISOString()
  for (;;) {
    const { rowCount } = await db.execute(sql`
      delete from listening_events where ctid = any(array(
        select ctid from listening_events where received_at < ${before}::timestamptz limit ${CLEARED_AT_ONCE}
      ))`)
    if ((rowCount ?? 0) < CLEARED_AT_ONCE) return
  }
}

/** `startedAt` is server time. */
export interface Claim {
  readonly claimId: string
  readonly deviceId: string
  readonly slug: string
  readonly chapter: number
  readonly seconds: number
  readonly startedAt: Date
}

/** False if the claim is already stored, or another one started later. */
export async function storeClaim(db: Db, userId: string, claim: Claim): Promise<boolean> {
  const kept = await db
    .insert(soundClaims)
    .values({ userId, ...claim })
    .onConflictDoUpdate({
      target: soundClaims.userId,
      set: claim,
      setWhere: sql`${ne(soundClaims.claimId, claim.claimId)} and ${lte(soundClaims.startedAt, claim.startedAt)}`,
    })
    .returning({ claimId: soundClaims.claimId })
  return kept.length > 0
}

export async function selectClaim(db: Db, userId: string): Promise<Claim | undefined> {
  const [row] = await db.select(CLAIM).from(soundClaims).where(eq(soundClaims.userId, userId))
  return row
}

export async function deleteClaim(db: Db, userId: string, claimId: string): Promise<boolean> {
  const gone = await db
    .delete(soundClaims)
    .where(and(eq(soundClaims.userId, userId), eq(soundClaims.claimId, claimId)))
    .returning({ claimId: soundClaims.claimId })
  return gone.length > 0
}

const CLAIM = {
  claimId: soundClaims.claimId,
  deviceId: soundClaims.deviceId,
  slug: soundClaims.slug,
  chapter: soundClaims.chapter,
  seconds: soundClaims.seconds,
  startedAt: soundClaims.startedAt,
}
