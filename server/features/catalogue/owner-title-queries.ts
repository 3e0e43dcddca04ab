import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { State } from '../../db/schema/catalogue.ts'
import type { Format } from '#contract/calculations/book-filter.ts'

export interface ListedTitle {
  readonly slug: string
  readonly title: string
  readonly format: Format
  readonly authors: string | null
  readonly publisher: string | null
  readonly isbn: string | null
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly state: State
  readonly stateByCommand: State | null
  readonly published: boolean
  readonly deliverable: boolean
  readonly sellable: boolean | null
  readonly setByOwner: readonly string[]
  readonly hasCover: boolean
  readonly hasDescription: boolean
}

/**
 * Without pagination: even the largest supported catalogue fits into memory.
 * @param words each must occur in one of the title’s names; a full title or address is passed as one word
 */
export async function selectTitles(
  db: Db,
  words: readonly string[],
  format: Format | undefined,
): Promise<ListedTitle[]> {
  const parts = words.map((word) => `%${word.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  const { rows } = await db.execute<ListedTitle & Record<string, unknown>>(sql`
    select b.slug, b.title, b.format, b.isbn, b.price_minor as "priceMinor", b.member_price_minor as "memberPriceMinor",
      b.state, b.state_by_command as "stateByCommand", b.published, b.deliverable, b.sellable,
      b.set_by_owner as "setByOwner", b.cover_id is not null as "hasCover", b.summary <> '' as "hasDescription",
      named.authors, p.name as publisher
    from books b
    left join publishers p on p.id = b.publisher_id
    left join lateral (
      select string_agg(trim(o.first_name || ' ' || o.last_name), ', ' order by bp.position) filter (where bp.role = 'author') as authors,
        string_agg(o.first_name || ' ' || o.last_name, ' ') as everybody
      from book_people bp join people o on o.id = bp.person_id where bp.book_id = b.id) named on true
    where b.format = coalesce(${format ?? null}::text, b.format)
      and lower(concat_ws(' ', b.title, b.slug, b.isbn, p.name, named.everybody,
        (select string_agg(s.title, ' ') from book_series bs join series s on s.id = bs.series_id where bs.book_id = b.id)))
        like all (${sql.param(parts)}::text[])
    order by lower(b.title), b.slug, b.format`)
  return rows
}
