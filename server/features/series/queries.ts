import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { LAST_OF_SERIES } from '../catalogue/filter-series-queries.ts'

export interface SummaryRow extends Record<string, unknown> {
  id: number
  slug: string
  title: string
  titles: number
  last: number | null
}

interface Placed {
  readonly number: string | null
  readonly published: number | null
  readonly story: number | null
  readonly title: string
}

export interface Member extends Placed {
  readonly bookId: number
  readonly format: 'audio_book' | 'e_book'
  readonly counterpartId: number | null
  readonly firstPublished: string | null
  /** Null if the title can be bought. */
  readonly preorder: string | null
  /** In the order of the chapters; empty for an e-book. */
  readonly chapterMs: readonly number[]
  /** The book is listed. Otherwise only its owners can see it. */
  readonly listed: boolean
}

export interface Gap extends Placed {
  readonly comesOut: string | null
}

export interface SeriesRow extends Record<string, unknown> {
  id: number
  slug: string
  title: string
  last: number | null
  members: Member[]
  gaps: Gap[]
}

export async function selectSummaries(db: Db): Promise<SummaryRow[]> {
  const { rows } = await db.execute<SummaryRow>(sql`
    select s.id, s.slug, s.title, ${sql.raw(LAST_OF_SERIES)} as last, listed.works + (
      select count(*)::int from series_gaps g where g.series_id = s.id and not exists (
        select from book_series m join books b on b.id = m.book_id
        where m.series_id = s.id and b.sellable is not null
          and (m.number = g.number or lower(b.title) = lower(g.title)))) as titles
    from series s join (
      select m.series_id, count(distinct least(b.id, coalesce(b.counterpart_id, b.id)))::int as works
      from book_series m join books b on b.id = m.book_id where b.sellable is not null group by m.series_id
    ) listed on listed.series_id = s.id
    order by lower(s.title), s.id`)
  return rows
}

export async function selectSeries(db: Db, slug: string): Promise<SeriesRow | undefined> {
  const { rows } = await db.execute<SeriesRow>(seriesWhere(sql`s.slug = ${slug}`))
  return rows[0]
}

/** In no particular order. */
export async function selectSeveralSeries(db: Db, seriesIds: readonly number[]): Promise<SeriesRow[]> {
  const { rows } = await db.execute<SeriesRow>(
    seriesWhere(sql`s.id = any(${sql.param([...seriesIds])}::int[])`),
  )
  return rows
}

const seriesWhere = (condition: SQL): SQL => sql`
    select s.id, s.slug, s.title, ${sql.raw(LAST_OF_SERIES)} as last,
      coalesce((select json_agg(json_build_object('bookId', b.id, 'format', b.format, 'counterpartId', b.counterpart_id,
          'title', b.title, 'number', m.number, 'published', m.published, 'story', m.story,
          'firstPublished', to_char(b.first_published, 'YYYY-MM-DD'),
          'preorder', case when b.sellable is not true then to_char(b.preorder, 'YYYY-MM-DD') end,
          'chapterMs', array(select c.duration_ms from chapters c where c.book_id = b.id order by c.number),
          'listed', b.sellable is not null) order by b.id)
        from book_series m join books b on b.id = m.book_id where m.series_id = s.id), '[]'::json) as members,
      coalesce((select json_agg(json_build_object('title', g.title, 'number', g.number, 'published', g.published,
          'story', g.story, 'comesOut', to_char(g.comes_out, 'YYYY-MM-DD')) order by g.position)
        from series_gaps g where g.series_id = s.id), '[]'::json) as gaps
    from series s where ${condition}`
