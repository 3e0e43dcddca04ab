import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import type { State } from '#server/db/schema/catalogue.ts'
import type { Format } from '../found.ts'

export interface ExistingRow {
  readonly id: number
  readonly format: Format
  readonly slug: string
  readonly isbn: string | null
  readonly sourceId: string | null
  readonly title: string
  readonly importHash: string | null
  readonly deliverable: boolean
  readonly setByOwner: readonly string[]
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly author: string | null
}

const STANDING = sql`
  select b.id, b.format, b.slug, b.isbn, b.source_id as "sourceId", b.title, b.import_hash as "importHash", b.deliverable,
    b.set_by_owner as "setByOwner", b.price_minor as "priceMinor", b.member_price_minor as "memberPriceMinor",
    (select p.name_key from book_people bp join people p on p.id = bp.person_id
     where bp.book_id = b.id and bp.role = 'author' and bp.position = 0) as author
  from books b`

type Row = ExistingRow & Record<string, unknown>

export async function selectByNumber(
  db: Db,
  isbns: readonly string[],
  sourceIds: readonly string[],
): Promise<ExistingRow[]> {
  const { rows } = await db.execute<Row>(sql`
    ${STANDING} where b.isbn = any(${sql.param([...isbns])}::text[])
    union ${STANDING} where b.source_id = any(${sql.param([...sourceIds])}::text[])`)
  return rows
}

export async function selectBySlug(db: Db, slugs: readonly string[]): Promise<ExistingRow[]> {
  if (slugs.length === 0) return []
  const { rows } = await db.execute<Row>(sql`
    ${STANDING} where b.format in ('audio_book', 'e_book') and b.slug = any(${sql.param([...slugs])}::text[])`)
  return rows
}

/** The keys are column names of the database. */
export interface BookColumns {
  readonly id: number | null
  readonly format: Format
  readonly slug: string
  readonly title: string
  readonly isbn: string | null
  readonly source_id: string | null
  readonly imported_from: string
  readonly price_minor: number
  readonly member_price_minor: number | null
  readonly published: boolean
  readonly priced_by_owner: boolean
  readonly withheld: boolean
  readonly state: State
  readonly preorder: string | null
  readonly without_file: boolean
  readonly blocked_countries: readonly string[]
  readonly summary: string
  readonly cover_alt: string
  readonly background_colour: string
  readonly container_colour: string
  readonly text_colour: string
  readonly meta_keywords: string | null
  readonly first_published: string | null
  readonly length_minutes: number | null
  readonly pages: number | null
  readonly accessibility: readonly string[]
  readonly accessibility_summary: string | null
  readonly language_id: number | null
  readonly translator_id: number | null
  readonly publisher_id: number | null
  readonly category_id: number | null
  readonly style_id: number | null
  readonly import_hash: string
}

const recordset = (rows: readonly BookColumns[]) => sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(
  id int, format text, slug text, title text, isbn text, source_id text, imported_from text, price_minor int, member_price_minor int,
  published boolean, priced_by_owner boolean, withheld boolean, state text, preorder date, without_file boolean, blocked_countries text[], summary text, cover_alt text, background_colour text,
  container_colour text, text_colour text, meta_keywords text, first_published date, length_minutes int, pages int, accessibility text[],
  accessibility_summary text,
  language_id int, translator_id int, publisher_id int, category_id int, style_id int, import_hash text)`

export async function insertBooks(
  db: Db,
  rows: readonly BookColumns[],
  now: Date,
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const made = await db.execute<{ id: number; format: string; slug: string }>(sql`
    insert into books (format, slug, title, isbn, source_id, imported_from, price_minor, member_price_minor, published, set_by_owner, state,
      preorder, deliverable, blocked_countries, summary, cover_alt, background_colour, container_colour, text_colour, meta_keywords,
      first_published, length_minutes, pages, accessibility, accessibility_summary, language_id, translator_id, publisher_id, category_id, style_id,
      import_hash, listed_at, updated_at)
    select format, slug, title, isbn, source_id, imported_from, price_minor, member_price_minor, published,
      case when priced_by_owner then array['price'] else '{}'::text[] end, state, preorder, without_file, blocked_countries, summary, cover_alt, background_colour, container_colour, text_colour, meta_keywords, first_published,
      length_minutes, pages, accessibility, accessibility_summary, language_id, translator_id, publisher_id, category_id, style_id,
      import_hash, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from ${recordset(rows)}
    returning id, format, slug`)
  return new Map(made.rows.map(({ id, format, slug }) => [`${format}/${slug}`, id]))
}

const unlessOwners = (column: string) =>
  sql.raw(`case when 'price' = any(b.set_by_owner) then b.${column} else r.${column} end`)

/** Keeps colours and covers, which a catalogue does not have. */
export async function updateBooks(db: Db, rows: readonly BookColumns[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db.execute(sql`
    update books b set title = r.title, isbn = r.isbn, source_id = r.source_id, imported_from = r.imported_from,
      price_minor = ${unlessOwners('price_minor')}, member_price_minor = ${unlessOwners('member_price_minor')},
      published = case when 'price' = any(b.set_by_owner)
        then coalesce(b.state_by_command, r.state) = 'on-sale' and not r.withheld else r.published end, state = r.state,
      source_values = case when 'price' = any(b.set_by_owner) and r.published and not r.priced_by_owner
        then b.source_values || jsonb_build_object('price',
          jsonb_build_object('priceMinor', r.price_minor, 'memberPriceMinor', r.member_price_minor))
        else b.source_values end,
      set_by_owner = case when r.priced_by_owner and not 'price' = any(b.set_by_owner) then b.set_by_owner || array['price'] else b.set_by_owner end,
      preorder = r.preorder, deliverable = r.without_file or b.made_after_purchase or b.file_id is not null
        or exists (select 1 from chapters c where c.book_id = b.id), blocked_countries = r.blocked_countries,
      summary = r.summary, cover_alt = r.cover_alt, meta_keywords = r.meta_keywords,
      first_published = r.first_published, length_minutes = r.length_minutes, pages = r.pages,
      -- What the file itself said stays where the catalogue says nothing.
      accessibility = case when r.accessibility = '{}' then b.accessibility else r.accessibility end,
      accessibility_summary = coalesce(r.accessibility_summary, b.accessibility_summary),
      language_id = r.language_id, translator_id = r.translator_id, publisher_id = r.publisher_id,
      category_id = r.category_id, style_id = r.style_id, import_hash = r.import_hash,
      search_text = null, updated_at = ${now.toISOString()}::timestamptz
    from ${recordset(rows)} where b.id = r.id`)
  const ids = sql.param(rows.map(({ id }) => id))
  for (const table of ['book_people', 'book_locations', 'book_tags', 'book_series'])
    await db.execute(sql`delete from ${sql.identifier(table)} where book_id = any(${ids}::int[])`)
}

export interface Named {
  readonly bookId: number
  readonly role: 'author' | 'narrator'
  readonly position: number
  readonly personId: number
}

export async function insertPeopleOfBooks(db: Db, named: readonly Named[]): Promise<void> {
  if (named.length === 0) return
  await db.execute(sql`
    insert into book_people (book_id, role, position, person_id)
    select * from unnest(${sql.param(named.map(({ bookId }) => bookId))}::int[],
      ${sql.param(named.map(({ role }) => role))}::text[],
      ${sql.param(named.map(({ position }) => position))}::int[],
      ${sql.param(named.map(({ personId }) => personId))}::int[])`)
}

export async function insertWordsOfBooks(
  db: Db,
  which: 'tag' | 'location',
  pairs: readonly (readonly [bookId: number, wordId: number])[],
): Promise<void> {
  if (pairs.length === 0) return
  await db.execute(sql`
    insert into ${sql.identifier(`book_${which}s`)} (book_id, ${sql.identifier(`${which}_id`)})
    select * from unnest(${sql.param(pairs.map(([bookId]) => bookId))}::int[],
      ${sql.param(pairs.map(([, wordId]) => wordId))}::int[])
    on conflict do nothing`)
}

export interface SeriesOfBook {
  readonly book_id: number
  readonly series_id: number
  readonly position: number
  readonly number: string | null
  readonly published: number | null
  readonly story: number | null
}

export async function insertSeriesOfBooks(db: Db, places: readonly SeriesOfBook[]): Promise<void> {
  if (places.length === 0) return
  await db.execute(sql`
    insert into book_series (book_id, series_id, position, number, published, story)
    select * from json_to_recordset(${JSON.stringify(places)}::json) as p(
      book_id int, series_id int, position int, number text, published float8, story float8)`)
}

/** Same slug and a common author, neither of them linked before. */
export async function linkFormats(db: Db, ids: readonly number[]): Promise<void> {
  await db.execute(sql`
    with pairs as (
      select one.id as one_id, other.id as other_id
      from books one join books other on other.slug = one.slug
        and other.format = case one.format when 'e_book' then 'audio_book' else 'e_book' end
      where one.id = any(${sql.param([...ids])}::int[])
        and one.counterpart_id is null and other.counterpart_id is null
        and exists (select 1 from book_people a join book_people b on b.person_id = a.person_id
          where a.book_id = one.id and a.role = 'author' and b.book_id = other.id and b.role = 'author'))
    update books set counterpart_id = case when id = one_id then other_id else one_id end
    from pairs where id in (one_id, other_id)`)
}

export async function insertPictureSteps(
  db: Db,
  steps: readonly (readonly [bookId: number, source: string])[],
): Promise<void> {
  if (steps.length === 0) return
  await db.execute(sql`
    insert into picture_steps (book_id, source)
    select * from unnest(${sql.param(steps.map(([bookId]) => bookId))}::int[],
      ${sql.param(steps.map(([, source]) => source))}::text[])
    on conflict do nothing`)
}
