import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { State } from '../../db/schema/catalogue.ts'
import type { BookFilter, Format, Narrowing } from '#contract/calculations/book-filter.ts'

/** The last whole number of a book's position in a series: 3 for “3”, 4 for “3–4”, null for “2.5”. */
const WHOLE_NUMBER = (number: string) => `substring(${number} from '^(?:[0-9][0-9.,]*–)?([0-9]{1,6})$')::int`

/** Also of books that the shop does not have. */
export const LAST_OF_SERIES = `greatest(
  (select max(${WHOLE_NUMBER('m.number')}) from book_series m join books o on o.id = m.book_id
    where m.series_id = s.id and o.sellable is not null),
  (select max(${WHOLE_NUMBER('g.number')}) from series_gaps g where g.series_id = s.id))`

type Named = readonly [firstName: string, lastName: string, slug: string | null]

export interface CardRow extends Record<string, unknown> {
  id: number
  format: Format
  slug: string
  title: string
  price_minor: number
  member_price_minor: number | null
  sellable: boolean | null
  blocked_countries: string[]
  edition: boolean
  second_edition: boolean
  available_as_card: boolean
  in_step: boolean
  cover_id: string | null
  placeholder: string | null
  cover_alt: string
  background_colour: string | null
  container_colour: string | null
  text_colour: string | null
  length_minutes: number | null
  pages: number | null
  /** The owner has put it on sale; the sample may be played. */
  published: boolean
  sample_id: string | null
  sample_extension: string | null
  sample_ms: number | null
  style_id: number | null
  style: string | null
  category_id: number | null
  category: string | null
  category_visible: boolean | null
  category_weight: number | null
  publisher_id: number | null
  publisher: string | null
  publisher_slug: string | null
  people: [role: 'author' | 'narrator', ...Named][]
  /** `last` is the highest whole number, including books that the shop does not have. */
  series: { id: number; slug: string; title: string; number: string | null; last: number | null }[]
  bookseller_words: string | null
  bookseller_name: string | null
}

/** Found in step when it was analysed, and both formats can still be bought as they were then. */
export const IN_STEP = `b.in_step and exists (select from books o where o.id = b.counterpart_id and o.sellable
    and not b.made_after_purchase and not o.made_after_purchase)`

const CARD = sql.raw(`
  b.id, b.format, b.slug, b.title, b.price_minor, b.member_price_minor, b.sellable,
  b.blocked_countries, b.edition, b.second_edition, b.available_as_card, ${IN_STEP} as in_step, b.cover_id, cover.placeholder,
  b.cover_alt, b.background_colour, b.container_colour, b.text_colour, b.length_minutes, b.pages,
  b.bookseller_words, b.bookseller_name, b.published, b.sample_id, sample.extension as sample_extension, sample.duration_ms as sample_ms,
  b.style_id, style.title as style, b.category_id, category.name as category,
  category.visible as category_visible, category.weight as category_weight,
  b.publisher_id, publisher.name as publisher, publisher.slug as publisher_slug,
  coalesce((select json_agg(json_build_array(bp.role, p.first_name, p.last_name, p.slug) order by bp.role, bp.position)
    from book_people bp join people p on p.id = bp.person_id where bp.book_id = b.id), '[]'::json) as people,
  coalesce((select json_agg(json_build_object('id', s.id, 'slug', s.slug, 'title', s.title, 'number', bs.number,
      'last', ${LAST_OF_SERIES}) order by bs.position)
    from book_series bs join series s on s.id = bs.series_id where bs.book_id = b.id), '[]'::json) as series`)

const JOINS = sql.raw(`
  left join covers cover on cover.id = b.cover_id
  left join media_files sample on sample.sha256 = b.sample_id
  left join styles style on style.id = b.style_id
  left join categories category on category.id = b.category_id
  left join publishers publisher on publisher.id = b.publisher_id`)

// PostgreSQL uses an index for the order only if the position of the nulls matches too.
export const NEWEST = sql.raw('b.sellable desc nulls last, b.listed_at desc nulls last, b.id desc nulls last')
const OLDEST = sql.raw('b.sellable asc nulls first, b.listed_at asc nulls first, b.id asc nulls first')

/** An editor's order of the month comes before the newest. */
function orderOf({ edition, secondEdition }: BookFilter, fromEnd = false): SQL {
  const place = secondEdition ? 'b.highlight_position' : edition ? 'b.edition_position' : null
  if (place === null) return fromEnd ? OLDEST : NEWEST
  return fromEnd
    ? sql.raw(`b.sellable asc nulls first, ${place} desc nulls first, b.listed_at asc, b.id asc`)
    : sql.raw(`b.sellable desc nulls last, ${place} asc nulls last, b.listed_at desc, b.id desc`)
}

export interface Slice {
  readonly offset: number
  readonly limit: number
  /** `offset` counts from the oldest book, so that the last pages are as fast as the first. */
  readonly fromEnd?: boolean
}

export async function selectPage(db: Db, filter: BookFilter, slice: Slice): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(pageOn(filter, slice))
  const ids = rows.map(({ id }) => id)
  return slice.fromEnd ? ids.reverse() : ids
}

export async function selectList(db: Db, filter: BookFilter): Promise<Int32Array> {
  const { rows } = await db.execute<{ ids: Buffer | null }>(packedIds(filter))
  const bytes = new Uint8Array(rows[0]?.ids ?? [])
  // `int4send` is big-endian; all platforms of Node are little-endian.
  return new Int32Array(Buffer.from(bytes.buffer).swap32().buffer)
}

export const packedIds = (filter: BookFilter): SQL => sql`
  select string_agg(int4send(id), ''::bytea) as ids
  from (select b.id from books b where ${bookCondition(filter)} order by ${orderOf(filter)}) newest`

/** Only ids, so that an index-only scan can skip to the page without reading books. */
export const pageOn = (filter: BookFilter, { offset, limit, fromEnd = false }: Slice): SQL =>
  sql`select b.id from books b where ${bookCondition(filter)}
    order by ${orderOf(filter, fromEnd)} limit ${limit}::int offset ${offset}::int`

export async function selectOwnedBooks(db: Db, userIds: readonly string[]): Promise<Set<number>[]> {
  const { rows } = await db.execute<{ user_id: string; book_ids: number[] }>(sql`
    select user_id, array_agg(book_id) as book_ids from library_entries
    where user_id = any(${sql.param([...new Set(userIds)])}::uuid[]) group by user_id`)
  const owned = new Map(rows.map((row) => [row.user_id, row.book_ids]))
  return userIds.map((userId) => new Set(owned.get(userId)))
}

export async function countBooks(db: Db, filter: BookFilter): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(countOf(filter))
  return rows[0]?.total ?? 0
}

export const countOf = (filter: BookFilter): SQL =>
  sql`select count(*)::int as total from books b where ${bookCondition(filter)}`

export async function selectCards(db: Db, bookIds: readonly number[]): Promise<CardRow[]> {
  const { rows } = await db.execute<CardRow>(cardsBy(bookIds))
  return rows
}

export const cardsBy = (bookIds: readonly number[]): SQL =>
  sql`select ${CARD} from books b ${JOINS} where b.id = any(${sql.param(bookIds)}::int[])`

export async function selectFeaturedIds(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select b.id from books b
    where b.featured_position is not null and b.format = 'audio_book' and b.sellable
    order by b.featured_position, b.id limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

export async function selectRelatedIds(
  db: Db,
  format: Format,
  bookId: number,
  max: number,
): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select b.id
    from (select other.book_id, count(*) as shared
          from book_tags own join book_tags other on other.tag_id = own.tag_id
          where own.book_id = ${bookId} and other.book_id <> ${bookId}
          group by other.book_id) related
    join books b on b.id = related.book_id
    where b.format = ${format} and b.sellable
    order by related.shared desc, ${NEWEST} limit ${max}::int`)
  return rows.map(({ id }) => id)
}

export interface CounterpartRow {
  slug: string
  priceMinor: number
  memberPriceMinor: number | null
  pages: number | null
  lengthMinutes: number | null
}

export interface BookRow extends CardRow {
  state: State
  embargoed: boolean
  preorder: string | null
  hide_download: boolean
  violence: boolean
  summary: string
  sample_text: string | null
  publisher_book_link: string | null
  publisher_book_name: string | null
  meta_description: string | null
  meta_keywords: string | null
  first_published: string | null
  spi_sin: string | null
  language: string | null
  translator: Named | null
  file_id: string | null
  made_after_purchase: boolean
  downloadable: boolean
  accessibility: string[]
  accessibility_summary: string | null
  locations: { id: number; title: string }[]
  tags: { title: string }[]
  chapters: {
    number: number
    title: string
    durationMs: number
    sha256: string
    extension: string
    bytes: number
  }[]
  counterpart: CounterpartRow | null
  /** Of an audiobook. */
  in_step_sample: boolean
}

/** By slug, then by id: a title may be called 1984. */
export async function selectBook(db: Db, format: Format, slugOrId: string): Promise<BookRow | undefined> {
  const { rows } = await db.execute<BookRow>(sql`
    select ${CARD}, ${DETAILS}
    from books b ${JOINS}
    left join languages language on language.id = b.language_id
    left join people translator on translator.id = b.translator_id
    where b.id = ${bookIdBy(format, slugOrId)}`)
  return rows[0]
}

export interface OwnCopy extends Record<string, unknown> {
  /** Null until the copy is made. Only for books whose file is made per buyer. */
  own_file_id: string | null
}

export async function selectOwnCopy(db: Db, userId: string, bookId: number): Promise<OwnCopy | undefined> {
  const { rows } = await db.execute<OwnCopy>(sql`
    select file_id as own_file_id from library_entries where user_id = ${userId}::uuid and book_id = ${bookId}`)
  return rows[0]
}

export async function selectBookId(db: Db, format: Format, slugOrId: string): Promise<number | undefined> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from books where id = ${bookIdBy(format, slugOrId)} and coalesce(state_by_command, state) <> 'draft'`)
  return rows[0]?.id
}

const bookIdBy = (format: Format, slugOrId: string): SQL => sql`coalesce(
  (select id from books where format = ${format} and slug = ${slugOrId}),
  (select id from books where id = ${idIn(slugOrId)}::int and format = ${format}))`

// Nine digits always fit a four-byte integer.
const idIn = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

const COUNTERPART = `(select json_build_object('slug', o.slug, 'priceMinor', o.price_minor,
      'memberPriceMinor', o.member_price_minor, 'pages', o.pages, 'lengthMinutes', o.length_minutes)
    from books o where o.id = b.counterpart_id and o.sellable)`

const DETAILS = sql.raw(`
  coalesce(b.state_by_command, b.state) as state, b.embargoed,
  to_char(b.preorder, 'YYYY-MM-DD') as preorder, b.hide_download, b.violence, b.summary, b.sample_text,
  b.publisher_book_link, b.publisher_book_name, b.meta_description, b.meta_keywords,
  to_char(b.first_published, 'YYYY-MM-DD') as first_published, b.spi_sin, language.title as language,
  case when translator.id is not null
    then json_build_array(translator.first_name, translator.last_name, translator.slug) end as translator,
  b.file_id, b.made_after_purchase, b.downloadable,
  b.accessibility, b.accessibility_summary,
  coalesce((select json_agg(json_build_object('id', l.id, 'title', l.title) order by l.title)
    from book_locations bl join locations l on l.id = bl.location_id
    where bl.book_id = b.id), '[]'::json) as locations,
  coalesce((select json_agg(json_build_object('title', t.title) order by t.title)
    from book_tags bt join tags t on t.id = bt.tag_id
    where bt.book_id = b.id), '[]'::json) as tags,
  coalesce((select json_agg(json_build_object('number', c.number, 'title', c.title,
      'durationMs', c.duration_ms, 'sha256', m.sha256, 'extension', m.extension, 'bytes', m.bytes) order by c.number)
    from chapters c join media_files m on m.sha256 = c.sound_id
    where c.book_id = b.id), '[]'::json) as chapters,
  ${COUNTERPART} as counterpart,
  exists (select from books e join alignments a on a.text_id = e.file_id
    where e.id = b.counterpart_id and a.sound_id = b.sample_id and a.source <> 'estimated') as in_step_sample`)

export async function selectCounterparts(
  db: Db,
  bookIds: readonly number[],
): Promise<ReadonlyMap<number, CounterpartRow>> {
  const { rows } = await db.execute<{ id: number; counterpart: CounterpartRow | null }>(sql`
    select b.id, ${sql.raw(COUNTERPART)} as counterpart from books b
    where b.id = any(${sql.param([...bookIds])}::int[])`)
  return new Map(rows.flatMap(({ id, counterpart }) => (counterpart ? [[id, counterpart]] : [])))
}

/** Nearly all values are bound parameters, so that each combination of filters is one prepared statement. */
const bookCondition = (filter: BookFilter): SQL =>
  sql.join([sql`b.format = ${filter.format}`, inLists(filter), ...booksFitting(filter)], sql` and `)

/** With `spiSin` the reader holds a card of this number, which also redeems a title that is no longer sold. */
const inLists = ({ spiSin }: BookFilter): SQL =>
  spiSin === undefined ? sql`b.sellable is not null` : sql`coalesce(b.state_by_command, b.state) <> 'draft'`

export function booksFitting(filter: Narrowing): SQL[] {
  const parts: SQL[] = []
  if (filter.styles) parts.push(isAmong(sql`b.style_id`, filter.styles))
  if (filter.categories) parts.push(isAmong(sql`b.category_id`, filter.categories))
  if (filter.publishers) parts.push(isAmong(sql`b.publisher_id`, filter.publishers))
  if (filter.locations) parts.push(overlaps(sql`b.location_ids`, filter.locations))
  if (filter.nationalities) parts.push(overlaps(sql`b.nationality_ids`, filter.nationalities))
  if (filter.series)
    parts.push(
      sql`b.id in (select bs.book_id from book_series bs where bs.series_id = any(${sql.param([...filter.series])}::int[]))`,
    )
  if (filter.authors) parts.push(byPerson('author', filter.authors))
  if (filter.narrators) parts.push(byPerson('narrator', filter.narrators))
  if (filter.minMinutes !== undefined) parts.push(sql`b.length_minutes >= ${filter.minMinutes}`)
  if (filter.belowMinutes !== undefined) parts.push(sql`b.length_minutes < ${filter.belowMinutes}`)
  if (filter.minPages !== undefined) parts.push(sql`b.pages >= ${filter.minPages}`)
  if (filter.spiSin !== undefined) parts.push(sql`b.spi_sin = ${filter.spiSin}`)
  // Literals instead of parameters: otherwise PostgreSQL could not use the partial indexes.
  if (filter.availableAsCard !== undefined)
    parts.push(filter.availableAsCard ? sql`b.available_as_card` : sql`not b.available_as_card`)
  if (filter.edition !== undefined) parts.push(filter.edition ? sql`b.edition` : sql`not b.edition`)
  if (filter.memoir !== undefined) parts.push(filter.memoir ? sql`b.memoir` : sql`not b.memoir`)
  if (filter.writersDilemma !== undefined)
    parts.push(filter.writersDilemma ? sql`b.writers_dilemma` : sql`not b.writers_dilemma`)
  if (filter.inStep !== undefined) parts.push(sql.raw(filter.inStep ? IN_STEP : `not (${IN_STEP})`))
  if (filter.secondEdition) parts.push(sql`b.second_edition`)
  if (filter.recommendable) parts.push(sql`b.sellable`)
  return parts
}

/** `=` for a single value: then an index on the column also provides the order of the list. */
const isAmong = (column: SQL, [first, ...rest]: readonly number[]): SQL =>
  rest.length === 0 ? sql`${column} = ${first}` : sql`${column} = any(${sql.param([first, ...rest])}::int[])`

const byPerson = (role: 'author' | 'narrator', people: readonly number[]): SQL =>
  sql`b.id in (select bp.book_id from book_people bp
    where bp.person_id = any(${sql.param([...people])}::int[]) and bp.role = ${role})`

const overlaps = (column: SQL, values: readonly number[]): SQL =>
  sql`${column} && ${sql.param([...values])}::int[]`

export interface LinkRow extends Record<string, unknown> {
  kind: 'article' | 'interview' | 'discussion'
  slug: string
  title: string
  short_description: string
  picture_id: string | null
  alt_text: string
}

export async function selectLinksOf(db: Db, bookId: number): Promise<LinkRow[]> {
  const { rows } = await db.execute<LinkRow>(sql`
    select e.kind, e.slug, e.title, e.short_description, e.picture_id, e.alt_text
    from book_editorial be join editorial_items e on e.id = be.item_id
    where be.book_id = ${bookId} and e.published
    order by be.position, e.published_at desc, e.id limit 24`)
  return rows
}

const hasBook = (which: SQL) => sql`exists (select from books b where b.sellable is not null and ${which})`
const hasItem = (which: SQL) => sql`exists (select from editorial_items i where i.published and ${which})`
const IS_AUDIOBOOK = sql`b.format = 'audio_book'`

const SHELVES: Readonly<Record<string, SQL>> = {
  '/audiobooks': hasBook(IS_AUDIOBOOK),
  '/ebooks': hasBook(sql`b.format = 'e_book'`),
  '/editions': hasBook(sql`${IS_AUDIOBOOK} and b.edition`),
  '/subscriber-selection': hasBook(sql`${IS_AUDIOBOOK} and b.second_edition`),
  '/astonishing-memoirs': hasBook(sql`${IS_AUDIOBOOK} and b.memoir`),
  '/writers-dilemma': hasBook(sql`${IS_AUDIOBOOK} and b.writers_dilemma`),
  '/audiobooks-in-a-card': hasBook(sql`${IS_AUDIOBOOK} and b.available_as_card`),
  '/publishers': hasBook(sql`b.publisher_id is not null`),
  '/series': sql`exists (select from book_series)`,
  '/people': sql`exists (select from book_people)`,
  '/murmurations': hasItem(sql`true`),
  '/articles': hasItem(sql`i.kind = 'article'`),
  '/interviews': hasItem(sql`i.kind = 'interview'`),
  '/discussions': hasItem(sql`i.kind = 'discussion'`),
}

export async function selectEmptyShelves(db: Db): Promise<string[]> {
  const columns = Object.entries(SHELVES).map(([path, filled]) => sql`${filled} as ${sql.identifier(path)}`)
  const { rows } = await db.execute<Record<string, boolean>>(sql`select ${sql.join(columns, sql`, `)}`)
  return Object.entries(rows[0] ?? {}).flatMap(([path, isFilled]) => (isFilled ? [] : [path]))
}

/** Delivered when the transaction commits. */
export const CATALOGUE_CHANGED = 'catalogue_changed'

export async function notifyInstances(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${CATALOGUE_CHANGED}, '')`)
}

export interface TitledRow extends Record<string, unknown> {
  id: number
  title: string
}
export interface CategoryRow extends Record<string, unknown> {
  id: number
  name: string
  visible: boolean
  weight: number
}
export interface PublisherRow extends Record<string, unknown> {
  id: number
  name: string
  slug: string
  about: string | null
  website: string | null
}
export interface NationalityRow extends TitledRow {
  audio_books: number
  e_books: number
}

export async function selectTitled(db: Db, table: 'styles' | 'locations', { offset, limit }: Slice) {
  const { rows } = await db.execute<TitledRow>(
    sql`select id, title from ${sql.identifier(table)} order by title, id limit ${limit}::int offset ${offset}::int`,
  )
  return rows
}

/** The descriptions of books by id, as HTML. */
export async function selectSummaries(db: Db, bookIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ id: number; summary: string }>(
    sql`select id, summary from books where id = any(${sql.param([...bookIds])}::int[])`,
  )
  return new Map(rows.map(({ id, summary }) => [id, summary]))
}

/** By weight, as the browse screen shows them (BROWSE-05). */
export async function selectCategories(db: Db, { offset, limit }: Slice): Promise<CategoryRow[]> {
  const { rows } = await db.execute<CategoryRow>(sql`
    select id, name, visible, weight from categories
    order by weight, name, id limit ${limit}::int offset ${offset}::int`)
  return rows
}

export async function selectNationalities(db: Db, { offset, limit }: Slice): Promise<NationalityRow[]> {
  const { rows } = await db.execute<NationalityRow>(sql`
    select n.id, n.title,
      count(distinct b.id) filter (where b.format = 'audio_book')::int as audio_books,
      count(distinct b.id) filter (where b.format = 'e_book')::int as e_books
    from nationalities n
    left join people p on p.nationality_id = n.id
    left join book_people bp on bp.person_id = p.id and bp.role = 'author'
    left join books b on b.id = bp.book_id
    group by n.id, n.title order by n.title, n.id limit ${limit}::int offset ${offset}::int`)
  return rows
}

/** What was set in the office comes before what the folder says. */
const PUBLISHER_FIELDS = sql`id, name, slug, nullif(coalesce(about_by_office, about), '') as about,
  nullif(coalesce(website_by_office, website), '') as website`

export async function selectPublishers(db: Db, { offset, limit }: Slice): Promise<PublisherRow[]> {
  const { rows } = await db.execute<PublisherRow>(sql`
    select ${PUBLISHER_FIELDS} from publishers
    order by name, id limit ${limit}::int offset ${offset}::int`)
  return rows
}

export interface TheirBooksRow extends Record<string, unknown> {
  id: number
  titles: number
  /** The newest three. */
  book_ids: number[]
}

export async function selectBooksOfPublishers(
  db: Db,
  ids: readonly number[],
  format: Format,
): Promise<TheirBooksRow[]> {
  const theirs = sql`from books b where b.publisher_id = p.id and b.format = ${format} and b.sellable is not null`
  const { rows } = await db.execute<TheirBooksRow>(sql`
    select p.id, (select count(*)::int ${theirs}) as titles,
      array(select b.id ${theirs} order by ${NEWEST} limit 3) as book_ids
    from publishers p where p.id = any(${sql.param([...ids])}::int[])`)
  return rows
}

/** By slug, or by id (OP-27). */
export async function selectPublisher(db: Db, slugOrId: string): Promise<PublisherRow | undefined> {
  const id = /^\d{1,9}$/.test(slugOrId) ? Number(slugOrId) : null
  const { rows } = await db.execute<PublisherRow>(sql`
    select ${PUBLISHER_FIELDS} from publishers
    where slug = ${slugOrId} or id = ${id} order by slug = ${slugOrId} desc limit 1`)
  return rows[0]
}

export async function countRows(
  db: Db,
  table: 'styles' | 'publishers' | 'categories' | 'locations' | 'nationalities',
): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${sql.identifier(table)}`,
  )
  return rows[0]?.total ?? 0
}
