import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { IS_WITHHELD } from '../../db/shop-details-queries.ts'
import type { Document } from '#contract/calculations/search-document.ts'

type Row = Document & Record<string, unknown>

/** Locks the books, and skips those that a concurrent refresh has locked. */
export async function selectBooksToRefresh(db: Db, after: number, limit: number): Promise<Document[]> {
  const { rows } = await db.execute<Row>(sql`
    select b.id, b.title, b.summary as body,
      concat_ws(' ', (select string_agg(p.first_name || ' ' || p.last_name, ' ' order by bp.role, bp.position)
          from book_people bp join people p on p.id = bp.person_id where bp.book_id = b.id),
        (select t.first_name || ' ' || t.last_name from people t where t.id = b.translator_id)) as people,
      concat_ws(' ', (select string_agg(t.title, ' ') from book_tags bt join tags t on t.id = bt.tag_id
          where bt.book_id = b.id),
        (select string_agg(l.title, ' ') from book_locations bl join locations l on l.id = bl.location_id
          where bl.book_id = b.id),
        (select name from publishers where id = b.publisher_id), (select title from styles where id = b.style_id),
        (select name from categories where id = b.category_id), b.spi_sin, b.meta_keywords,
        (select string_agg(s.title, ' ') from book_series bs join series s on s.id = bs.series_id
          where bs.book_id = b.id)) as subjects
    from books b where b.search_text is null and b.id > ${after}::int
    order by b.id limit ${limit}::int for update of b skip locked`)
  return rows
}

export async function selectItemsToRefresh(db: Db, after: number, limit: number): Promise<Document[]> {
  const { rows } = await db.execute<Row>(sql`
    select e.id, e.title, concat_ws(' ', e.short_description, e.summary, e.main) as body,
      coalesce((select a.first_name || ' ' || a.last_name from editorial_authors a
        where a.id = e.author_id and not e.hide_author), '') as people,
      concat_ws(' ', (select name from editorial_categories where id = e.category_id),
        (select title from murmuration_types where id = e.type_id), e.meta_keywords) as subjects
    from editorial_items e where e.search_text is null and e.id > ${after}::int
    order by e.id limit ${limit}::int for update of e skip locked`)
  return rows
}

const TABLES = { books: sql.raw('books'), items: sql.raw('editorial_items') }

/** Copied from other tables for the filters of lists. */
const COPIES = {
  books: sql`,
      withheld = ${IS_WITHHELD},
      location_ids = coalesce((select array_agg(bl.location_id order by bl.location_id) from book_locations bl
        where bl.book_id = t.id), '{}'),
      nationality_ids = coalesce((select array_agg(distinct p.nationality_id order by p.nationality_id)
        from book_people bp join people p on p.id = bp.person_id
        where bp.book_id = t.id and bp.role = 'author' and p.nationality_id is not null), '{}')`,
  items: sql.raw(''),
}

export async function updateTexts(
  db: Db,
  table: keyof typeof TABLES,
  texts: readonly { id: number; vector: string }[],
): Promise<void> {
  await db.execute(sql`
    update ${TABLES[table]} t set search_text = w.vector::tsvector${COPIES[table]}
    from unnest(${sql.param(texts.map(({ id }) => id))}::int[],
                ${sql.param(texts.map(({ vector }) => vector))}::text[]) w(id, vector)
    where t.id = w.id`)
}

/** Refreshing a title again counts its words again, so counts are only approximate. */
export async function addWords(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  // In a fixed order, so that concurrent calls cannot deadlock.
  const words = [...uses].sort(([one], [other]) => (one < other ? -1 : 1))
  await db.execute(sql`
    insert into search_words (word, uses)
    select * from unnest(${sql.param(words.map(([word]) => word))}::text[],
                         ${sql.param(words.map(([, count]) => count))}::int[])
    on conflict (word) do update set uses = search_words.uses + excluded.uses`)
}

export async function forgetTexts(db: Db, table: keyof typeof TABLES, ids: readonly number[]): Promise<void> {
  await db.execute(
    sql`update ${TABLES[table]} set search_text = null where id = any(${sql.param([...ids])}::int[])`,
  )
}
