import { sql, type SQL } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { LAST_OF_SERIES } from '../catalogue/queries.ts'

export interface SummaryRow extends Record<string, unknown> {
  id: number
  slug: string
  title: string
  titles: number
  last: number | null
  /** Names of the authors of its listed titles, separated by spaces. */
  authors: string
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
          and (m.number = g.number or lower(b.title) = lower(g.title)))) as titles,
      coalesce((select string_agg(distinct p.first_name || ' ' || p.last_name, ' ') from book_series m
        join books b on b.id = m.book_id join book_people bp on bp.book_id = b.id and bp.role = 'author'
        join people p on p.id = bp.person_id
        where m.series_id = s.id and b.sellable is not null), '') as authors
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

/** Neither books on sale nor their other formats count as the next title. */
const KNOWN_BOOKS = sql`
  array(select each.id from book_series m join books b on b.id = m.book_id
    cross join lateral (values (b.id), (b.counterpart_id)) each(id)
    where m.series_id = s.id and b.sellable and each.id is not null)`

interface NotificationRequest extends Record<string, unknown> {
  title: string
  token: string | null
}

export async function insertNotification(
  db: Db,
  slug: string,
  email: string,
  now: RealTime,
): Promise<NotificationRequest | undefined> {
  const { rows } = await db.execute<NotificationRequest>(sql`
    with asked as (
      insert into series_notices (series_id, email, asked_at, known_book_ids)
      select s.id, ${email.toLowerCase()}, ${now.toISOString()}::timestamptz, ${KNOWN_BOOKS} from series s where s.slug = ${slug}
      on conflict (series_id, email) do update set known_book_ids = excluded.known_book_ids
        where series_notices.confirmed_at is null
      returning token)
    select s.title, (select token from asked) as token from series s where s.slug = ${slug}`)
  return rows[0]
}

export async function updateConfirmed(db: Db, token: string, now: RealTime): Promise<void> {
  await db.execute(sql`
    update series_notices set confirmed_at = ${now.toISOString()}::timestamptz
    where token = ${token}::uuid and confirmed_at is null`)
}

export async function deleteNotification(db: Db, token: string): Promise<boolean> {
  const { rows } = await db.execute(
    sql`delete from series_notices where token = ${token}::uuid returning token`,
  )
  return rows.length > 0
}

export async function deleteUnconfirmed(db: Db, askedBefore: Date): Promise<void> {
  await db.execute(sql`
    delete from series_notices where confirmed_at is null and asked_at < ${askedBefore.toISOString()}::timestamptz`)
}

export interface DueNotification extends Record<string, unknown> {
  token: string
  email: string
  series: string
  bookId: number
  title: string
  format: 'audio_book' | 'e_book'
  slug: string
  number: string | null
}

/** Confirmed requests, each with the first new title on sale. */
export async function selectDueNotifications(db: Db, { after, limit }: Page): Promise<DueNotification[]> {
  const { rows } = await db.execute<DueNotification>(sql`
    select n.token, n.email, s.title as series, next.id as "bookId", next.title, next.format, next.slug, next.number
    from series_notices n join series s on s.id = n.series_id
    cross join lateral (
      select b.id, b.title, b.format, b.slug, m.number from book_series m join books b on b.id = m.book_id
      where m.series_id = n.series_id and b.sellable and b.id <> all(n.known_book_ids)
        and (b.counterpart_id is null or b.counterpart_id <> all(n.known_book_ids))
      order by b.format, b.id limit 1) next
    where n.confirmed_at is not null and (${after}::uuid is null or n.token > ${after}::uuid)
    order by n.token limit ${limit}::int`)
  return rows
}
