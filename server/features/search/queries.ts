import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { TextQuery } from '#contract/calculations/text-query.ts'
import { IS_WITHHELD } from '../../db/shop-queries.ts'
import type { Document } from '#contract/calculations/search-document.ts'

export type Shelf = 'books' | 'items'

/** `open` is what the public can find, `since` the date for sorting. */
const SHELVES = {
  books: {
    from: sql.raw('books b'),
    it: sql.raw('b'),
    // Includes announced titles that cannot be bought yet.
    open: sql.raw('(b.sellable or (not b.sellable and b.preorder is not null))'),
    since: sql.raw('b.listed_at'),
  },
  items: {
    from: sql.raw('editorial_items e'),
    it: sql.raw('e'),
    open: sql.raw('e.published'),
    since: sql.raw('e.published_at'),
  },
} as const satisfies Record<Shelf, Record<string, SQL>>

export type Order = 'relevance' | 'title' | 'title from the end' | 'newest' | 'oldest'

export interface Looking {
  readonly shelf: Shelf
  readonly conditions: readonly SQL[]
  readonly order: Order
  readonly offset: number
  readonly limit: number
  /** Leaves out e-books whose audiobook is found, too. */
  readonly together?: boolean | undefined
}

export interface Found {
  readonly ids: readonly number[]
  readonly total: number
}

export async function selectFound(
  db: Db,
  query: TextQuery,
  { shelf, conditions, order, offset, limit, together = false }: Looking,
): Promise<Found> {
  const { it, open } = SHELVES[shelf]
  const from = together ? sql`${SHELVES[shelf].from} ${OTHER_FORMAT}` : SHELVES[shelf].from
  const fitting = [fits(it, query.found), open, ...conditions]
  const where = sql.join(together ? [...fitting, notBeside(fitting)] : fitting, sql` and `)
  const { rows } = await db.execute<{ id: number; total: number }>(sql`
    select ${it}.id, count(*) over ()::int as total from ${from} where ${where}
    order by ${ordered(order, shelf, query)}, ${it}.id desc limit ${limit}::int offset ${offset}::int`)
  if (rows.length > 0 || offset === 0) return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
  const counted = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${from} where ${where}`,
  )
  return { ids: [], total: counted.rows[0]?.total ?? 0 }
}

const OTHER_FORMAT = sql.raw('cross join lateral (select b.counterpart_id as id) other')

/** Inside the brackets `b` is the audiobook, so that the same conditions apply to it. */
const notBeside = (fitting: readonly SQL[]): SQL => sql`not (b.format = 'e_book' and b.sellable and exists (
  select from books b where b.id = other.id and b.sellable and ${sql.join([...fitting], sql` and `)}))`

/** As a parameter, so that all keywords share one prepared statement. */
const fits = (it: SQL, query: string): SQL => sql`${it}.search_text @@ ${query}::tsquery`

function ordered(order: Order, shelf: Shelf, { tiers }: TextQuery): SQL {
  const { it, since } = SHELVES[shelf]
  if (order === 'title') return sql`lower(${it}.title)`
  if (order === 'title from the end') return sql`lower(${it}.title) desc`
  if (order === 'newest') return sql`${since} desc`
  if (order === 'oldest') return since
  const cases = tiers.map((tier, place) => sql`when ${fits(it, tier)} then ${sql.raw(String(place))}`)
  return sql`case ${sql.join(cases, sql` `)} else ${sql.raw(String(tiers.length))} end, ${since} desc`
}

export async function selectFirstThatFinds(
  db: Db,
  shelves: readonly Shelf[],
  queries: readonly TextQuery[],
): Promise<number | null> {
  const asked = sql`unnest(${sql.param(queries.map(({ found }) => found))}::text[]) with ordinality q(query, place)`
  const firsts = shelves.map((shelf) => {
    const { from, it, open } = SHELVES[shelf]
    return sql`select min(q.place) as place from ${asked} join ${from}
      on ${it}.search_text @@ q.query::tsquery and ${open}`
  })
  const { rows } = await db.execute<{ place: number | null }>(
    sql`select min(place)::int - 1 as place from (${sql.join(firsts, sql` union all `)}) firsts`,
  )
  return rows[0]?.place ?? null
}

export async function selectKnownWords(db: Db, words: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ word: string }>(
    sql`select word from search_words where word = any(${sql.param([...words])}::text[])`,
  )
  return new Set(rows.map(({ word }) => word))
}

interface NearWord extends Record<string, unknown> {
  word: string
  uses: number
}

/** A typo leaves the first or last half of a word intact. `nearWords` of `sw/offline/search.ts` uses the same rule. */
export async function selectNearWords(db: Db, word: string, limit: number): Promise<NearWord[]> {
  const half = Math.floor(word.length / 2)
  const swapped = word.slice(0, half - 1) + word[half]! + word[half - 1]! + word.slice(half + 1)
  const { rows } = await db.execute<NearWord>(sql`
    select w.word, w.uses from search_words w
    where (w.word like ${`${word.slice(0, half)}%`} or w.word like ${`%${word.slice(-half)}`}
        or w.word = ${swapped} or w.word % ${word})
      and length(w.word) between ${word.length - 2}::int and ${word.length + 2}::int
    order by w.word = ${swapped} desc, similarity(w.word, ${word}) desc, w.uses desc, w.word collate "C"
    limit ${limit}::int`)
  return rows
}

const BODIES = {
  books: sql`b.summary`,
  items: sql`concat_ws(' ', e.short_description, e.summary, e.main)`,
}

/** Titles and texts (HTML) of the given ids, in no order. */
export async function selectBodies(
  db: Db,
  shelf: Shelf,
  ids: readonly number[],
): Promise<{ id: number; title: string; body: string }[]> {
  const { from, it } = SHELVES[shelf]
  const { rows } = await db.execute<{ id: number; title: string; body: string }>(
    sql`select ${it}.id, ${it}.title, ${BODIES[shelf]} as body from ${from}
      where ${it}.id = any(${sql.param([...ids])}::int[])`,
  )
  return rows
}

type RefreshedRow = Document & Record<string, unknown>

/** Locks the books, and skips those that a concurrent refresh has locked. */
export async function selectBooksToRefresh(db: Db, after: number, limit: number): Promise<Document[]> {
  const { rows } = await db.execute<RefreshedRow>(sql`
    select b.id, b.title, ${BODIES.books} as body,
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
  const { rows } = await db.execute<RefreshedRow>(sql`
    select e.id, e.title, ${BODIES.items} as body,
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
