import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { LinkRow } from '../catalogue/queries.ts'

export type EditorialKind = 'article' | 'interview' | 'discussion'

export interface EditorialFilter {
  readonly kinds?: readonly EditorialKind[]
  readonly types?: readonly number[]
  readonly featured?: true
  readonly special?: true
  readonly ids?: readonly number[]
}

export interface CardRow extends LinkRow {
  id: number
  summary: string
  placeholder: string | null
  featured: boolean
  member_only: boolean
  minimum_tier: 'supporter' | 'reader' | null
  hide_author: boolean
  first_name: string | null
  last_name: string | null
  author_picture_id: string | null
  biography: string | null
  category: string | null
  type_id: number | null
  type: string | null
  /** ISO 8601 in UTC. */
  published_at: string
  starts_at: string | null
  has_audio: boolean
  has_video: boolean
}

export interface ItemRow extends CardRow {
  main: string
  video_link: string | null
  audio_id: string | null
  audio_extension: string | null
  audio_ms: number | null
  link: string | null
  link_title: string | null
  ends_at: string | null
  place: string | null
  place_note: string | null
  admission: string | null
  good_to_know: string[]
  seats: number | null
  background_colour: string | null
  container_colour: string | null
  text_colour: string | null
  parts: { seconds: number; title: string }[] | null
  meta_description: string | null
  meta_keywords: string | null
}

const instant = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

const CARD_COLUMNS = sql`
  e.id, e.kind, e.slug, e.title, e.summary, e.short_description, e.picture_id, c.placeholder, e.alt_text,
  e.featured, e.member_only, e.minimum_tier, e.hide_author,
  a.first_name, a.last_name, a.picture_id as author_picture_id, a.biography,
  k.name as category, e.type_id, t.title as type,
  ${instant(sql`e.published_at`)} as published_at, ${instant(sql`e.starts_at`)} as starts_at,
  e.audio_id is not null as has_audio, e.video_link is not null as has_video`

const ITEMS_FROM = sql`
  editorial_items e
  left join covers c on c.id = e.picture_id
  left join editorial_authors a on a.id = e.author_id
  left join editorial_categories k on k.id = e.category_id
  left join murmuration_types t on t.id = e.type_id`

interface Slice {
  readonly offset: number
  readonly limit: number
}

export type Order = 'newest' | 'oldest' | 'title' | 'title from the end'
const ORDERS: Record<Order, SQL> = {
  newest: sql`e.published_at desc, e.id desc`,
  oldest: sql`e.published_at, e.id`,
  title: sql`lower(e.title), e.id`,
  'title from the end': sql`lower(e.title) desc, e.id desc`,
}

export async function selectItems(
  db: Db,
  filter: EditorialFilter,
  { offset, limit }: Slice,
  order: Order = 'newest',
): Promise<CardRow[]> {
  const { rows } = await db.execute<CardRow>(sql`
    select ${CARD_COLUMNS} from ${ITEMS_FROM} where ${itemCondition(filter)}
    order by ${ORDERS[order]} limit ${limit}::int offset ${offset}::int`)
  return rows
}

export async function countItems(db: Db, filter: EditorialFilter): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from editorial_items e where ${itemCondition(filter)}`,
  )
  return rows[0]?.total ?? 0
}

export async function selectItem(db: Db, kind: EditorialKind, slug: string): Promise<ItemRow | undefined> {
  const { rows } = await db.execute<ItemRow>(sql`
    select ${CARD_COLUMNS}, e.main, e.video_link, e.audio_id, m.extension as audio_extension, m.duration_ms as audio_ms,
      e.link, e.link_title, ${instant(sql`e.ends_at`)} as ends_at, e.place, e.place_note, e.admission, e.good_to_know,
      e.seats,
      e.background_colour, e.container_colour, e.text_colour, e.parts, e.meta_description, e.meta_keywords
    from ${ITEMS_FROM} left join media_files m on m.sha256 = e.audio_id
    where e.kind = ${kind} and e.slug = ${slug} and e.published`)
  return rows[0]
}

export async function selectBooksOf(db: Db, itemId: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select b.id from book_editorial be join books b on b.id = be.book_id
    where be.item_id = ${itemId} and b.format = 'audio_book' and b.sellable
    order by be.position, b.id limit 12`)
  return rows.map(({ id }) => id)
}

export async function selectItemIdsOf(db: Db, bookId: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select e.id from book_editorial be join editorial_items e on e.id = be.item_id
    where be.book_id = ${bookId} and e.published order by be.position, e.published_at desc limit 24`)
  return rows.map(({ id }) => id)
}

export async function selectTypes(db: Db): Promise<{ id: number; title: string }[]> {
  const { rows } = await db.execute<{ id: number; title: string }>(
    sql`select id, title from murmuration_types order by id limit 200`,
  )
  return rows
}

export async function selectAudiobookId(db: Db, slug: string): Promise<number | undefined> {
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from books where format = 'audio_book' and slug = ${slug}`,
  )
  return rows[0]?.id
}

export function itemCondition({ kinds, types, featured, special, ids }: EditorialFilter): SQL {
  const parts = [sql`e.published`]
  if (kinds?.length) parts.push(sql`e.kind = any(${sql.param([...kinds])}::text[])`)
  if (types?.length) parts.push(sql`e.type_id = any(${sql.param([...types])}::int[])`)
  if (featured) parts.push(sql`e.featured`)
  if (special) parts.push(sql`e.special`)
  if (ids) parts.push(sql`e.id = any(${sql.param([...ids])}::int[])`)
  return sql.join(parts, sql` and `)
}
