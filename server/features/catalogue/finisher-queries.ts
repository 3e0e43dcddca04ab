import { sql } from 'drizzle-orm'
import { FINISHED_WITHIN_SECONDS } from '#contract/finished.ts'
import type { Db } from '../../db/open.ts'
import { NEWEST } from './queries.ts'

/** Among fewer people, one reader could guess what another one chose. */
const PEOPLE = 10
/** Enough for an order by number, and few enough for a title that half the shop has finished. */
const MOST_FINISHERS = 5_000

/** The titles that most people chose who finished this one: bought, or taken free. */
export async function selectChosenByFinishers(db: Db, bookId: number, max: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    with finishers as materialized (
      select l.user_id
      from (select number, duration_ms from chapters where book_id = ${bookId} order by number desc limit 1) c
      join library_entries l on l.book_id = ${bookId}
      join user_audio_book_times t on t.user_id = l.user_id and t.book_id = ${bookId}
        and t.chapter = c.number and t.seconds >= c.duration_ms / 1000.0 - ${FINISHED_WITHIN_SECONDS}
      where c.duration_ms > 0 limit ${MOST_FINISHERS})
    select b.id
    from (select o.book_id, count(*) as people from finishers f
          join library_entries o on o.user_id = f.user_id
          where o.book_id <> ${bookId} and o.source in ('purchase', 'credit', 'free')
          group by o.book_id having count(*) >= ${PEOPLE}) chosen
    join books b on b.id = chosen.book_id
    where b.format = 'audio_book' and b.sellable
    order by chosen.people desc, ${NEWEST} limit ${max}::int`)
  return rows.map(({ id }) => id)
}
