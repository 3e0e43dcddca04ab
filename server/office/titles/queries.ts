import { and, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Missing, TitleState } from '#contract/office/titles.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { mediaFiles } from '../../db/schema/media.ts'
import { HAS_PRICE, IS_BOUND } from '../../features/catalogue/title-state-queries.ts'
import type { Place } from '../keyset.ts'
import { likePart } from '../like-part.ts'

export interface OfficeTitle {
  readonly id: number
  readonly slug: string
  readonly format: 'audio_book' | 'e_book'
  readonly title: string
  readonly authors: string
  readonly publisher: string
  readonly isbn: string | null
  readonly coverId: string | null
  readonly state: TitleState
  readonly missing: readonly Missing[]
  readonly preorder: string | null
  readonly hasPrice: boolean
  readonly priceMinor: number
  readonly memberPriceMinor: number | null
  readonly setByOwner: readonly string[]
  readonly published: boolean
  readonly owners: number
  readonly sold: number
  /** The row's place in the order of the list. */
  readonly value: string | null
}

export interface OfficeTitleFilter {
  readonly ids?: readonly number[] | undefined
  readonly slug?: string | undefined
  readonly words?: string | undefined
  readonly format?: 'audio_book' | 'e_book' | undefined
  readonly state?: TitleState | undefined
  readonly missing?: Missing | 'any' | undefined
  readonly other?: 'yes' | 'no' | undefined
  readonly here?: 'yes' | 'no' | undefined
}

/** As in the index `books_by_state`. */
const SET_STATE = sql`coalesce(b.state_by_command, b.state)`
const STATE = sql`(case when ${SET_STATE} <> 'on-sale' then ${SET_STATE}
  when b.sellable then 'on-sale' else 'not-on-sale' end)`
const isInState = (state: TitleState): SQL =>
  state === 'on-sale'
    ? sql`b.sellable`
    : state === 'not-on-sale'
      ? sql`(${SET_STATE} = 'on-sale' and b.sellable is not true)`
      : sql`${SET_STATE} = ${state}`
const LACKS: Readonly<Record<Missing, SQL>> = {
  price: sql`not ${HAS_PRICE}`,
  sound: sql`(b.format = 'audio_book' and not b.deliverable)`,
  text: sql`(b.format = 'e_book' and not b.deliverable)`,
  cover: sql`b.cover_id is null`,
  description: sql`b.summary = ''`,
  author: sql`not exists (select from book_people bp where bp.book_id = b.id and bp.role = 'author')`,
}
/** As in the index `books_incomplete`: every gap but a missing author, which is in another table. */
const INCOMPLETE = sql`(b.sellable is not true or b.cover_id is null or b.summary = '')`
/** What is missing, except an author, in a form that the index can be used for. */
const ANY_GAP = sql`(${INCOMPLETE} and (${sql.join(
  Object.entries(LACKS).flatMap(([what, lacks]) => (what === 'author' ? [] : [lacks])),
  sql` or `,
)}))`
const lacking = (what: Missing): SQL =>
  what === 'author' ? LACKS.author : sql`(${INCOMPLETE} and ${LACKS[what]})`
const MISSING = sql`array_remove(array[${sql.join(
  Object.entries(LACKS).map(([what, lacks]) => sql`case when ${lacks} then ${sql.raw(`'${what}'`)} end`),
  sql`, `,
)}], null)`

/** If more titles than this match, the titles of the page are compared one by one instead. */
const FOUND_AT_MOST = 2_000

/** Of a page, only as many titles are compared as it takes to fill it; to count, all are. */
type Purpose = 'page' | 'count'

/**
 * Few titles match most words and gaps: `found` reads their ids from indexes, and only these titles are read. What many
 * match is compared title by title in the order of the list, until the page is full.
 */
async function matching(db: Db, found: SQL, compared: SQL): Promise<SQL> {
  const { rows } = await db.execute<{ id: number }>(sql`${found} limit ${FOUND_AT_MOST + 1}`)
  return rows.length > FOUND_AT_MOST
    ? compared
    : sql`b.id = any(${sql.param([...new Set(rows.map(({ id }) => id))])}::int[])`
}

/** With `offset 0`, PostgreSQL looks up title by title. Otherwise it reads what all titles have, which is faster to count. */
const existsFor = (purpose: Purpose, query: SQL): SQL =>
  purpose === 'page' ? sql`exists (${query} offset 0)` : sql`exists (${query})`

const TRIGRAM = /[\p{L}\p{N}]{3}/u

function withWord(db: Db, word: string, purpose: Purpose): Promise<SQL> {
  const part = likePart(word)
  const named = sql`lower(b.title || ' ' || b.slug || ' ' || coalesce(b.isbn, '')) like ${part}`
  // Read from the start of the table where the index has no trigram to find, and would be read as a whole.
  const found = TRIGRAM.test(word) ? named : sql`(${named}) is true`
  const publisher = sql`lower(p.name) like ${part}`
  const person = sql`lower(o.first_name || ' ' || o.last_name) like ${part}`
  return matching(
    db,
    sql`select b.id from books b where ${found}
      union all select b.id from books b join publishers p on p.id = b.publisher_id where ${publisher}
      union all select bp.book_id from book_people bp join people o on o.id = bp.person_id where ${person}`,
    sql`(${named} or b.publisher_id in (select p.id from publishers p where ${publisher})
      or ${existsFor(
        purpose,
        sql`select from book_people bp join people o on o.id = bp.person_id where bp.book_id = b.id and ${person}`,
      )})`,
  )
}

function withAnyGap(db: Db, purpose: Purpose): Promise<SQL> {
  const author = sql`select from book_people bp where bp.book_id = b.id and bp.role = 'author'`
  return matching(
    db,
    sql`select b.id from books b where ${ANY_GAP}
      union all select b.id from books b where not exists (${author})`,
    sql`(${ANY_GAP} or not ${existsFor(purpose, author)})`,
  )
}

async function conditionOf(
  db: Db,
  { ids, slug, words, format, state, missing, other, here }: OfficeTitleFilter,
  purpose: Purpose,
): Promise<SQL> {
  const parts = (words ?? '').split(/\s+/).filter(Boolean)
  const conditions = [
    sql`true`,
    ...(ids ? [sql`b.id = any(${sql.param([...ids])}::int[])`] : []),
    ...(slug === undefined ? [] : [sql`b.slug = ${slug}`]),
    ...(await Promise.all(parts.map((word) => withWord(db, word, purpose)))),
    ...(format ? [sql`b.format = ${format}`] : []),
    ...(state ? [isInState(state)] : []),
    ...(missing ? [missing === 'any' ? await withAnyGap(db, purpose) : lacking(missing)] : []),
    ...(other ? [sql`(b.counterpart_id is not null) = ${other === 'yes'}`] : []),
    ...(here ? [sql`(b.set_by_owner <> '{}' or b.state_by_command is not null) = ${here === 'yes'}`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

const SOLD_DAYS = 30
/** As in the index `order_lines_sold`. */
const soldSince = (now: BusinessTime) => sql`from order_lines l
  where l.sold_at > ${now.toISOString()}::timestamptz - make_interval(days => ${SOLD_DAYS}) and l.refunded_at is null`

const ORDERS_BY = {
  title: { by: sql`lower(b.title)`, type: 'text' },
  price: { by: sql`b.price_minor`, type: 'integer' },
  added: { by: sql`b.listed_at`, type: 'timestamptz' },
} as const
export type TitlesBy = keyof typeof ORDERS_BY | 'sold'
export const PLACE_VALUES = {
  title: 'text',
  price: 'whole',
  sold: 'whole',
  added: 'time',
} as const satisfies Record<TitlesBy, string>
export const isTitlesBy = (key: string): key is TitlesBy => key in PLACE_VALUES

export interface TitleSorting {
  readonly key: TitlesBy
  readonly isDescending: boolean
}

interface TitlePage {
  readonly sorting: TitleSorting
  readonly after?: Place | undefined
  readonly limit: number
  readonly now: BusinessTime
}

/** Chooses the rows first, so that people and gaps are only looked up for these. */
export async function selectOfficeTitles(
  db: Db,
  filter: OfficeTitleFilter,
  page: TitlePage,
): Promise<OfficeTitle[]> {
  const {
    sorting: { key, isDescending },
    now,
  } = page
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const condition = await conditionOf(db, filter, 'page')
  const chosen = key === 'sold' ? chooseBySales(condition, page) : chooseInOrder(condition, key, page)
  const { rows } = await db.execute<OfficeTitle & Record<string, unknown>>(sql`
    with chosen as (${chosen})
    select b.id, b.slug, b.format, b.title, b.isbn, b.cover_id as "coverId", b.preorder::text as preorder, b.published,
      ${STATE} as state, ${MISSING} as missing, ${HAS_PRICE} as "hasPrice", b.price_minor as "priceMinor",
      b.member_price_minor as "memberPriceMinor", b.set_by_owner as "setByOwner", chosen.by::text as value,
      ${key === 'sold' ? sql`chosen.by` : sql`(select count(*)::int ${soldSince(now)} and l.book_id = b.id)`} as sold,
      coalesce(p.name, '') as publisher,
      (select count(*)::int from library_entries l where l.book_id = b.id) as owners,
      coalesce((select string_agg(trim(o.first_name || ' ' || o.last_name), ', ' order by bp.position)
        from book_people bp join people o on o.id = bp.person_id
        where bp.book_id = b.id and bp.role = 'author'), '') as authors
    from chosen join books b on b.id = chosen.id left join publishers p on p.id = b.publisher_id
    order by chosen.by ${direction}, b.id ${direction}`)
  return rows
}

function chooseInOrder(
  condition: SQL,
  key: Exclude<TitlesBy, 'sold'>,
  { sorting: { isDescending }, after, limit }: TitlePage,
): SQL {
  const { by, type } = ORDERS_BY[key]
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const beyond = sql.raw(isDescending ? '<' : '>')
  const place = after
    ? sql`and (${by}, b.id) ${beyond} (${after.value}::${sql.raw(type)}, ${after.id}::int)`
    : sql``
  return sql`select b.id, ${by} as by from books b where ${condition} ${place}
    order by ${by} ${direction}, b.id ${direction} limit ${limit}`
}

/**
 * Two pages are read, one of the titles with sales and one of those without, in the order of the primary
 * key, and the first rows of both are taken: sorting all titles by their sales takes longer the more there are.
 */
function chooseBySales(condition: SQL, { sorting: { isDescending }, after, limit, now }: TitlePage): SQL {
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const beyond = sql.raw(isDescending ? '<' : '>')
  const sold = sql`with sold as materialized (
    select l.book_id, count(*)::int as count ${soldSince(now)} and l.book_id is not null group by l.book_id)`
  const inOrder = sql`order by by ${direction}, id ${direction} limit ${limit}`
  const soldPlace = after
    ? sql`where (count, book_id) ${beyond} (${after.value}::int, ${after.id}::int)`
    : sql``
  const unsoldPlace =
    after && Number(after.value) === 0
      ? sql`b.id ${beyond} ${after.id}::int`
      : sql`${after === undefined || isDescending}`
  return sql`${sold}
    (select ranked.book_id as id, ranked.count as by
      from (select * from sold ${soldPlace} order by count ${direction}, book_id ${direction}) ranked
      join books b on b.id = ranked.book_id
      where ${condition} ${inOrder})
    union all
    (select b.id, 0 as by from books b
      where b.id not in (select book_id from sold) and ${condition} and ${unsoldPlace} ${inOrder})
    ${inOrder}`
}

export async function countOfficeTitles(db: Db, filter: OfficeTitleFilter): Promise<number> {
  const condition = await conditionOf(db, filter, 'count')
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from books b where ${condition}`,
  )
  return rows[0]!.count
}

export interface Touched {
  readonly bags: number
  readonly gifts: number
  readonly owners: number
  readonly cards: number
  readonly highlights: number
  readonly scheduled: number
  readonly codes: {
    readonly code: string
    readonly percent: number | null
    readonly amountMinor: number | null
  }[]
}

/** What else a change of these titles reaches. */
export async function selectTouched(db: Db, ids: readonly number[], now: BusinessTime): Promise<Touched> {
  const these = sql`${sql.param([...ids])}::int[]`
  const { rows } = await db.execute<Touched & Record<string, unknown>>(sql`
    select
      (select count(distinct i.cart_id)::int from cart_items i join carts c on c.id = i.cart_id
        where i.book_id = any(${these}) and c.merged_into is null) as bags,
      (select count(*)::int from gifts where book_id = any(${these}) and state = 'given') as gifts,
      (select count(*)::int from library_entries where book_id = any(${these})) as owners,
      (select count(*)::int from books where id = any(${these}) and available_as_card) as cards,
      (select count(*)::int from books where id = any(${these}) and (edition or second_edition)) as highlights,
      (select count(*)::int from price_changes where book_id = any(${these}) and ended_at is null) as scheduled,
      coalesce((select json_agg(json_build_object('code', d.code, 'percent', d.percent, 'amountMinor', d.amount_minor) order by d.code)
        from discounts d where d.type = 'book' and d.book_ids && ${these} and d.active and d.stopped_at is null
          and (d.ends_at is null or d.ends_at > ${now.toISOString()}::timestamptz)), '[]'::json) as codes`)
  return rows[0]!
}

export interface SourceOfBook extends Record<string, unknown> {
  readonly state: string
  readonly stateByCommand: string | null
  readonly importedFrom: string | null
  readonly isOfCatalogue: boolean
  readonly isBound: boolean
}

export async function selectSourceOfBook(db: Db, id: number): Promise<SourceOfBook> {
  const { rows } = await db.execute<SourceOfBook>(sql`
    select state, state_by_command as "stateByCommand", imported_from as "importedFrom",
      coalesce(import_hash like 'catalogue:%', false) as "isOfCatalogue", ${IS_BOUND} as "isBound"
    from books b where id = ${id}`)
  return rows[0]!
}

export async function selectLocations(db: Db, bookId: number): Promise<string[]> {
  const { rows } = await db.execute<{ title: string }>(sql`
    select l.title from book_locations bl join locations l on l.id = bl.location_id
    where bl.book_id = ${bookId} order by l.title`)
  return rows.map(({ title }) => title)
}

/** Milliseconds of each sound that the shop has. */
export async function selectSounds(db: Db, ids: readonly string[]): Promise<[id: string, ms: number][]> {
  const rows = await db
    .select({ id: mediaFiles.sha256, durationMs: mediaFiles.durationMs })
    .from(mediaFiles)
    .where(and(inArray(mediaFiles.sha256, [...ids]), isNotNull(mediaFiles.durationMs)))
  return rows.map(({ id, durationMs }) => [id, durationMs!])
}

/** Names to choose from. */
export async function selectVocabulary(
  db: Db,
): Promise<Record<'languages' | 'categories' | 'styles' | 'publishers', string[]>> {
  const { rows } = await db.execute<
    Record<'languages' | 'categories' | 'styles' | 'publishers', string[]>
  >(sql`
    select array(select title from languages order by 1 limit 300) as languages,
      array(select name from categories order by 1 limit 300) as categories,
      array(select title from styles order by 1 limit 300) as styles,
      array(select name from publishers order by 1 limit 1000) as publishers`)
  return rows[0]!
}
