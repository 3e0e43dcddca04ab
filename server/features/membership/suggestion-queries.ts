import { sql } from 'drizzle-orm'
import { FINISHED_WITHIN_SECONDS, READ_FROM } from '#contract/finished.ts'
import type { Db } from '../../db/open.ts'

export const SUGGESTIONS = 3

/** What a suggested audiobook has in common with a title that the member finished. */
export interface Shared {
  readonly kind: 'series' | 'author' | 'narrator' | 'tag'
  readonly name: string
  readonly finished: string
}

export interface Suggestion {
  readonly bookId: number
  /** Null for a member who finished nothing similar. */
  readonly shared: Shared | null
}

interface SuggestionRow extends Record<string, unknown> {
  readonly id: number
  readonly kind: Shared['kind'] | null
  readonly name: string | null
  readonly finished: string | null
}

/**
 * Current highlights and editions that the member doesn't own: the most similar to what they finished first, then the
 * newest. Only titles that are sold everywhere, because an email doesn't know where it is read.
 */
export async function selectSuggestions(db: Db, userId: string, limit = SUGGESTIONS): Promise<Suggestion[]> {
  const { rows } = await db.execute<SuggestionRow>(sql`
    with finished as materialized (
      select t.book_id from user_audio_book_times t
      join lateral (select number, duration_ms from chapters where book_id = t.book_id
        order by number desc limit 1) c
        on c.number = t.chapter and c.duration_ms > 0
          and t.seconds >= c.duration_ms / 1000.0 - ${FINISHED_WITHIN_SECONDS}
      where t.user_id = ${userId}::uuid
      union select book_id from user_e_book_places where user_id = ${userId}::uuid and share >= ${READ_FROM}),
    candidates as materialized (
      select b.id, b.second_edition, b.listed_at from books b
      where (b.second_edition or b.edition) and b.sellable and b.format = 'audio_book'
        and b.blocked_countries = '{}'
        and not exists (select from library_entries l where l.book_id = b.id and l.user_id = ${userId}::uuid)),
    shared as (
      select one.book_id as id, 'series' as kind, 8 as weight, s.title as name, f.book_id as finished
      from finished f join book_series other on other.book_id = f.book_id
      join book_series one on one.series_id = other.series_id join series s on s.id = one.series_id
      union
      select one.book_id, one.role, case one.role when 'author' then 4 else 3 end,
        trim(p.first_name || ' ' || p.last_name), f.book_id
      from finished f join book_people other on other.book_id = f.book_id
      join book_people one on one.person_id = other.person_id and one.role = other.role
      join people p on p.id = one.person_id
      union
      select one.book_id, 'tag', 1, t.title, f.book_id
      from finished f join book_tags other on other.book_id = f.book_id
      join book_tags one on one.tag_id = other.tag_id join tags t on t.id = one.tag_id),
    scores as (
      select id, sum(weight) as score from (select distinct id, kind, name, weight from shared) each group by id),
    reasons as (
      select distinct on (id) id, kind, name, finished from shared order by id, weight desc, name, finished)
    select c.id, r.kind, r.name, f.title as finished
    from candidates c left join scores s on s.id = c.id left join reasons r on r.id = c.id
    left join books f on f.id = r.finished
    order by coalesce(s.score, 0) desc, c.listed_at desc, c.id desc limit ${limit}`)
  return rows.map(({ id, kind, name, finished }) => ({
    bookId: id,
    shared: kind === null ? null : { kind, name: name!, finished: finished! },
  }))
}
