import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { TextQuery } from '#contract/calculations/text-query.ts'

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
}

export interface Found {
  readonly ids: readonly number[]
  readonly total: number
}

export async function selectFound(
  db: Db,
  query: TextQuery,
  { shelf, conditions, order, offset, limit }: Looking,
): Promise<Found> {
  const { from, it, open } = SHELVES[shelf]
  const where = sql.join([fits(it, query.found), open, ...conditions], sql` and `)
  const { rows } = await db.execute<{ id: number; total: number }>(sql`
    select ${it}.id, count(*) over ()::int as total from ${from} where ${where}
    order by ${ordered(order, shelf, query)}, ${it}.id desc limit ${limit}::int offset ${offset}::int`)
  if (rows.length > 0 || offset === 0) return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
  const counted = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${from} where ${where}`,
  )
  return { ids: [], total: counted.rows[0]?.total ?? 0 }
}

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

/** Null if none finds anything. */
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

/**
 * A single typo leaves the first or the last half of a word intact, unless it swaps the two letters in the middle.
 * Two typos in a long word leave most of its trigrams intact. `sw/offline/near-words.ts` uses the same rule.
 */
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
