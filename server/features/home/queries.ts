import { sql, type SQL } from 'drizzle-orm'
import type { SeenBy } from '#contract/office/documents.ts'
import type { ShopPart } from '#contract/shop-details.ts'
import type { Db } from '../../db/open.ts'
import { IN_STEP } from '../catalogue/queries.ts'

export interface PanelRow extends Record<string, unknown> {
  section: string
  title: string
  weight: number
  visible: boolean
  seenBy: SeenBy
  titles: string[] | null
}

/** Whether a panel's days include this one. */
const IN_TIME = sql`(shown_from is null or shown_from <= now()) and (shown_until is null or shown_until > now())`

/** Returns whether one came or went since this was last asked. */
export async function panelsCameOrWent(db: Db): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`update home_panels set was_in_time = (${IN_TIME}) where was_in_time <> (${IN_TIME})`,
  )
  return (rowCount ?? 0) > 0
}

export async function selectPanels(db: Db): Promise<PanelRow[]> {
  const { rows } = await db.execute<PanelRow>(
    sql`select section, title, weight, visible and ${IN_TIME} as visible, seen_by as "seenBy", titles
      from home_panels order by weight, section limit 100`,
  )
  return rows
}

export interface PickRow extends Record<string, unknown> {
  id: number
  visible: boolean
  title: string
  description: string
  author: string
  book_id: number | null
}

export async function selectPicks(db: Db): Promise<PickRow[]> {
  const { rows } = await db.execute<PickRow>(sql`
    select id, visible, title, description, author, book_id from staff_picks
    where visible order by position limit 20`)
  return rows
}

export interface MenuRow extends Record<string, unknown> {
  id: number
  group: string
  title: string
  url: string
  style: string | null
}

export async function selectMenu(
  db: Db,
  menu: 'main' | 'search',
  without: readonly ShopPart[],
): Promise<MenuRow[]> {
  const { rows } = await db.execute<MenuRow>(sql`
    select id, "group", title, url, style from menu_entries
    where menu = ${menu} and not hidden and not exists (
      select from info_pages p where url like '/info/%' and p.slug = substr(url, 7) and p.part = any(${sql.param([...without])}::text[]))
    order by position, id limit 200`)
  return rows
}

/** From an owner's file: `home`, `membership`, `promo` or `settings`. */
export async function selectRecord<T>(db: Db, name: string): Promise<T | undefined> {
  const { rows } = await db.execute<{ content: T }>(
    sql`select content from content_records where name = ${name}`,
  )
  return rows[0]?.content
}

const NEWEST = sql`listed_at desc, id desc`
const LISTS: Record<
  'editions' | 'memoirs' | 'writersDilemma' | 'highlights',
  { readonly mark: SQL; readonly by: SQL }
> = {
  editions: { mark: sql`edition`, by: sql`edition_position, ${NEWEST}` },
  memoirs: { mark: sql`memoir`, by: NEWEST },
  writersDilemma: { mark: sql`writers_dilemma`, by: NEWEST },
  highlights: { mark: sql`second_edition`, by: sql`highlight_position, ${NEWEST}` },
}

export async function selectShelf(db: Db, list: keyof typeof LISTS, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from books where format = 'audio_book' and sellable and ${LISTS[list].mark}
    order by ${LISTS[list].by} limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

export async function selectShelfTitles(db: Db, order: 'newest' | 'name', limit: number): Promise<number[]> {
  const by = order === 'newest' ? sql`listed_at desc, id desc` : sql`lower(title), id`
  // If a work has both formats, list only the audiobook.
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from books b where sellable
      and not (format = 'e_book' and exists (select from books c where c.id = b.counterpart_id and c.sellable))
    order by ${by} limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

/** The audiobooks of titles that are in step, as their cards say. */
export async function selectInStep(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from books b where format = 'audio_book' and sellable and ${sql.raw(IN_STEP)}
    order by ${NEWEST} limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

/** So that the list reveals nothing about a single listener. */
const LISTENERS = 3

export async function selectMostHeard(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select t.book_id as id from user_audio_book_times t join books b on b.id = t.book_id
    where b.format = 'audio_book' and b.sellable
    group by t.book_id having count(*) >= ${LISTENERS}::int
    order by count(*) desc, t.book_id desc limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

export async function selectBookIds(db: Db, slugs: readonly string[]): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select b.id from unnest(${sql.param([...slugs])}::text[]) with ordinality as wanted(slug, position)
    join books b on b.format = 'audio_book' and b.slug = wanted.slug and b.sellable order by wanted.position`)
  return rows.map(({ id }) => id)
}

export async function selectMarkedItems(
  db: Db,
  mark: 'featured' | 'special',
  limit: number,
): Promise<number[]> {
  const column = mark === 'featured' ? sql`featured` : sql`special`
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from editorial_items where published and ${column} order by published_at desc, id desc limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

export interface PublisherRow extends Record<string, unknown> {
  id: number
  name: string
  slug: string
}

export async function selectPublishersBySlug(db: Db, slugs: readonly string[]): Promise<PublisherRow[]> {
  const { rows } = await db.execute<PublisherRow>(sql`
    select p.id, p.name, p.slug from unnest(${sql.param([...slugs])}::text[]) with ordinality as wanted(slug, position)
    join publishers p on p.slug = wanted.slug order by wanted.position`)
  return rows
}
