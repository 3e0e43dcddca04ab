import { sql, type SQL } from 'drizzle-orm'
import { DAY_MS } from '#contract/durations.ts'
import type { DocumentKind, DocumentState, PieceKind } from '#contract/office/documents.ts'
import type { Db } from '../../db/open.ts'
import type { Place } from '../keyset.ts'

export interface PieceFilter {
  readonly now: Date
  readonly words?: string | undefined
  readonly kind?: PieceKind | undefined
  readonly state?: DocumentState | undefined
}

export interface ListedRow extends Record<string, unknown> {
  id: number
  value: string
  kind: DocumentKind
  key: string
  title: string
  author: string | null
  state: DocumentState
  hasDraft: boolean
  at: string | null
  savedAt: string | null
  savedBy: string | null
  isSetHere: boolean
  folderDiffers: boolean
  binnedAt: string | null
}

/** How long something can be put back. */
export const BIN_DAYS = 30
const IN_BIN = sql`d.binned_at is not null`
const isGone = (now: Date) =>
  sql`coalesce(d.binned_at < ${new Date(now.getTime() - BIN_DAYS * DAY_MS).toISOString()}::timestamptz, false)`
const AT = sql`coalesce(d.publish_at, e.published_at, d.saved_at, 'epoch')`
/** A piece without a row of its own kind has a negative number. */
const ID = sql`coalesce(e.id, -d.id)`

const PIECES = sql`
  (select id, kind, slug, title, published, published_at, author_id, hide_author from editorial_items) e
  full join (select * from documents where kind in ('article', 'interview', 'discussion')) d
    on d.kind = e.kind and d.key = e.slug
  left join editorial_authors a on a.id = e.author_id and not e.hide_author`

const STATE = sql`case when ${IN_BIN} then 'binned' when d.publish_at is not null then 'scheduled'
  when e.id is null then 'draft' when not e.published then 'hidden' else 'live' end`
const TITLE = sql`coalesce(nullif(d.title, ''), e.title, '')`

const instant = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

const FROM_DOCUMENT = sql`
  d.draft is not null as "hasDraft", ${instant(sql`d.saved_at`)} as "savedAt", d.saved_by as "savedBy",
  d.set_here_at is not null as "isSetHere", d.folder is not null as "folderDiffers",
  ${instant(sql`d.binned_at`)} as "binnedAt"`

function conditionOf({ now, words, kind, state }: PieceFilter): SQL {
  const like = words && `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql.join(
    [
      sql`not ${isGone(now)}`,
      state ? sql`${STATE} = ${state}` : sql`not (${IN_BIN})`,
      ...(kind ? [sql`coalesce(e.kind, d.kind) = ${kind}`] : []),
      ...(like
        ? [
            sql`(lower(${TITLE}) like ${like} or lower(concat_ws(' ', a.first_name, a.last_name)) like ${like})`,
          ]
        : []),
    ],
    sql` and `,
  )
}

const SORTS = {
  at: { by: AT, type: 'timestamptz' },
  title: { by: sql`lower(${TITLE})`, type: 'text' },
} as const
export type PiecesBy = keyof typeof SORTS
export const PLACE_VALUES = { at: 'time', title: 'text' } as const
export const isPiecesBy = (key: string): key is PiecesBy => key in SORTS

export async function selectPieces(
  db: Db,
  filter: PieceFilter,
  {
    by: key,
    isDescending,
    after,
    limit,
  }: {
    readonly by: PiecesBy
    readonly isDescending: boolean
    readonly after: Place | undefined
    readonly limit: number
  },
): Promise<ListedRow[]> {
  const { by, type } = SORTS[key]
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const beyond = sql.raw(isDescending ? '<' : '>')
  const { rows } = await db.execute<ListedRow>(sql`
    select ${ID} as id, (${by})::text as value, coalesce(e.kind, d.kind) as kind, coalesce(e.slug, d.key) as key,
      ${TITLE} as title, nullif(concat_ws(' ', a.first_name, a.last_name), '') as author, ${STATE} as state,
      ${instant(sql`coalesce(d.publish_at, e.published_at)`)} as at, ${FROM_DOCUMENT}
    from ${PIECES}
    where ${conditionOf(filter)}
      ${after ? sql`and (${by}, ${ID}) ${beyond} (${after.value}::${sql.raw(type)}, ${after.id}::int)` : sql``}
    order by ${by} ${direction}, ${ID} ${direction} limit ${limit}::int`)
  return rows
}

export async function countPieces(db: Db, filter: PieceFilter): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${PIECES} where ${conditionOf(filter)}`,
  )
  return rows[0]?.count ?? 0
}

const PAGES_AT_MOST = 500

/** The home page, menus and questions first, which a shop has once each. */
export async function selectPages(db: Db, now: Date): Promise<ListedRow[]> {
  const { rows } = await db.execute<ListedRow>(sql`
    select coalesce(d.id, 0) as id, '' as value, coalesce(e.kind, d.kind) as kind, coalesce(e.key, d.key) as key,
      coalesce(e.title, nullif(d.title, ''), '') as title, null as author,
      case when ${IN_BIN} then 'binned' when d.publish_at is not null then 'scheduled'
        when e.key is null then 'draft' else 'live' end as state,
      ${instant(sql`d.publish_at`)} as at, ${FROM_DOCUMENT}
    from (select 'page' as kind, slug as key, title, 1 as place from info_pages
        union all values ('faq', 'faq', 'Questions and answers', 0), ('menus', 'menus', 'Menus', 0)) e
      full join (select * from documents where kind in ('page', 'faq', 'menus')) d on d.kind = e.kind and d.key = e.key
    where not ${isGone(now)}
    order by ${IN_BIN}, coalesce(e.place, 1), lower(coalesce(e.title, d.title)) limit ${PAGES_AT_MOST}::int`)
  return rows
}

export interface TitleRow extends Record<string, unknown> {
  slug: string
  title: string
  by: string
  words: string
  wordsBy: string
  coverId: string | null
  background: string | null
  ink: string | null
}

const TITLE_COLUMNS = sql`
  b.slug, b.title, coalesce(b.bookseller_words, '') as words, coalesce(b.bookseller_name, '') as "wordsBy",
  b.cover_id as "coverId", b.background_colour as background, b.text_colour as ink,
  coalesce((select string_agg(concat_ws(' ', p.first_name, p.last_name), ', ' order by bp.position)
    from book_people bp join people p on p.id = bp.person_id where bp.book_id = b.id and bp.role = 'author'), '') as by`

export async function selectTitlesBySlug(db: Db, slugs: readonly string[]): Promise<TitleRow[]> {
  const { rows } = await db.execute<TitleRow>(sql`
    select distinct on (wanted.position) ${TITLE_COLUMNS}
    from unnest(${sql.param([...slugs])}::text[]) with ordinality as wanted(slug, position)
    join books b on b.slug = wanted.slug order by wanted.position, b.format`)
  return rows
}

export async function selectTitlesById(
  db: Db,
  ids: readonly number[],
): Promise<(TitleRow & { id: number })[]> {
  const { rows } = await db.execute<TitleRow & { id: number }>(
    sql`select b.id, ${TITLE_COLUMNS} from books b where b.id = any(${sql.param([...ids])}::int[])`,
  )
  return rows
}

const AUDIOBOOK_OR_ONLY_EBOOK = sql`(b.format = 'audio_book' or b.format = 'e_book'
  and not exists (select from books other where other.slug = b.slug and other.format = 'audio_book'))`

export async function findTitles(db: Db, words: string, withEBooks: boolean): Promise<TitleRow[]> {
  const like = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows } = await db.execute<TitleRow>(sql`
    select ${TITLE_COLUMNS} from books b
    where ${withEBooks ? AUDIOBOOK_OR_ONLY_EBOOK : sql`b.format = 'audio_book'`} and (lower(b.title) like ${like} or exists (
      select from book_people bp join people p on p.id = bp.person_id
      where bp.book_id = b.id and lower(concat_ws(' ', p.first_name, p.last_name)) like ${like}))
    order by lower(b.title), b.id limit 12`)
  return rows
}

export async function selectChoices(db: Db) {
  const [authors, categories, types, publishers] = await Promise.all([
    db.execute<{ key: string; name: string }>(
      sql`select name_key as key, trim(concat_ws(' ', first_name, last_name)) as name from editorial_authors order by name_key limit 500`,
    ),
    db.execute<{ name: string }>(sql`select name from editorial_categories order by name limit 500`),
    db.execute<{ title: string }>(sql`select title from murmuration_types order by title limit 500`),
    db.execute<{ slug: string; name: string }>(
      sql`select slug, name from publishers order by lower(name) limit 1000`,
    ),
  ])
  return {
    authors: authors.rows,
    categories: categories.rows.map(({ name }) => name),
    types: types.rows.map(({ title }) => title),
    publishers: publishers.rows,
  }
}
