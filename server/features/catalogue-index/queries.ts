import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface DetailsRow extends Record<string, unknown> {
  id: number
  author_ids: number[]
  narrator_ids: number[]
  translator_id: number | null
  location_ids: number[]
  tag_ids: number[]
  other_id: number | null
  memoir: boolean
  writers_dilemma: boolean
  violence: boolean
  no_download: boolean
  featured_position: number | null
  edition_position: number | null
  highlight_position: number | null
  spi_sin: string | null
  preorder: string | null
  first_published: string | null
  language: string | null
  meta_keywords: string | null
  article_ids: number[]
  summary: string
}

export interface PersonRow extends Record<string, unknown> {
  id: number
  first: string
  last: string
  slug: string | null
  nationality: number | null
  about: string | null
}

/** Promoted titles (editions, second editions, featured) are chosen first. Returned newest first. */
export async function selectIndexedIds(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from (
      select b.id, b.listed_at from books b where b.sellable is not null
      order by (b.second_edition or b.edition or b.featured_position is not null) desc, b.listed_at desc, b.id desc
      limit ${limit}::int) chosen
    order by listed_at desc, id desc`)
  return rows.map(({ id }) => id)
}

export async function countListed(db: Db): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from books b where b.sellable is not null`,
  )
  return rows[0]?.total ?? 0
}

export async function selectDetails(db: Db, bookIds: readonly number[]): Promise<DetailsRow[]> {
  const { rows } = await db.execute<DetailsRow>(sql`
    select b.id, b.translator_id, b.memoir, b.writers_dilemma, b.violence,
      b.hide_download or not b.downloadable as no_download, b.featured_position, b.edition_position, b.highlight_position, b.spi_sin,
      case when not b.sellable then to_char(b.preorder, 'YYYY-MM-DD') end as preorder,
      to_char(b.first_published, 'YYYY-MM-DD') as first_published, language.title as language,
      b.meta_keywords, b.summary,
      (select o.id from books o where o.id = b.counterpart_id and o.sellable) as other_id,
      array(select bp.person_id from book_people bp where bp.book_id = b.id and bp.role = 'author'
        order by bp.position) as author_ids,
      array(select bp.person_id from book_people bp where bp.book_id = b.id and bp.role = 'narrator'
        order by bp.position) as narrator_ids,
      array(select l.id from book_locations bl join locations l on l.id = bl.location_id where bl.book_id = b.id
        order by l.title) as location_ids,
      array(select t.id from book_tags bt join tags t on t.id = bt.tag_id where bt.book_id = b.id
        order by t.title) as tag_ids,
      array(select e.id from book_editorial be join editorial_items e on e.id = be.item_id
        where be.book_id = b.id and e.published order by be.position, e.published_at desc, e.id limit 24) as article_ids
    from books b left join languages language on language.id = b.language_id
    where b.id = any(${sql.param([...bookIds])}::int[])`)
  return rows
}

export async function selectPeople(db: Db, ids: readonly number[]): Promise<PersonRow[]> {
  const { rows } = await db.execute<PersonRow>(sql`
    select id, first_name as first, last_name as last, slug, nationality_id as nationality, about from people
    where id = any(${sql.param([...ids])}::int[]) order by id`)
  return rows
}

export interface CountsRow extends Record<string, unknown> {
  id: number
  counts: [writtenAudioBooks: number, writtenEBooks: number, readAudioBooks: number]
}

/** Counted as on a person's page (`people/queries.ts`). */
export async function selectCountsOfPeople(db: Db, ids: readonly number[]): Promise<CountsRow[]> {
  const { rows } = await db.execute<CountsRow>(sql`
    select bp.person_id as id, json_build_array(
      count(distinct b.id) filter (where bp.role = 'author' and b.format = 'audio_book'),
      count(distinct b.id) filter (where bp.role = 'author' and b.format = 'e_book'),
      count(distinct b.id) filter (where bp.role = 'narrator' and b.format = 'audio_book')) as counts
    from book_people bp join books b on b.id = bp.book_id and b.sellable is not null
    where bp.person_id = any(${sql.param([...ids])}::int[]) group by bp.person_id`)
  return rows
}

export async function selectTags(db: Db, ids: readonly number[]): Promise<{ id: number; title: string }[]> {
  const { rows } = await db.execute<{ id: number; title: string }>(
    sql`select id, title from tags where id = any(${sql.param([...ids])}::int[]) order by id`,
  )
  return rows
}
