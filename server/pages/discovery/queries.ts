import { sql } from 'drizzle-orm'
import type { ShopPart } from '#contract/shop-details.ts'
import type { Db } from '../../db/open.ts'

export interface BookAddress extends Record<string, unknown> {
  id: number
  format: 'audio_book' | 'e_book'
  slug: string
  changed: string
}

export async function selectBookAddresses(db: Db, afterId: number, limit: number): Promise<BookAddress[]> {
  const { rows } = await db.execute<BookAddress>(sql`
    select id, format, slug, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') as changed from books
    where id > ${afterId} and sellable order by id limit ${limit}::int`)
  return rows
}

export async function selectPieceStarts(db: Db, size: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select before as id from (
      select row_number() over (order by id) as place, lag(id, 1, 0) over (order by id) as before
      from books where sellable
    ) numbered where (place - 1) % ${size}::int = 0 order by id limit 1000`)
  return rows.map(({ id }) => id)
}

export interface ItemAddress extends Record<string, unknown> {
  kind: 'article' | 'interview' | 'discussion'
  slug: string
  changed: string
}

export async function selectItemAddresses(db: Db): Promise<ItemAddress[]> {
  const { rows } = await db.execute<ItemAddress>(sql`
    select kind, slug, to_char(published_at at time zone 'UTC', 'YYYY-MM-DD') as changed
    from editorial_items where published order by id limit 40000`)
  return rows
}

export interface PageSlugs {
  readonly pages: string[]
  readonly publishers: string[]
  readonly series: string[]
}

export async function selectPageSlugs(db: Db, without: readonly ShopPart[]): Promise<PageSlugs> {
  const [pages, publishers, series] = await Promise.all([
    db.execute<{ slug: string }>(sql`
      select slug from info_pages where part is null or part <> all(${sql.param([...without])}::text[])
      order by slug limit 1000`),
    db.execute<{ slug: string }>(sql`select slug from publishers order by slug limit 5000`),
    db.execute<{ slug: string }>(sql`
      select slug from series s where exists (
        select from book_series m join books b on b.id = m.book_id where m.series_id = s.id and b.sellable is not null)
      order by slug limit 10000`),
  ])
  const slugs = ({ rows }: { rows: { slug: string }[] }) => rows.map(({ slug }) => slug)
  return { pages: slugs(pages), publishers: slugs(publishers), series: slugs(series) }
}

const IS_SEEN = sql.raw(`p.slug is not null and exists (
  select from book_people bp join books b on b.id = bp.book_id where bp.person_id = p.id and b.sellable is not null)`)

export async function selectPeopleSlugs(db: Db, afterId: number, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ slug: string }>(sql`
    select p.slug from people p where p.id > ${afterId} and ${IS_SEEN} order by p.id limit ${limit}::int`)
  return rows.map(({ slug }) => slug)
}

export async function selectPeoplePieces(db: Db, size: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select before as id from (
      select row_number() over (order by p.id) as place, lag(p.id, 1, 0) over (order by p.id) as before
      from people p where ${IS_SEEN}
    ) numbered where (place - 1) % ${size}::int = 0 order by id limit 1000`)
  return rows.map(({ id }) => id)
}

export interface FeedItem extends Record<string, unknown> {
  slug: string
  title: string
  short_description: string
  published_at: string
  author: string | null
  summary: string
  main: string
  /** Null unless the recording is open to everyone. */
  audio_id: string | null
  audio_extension: string | null
  audio_bytes: number | null
  audio_ms: number | null
}

export async function selectFeedItems(
  db: Db,
  kind: 'article' | 'interview',
  limit: number,
): Promise<FeedItem[]> {
  const { rows } = await db.execute<FeedItem>(sql`
    select e.slug, e.title, e.short_description, e.summary, e.main,
      to_char(e.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as published_at,
      case when e.hide_author then null else trim(a.first_name || ' ' || a.last_name) end as author,
      m.sha256 as audio_id, m.extension as audio_extension, m.bytes as audio_bytes,
      m.duration_ms as audio_ms
    from editorial_items e
    left join editorial_authors a on a.id = e.author_id
    left join media_files m on m.sha256 = e.audio_id and not e.member_only
    where e.kind = ${kind} and e.published order by e.published_at desc, e.id desc limit ${limit}::int`)
  return rows
}

interface EventDay extends Record<string, unknown> {
  id: number
  title: string
  starts_at: string
  ends_at: string | null
  place: string | null
  place_note: string | null
}

export async function selectEventDay(db: Db, slug: string): Promise<EventDay | undefined> {
  const { rows } = await db.execute<EventDay>(sql`
    select id, title, place, place_note, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at,
      to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ends_at
    from editorial_items where kind = 'discussion' and slug = ${slug} and published and starts_at is not null`)
  return rows[0]
}

/** Empty for a book that is not on sale: its title is not public, but an owner may have it. */
export async function selectBookName(
  db: Db,
  { format, slug }: Pick<BookAddress, 'format' | 'slug'>,
): Promise<string | undefined> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select case when sellable then title else '' end as name from books
    where format = ${format} and slug = ${slug} limit 1`)
  return rows[0]?.name
}
