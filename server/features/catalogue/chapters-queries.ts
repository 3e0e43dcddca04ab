import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../db/open.ts'
import { books, chapters } from '../../db/schema/catalogue.ts'
import { type Chapter, chapterMoves, measuredMinutes } from './chapters.ts'

export const selectChapters = (db: Db, bookId: number): Promise<Chapter[]> =>
  db
    .select({ title: chapters.title, soundId: chapters.soundId, durationMs: chapters.durationMs })
    .from(chapters)
    .where(eq(chapters.bookId, bookId))
    .orderBy(asc(chapters.number))

/**
 * Replaces a book's chapters, and moves what refers to them by number: places, their history, bookmarks and running
 * sound. What was in a chapter that is gone goes to the start of the next one, or of the last.
 */
export async function writeChapters(
  tx: Transaction,
  bookId: number,
  after: readonly Chapter[],
): Promise<void> {
  const before = await selectChapters(tx, bookId)
  await tx.delete(chapters).where(eq(chapters.bookId, bookId))
  if (after.length === 0) return
  await tx.insert(chapters).values(after.map((chapter, index) => ({ bookId, number: index + 1, ...chapter })))
  const found = chapterMoves(before, after)
  const next = (number: number): number => {
    for (let later = number + 1; later <= before.length; later += 1) {
      const at = found.get(later)
      if (at) return at
    }
    return after.length
  }
  const moves = [...found].map(([from, at]) => ({ from, to: at ?? next(from), gone: at === null }))
  // A replaced sound may be shorter than a place in it.
  const shorter = moves.filter(
    ({ from, to, gone }) => !gone && after[to - 1]!.durationMs < before[from - 1]!.durationMs,
  )
  if (moves.some(({ from, to, gone }) => gone || from !== to) || shorter.length > 0)
    await movePlaces(tx, bookId, moves)
}

async function movePlaces(
  tx: Transaction,
  bookId: number,
  moves: readonly { readonly from: number; readonly to: number; readonly gone: boolean }[],
): Promise<void> {
  const moved = sql`(select m."from", m."to", m.gone, c.duration_ms / 1000.0 as seconds
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m("from" int, "to" int, gone boolean)
    join chapters c on c.book_id = ${bookId} and c.number = m."to") moved`
  const seconds = (column: string) =>
    sql`case when moved.gone then 0 else least(${sql.raw(column)}, moved.seconds) end`
  const last = sql`(select max(number) from chapters where book_id = ${bookId})`
  await tx.execute(sql`
    update place_history p set chapter = moved."to", seconds = ${seconds('p.seconds')} from ${moved}
    where p.book_id = ${bookId} and p.chapter = moved."from" and not (moved.gone and p.chapter > ${last})`)
  // The history keeps a place whose number no other chapter has now.
  await tx.execute(sql`
    insert into place_history (user_id, book_id, chapter, seconds, heard_at, event_id, device_id, sequence, replaced_at)
    select t.user_id, t.book_id, t.chapter, t.seconds, t.heard_at, t.event_id, t.device_id, t.sequence, now()
    from user_audio_book_times t join ${moved} on moved."from" = t.chapter
    where t.book_id = ${bookId} and moved.gone and t.chapter > ${last}`)
  // As an event of the shop: devices take it over, and one that was offline is asked which place is right.
  await tx.execute(sql`
    update user_audio_book_times t set chapter = moved."to", seconds = ${seconds('t.seconds')},
      from_seconds = case when moved.gone then null else least(t.from_seconds, moved.seconds) end,
      event_id = gen_random_uuid(), device_id = null, sequence = 0,
      heard_at = t.heard_at + interval '1 millisecond', updated_at = now()
    from ${moved}
    where t.book_id = ${bookId} and t.chapter = moved."from"
      and (moved.gone or moved."from" <> moved."to" or t.seconds > moved.seconds)`)
  await tx.execute(sql`
    delete from user_chapter_times t using ${moved}
    where t.book_id = ${bookId} and t.chapter = moved."from" and moved.gone`)
  // Through negative numbers, because each number is unique for a listener at every moment.
  await tx.execute(sql`
    update user_chapter_times t set chapter = -moved."to", seconds = least(t.seconds, moved.seconds) from ${moved}
    where t.book_id = ${bookId} and t.chapter = moved."from"`)
  await tx.execute(sql`
    update user_chapter_times set chapter = -chapter where book_id = ${bookId} and chapter < 0`)
  await tx.execute(sql`
    update user_bookmarks b set chapter = moved."to", seconds = ${seconds('b.seconds')} from ${moved}
    where b.book_id = ${bookId} and b.chapter = moved."from"`)
  await tx.execute(sql`
    update sound_claims s set chapter = moved."to", seconds = ${seconds('s.seconds')} from ${moved}
    where s.slug = (select slug from books where id = ${bookId}) and s.chapter = moved."from"`)
}

/** The length that was measured follows the chapters; one that the catalogue gives stays. */
export async function updateMeasuredLength(
  tx: Transaction,
  bookId: number,
  before: readonly Chapter[],
  after: readonly Chapter[],
): Promise<void> {
  await tx
    .update(books)
    .set({ lengthMinutes: measuredMinutes(after) })
    .where(
      sql`${books.id} = ${bookId} and ${books.lengthMinutes} is not distinct from ${measuredMinutes(before)}::int`,
    )
}
