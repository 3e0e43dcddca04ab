import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import { hiddenIn } from '../hidden-characters.ts'
import { nameKey, type PersonName, slugOf } from '#server/features/catalogue/names.ts'
import type { Format } from '../found.ts'
import { RowRefused, type Notes } from './notes.ts'

const TABLES = {
  languages: 'title',
  styles: 'title',
  categories: 'name',
  locations: 'title',
  tags: 'title',
} as const

export async function wordIds(
  db: Db,
  table: keyof typeof TABLES,
  words: readonly (string | null)[],
): Promise<Map<string, number>> {
  const asked = [...new Set(words.filter((word) => word !== null))].sort()
  if (asked.length === 0) return new Map()
  const [into, column] = [sql.identifier(table), sql.identifier(TABLES[table])]
  const given = sql`unnest(${sql.param(asked)}::text[]) with ordinality as w(word, place)`
  await db.execute(sql`
    insert into ${into} (${column}) select word from ${given}
    where not exists (select 1 from ${into} where ${column} = word) order by place on conflict do nothing`)
  const { rows } = await db.execute<{ id: number; word: string }>(
    sql`select id, ${column} as word from ${into} where ${column} = any(${sql.param(asked)}::text[])`,
  )
  return new Map(rows.map(({ id, word }) => [word, id]))
}

export async function peopleIds(db: Db, people: readonly PersonName[]): Promise<Map<string, number>> {
  const asked = new Map(people.map((person) => [nameKey(person), person]))
  if (asked.size === 0) return new Map()
  const keys = [...asked.keys()].sort()
  const persons = keys.map((key) => asked.get(key)!)
  await db.execute(sql`
    insert into people (name_key, first_name, last_name)
    select * from unnest(${sql.param(keys)}::text[],
      ${sql.param(persons.map(({ firstName }) => firstName))}::text[],
      ${sql.param(persons.map(({ lastName }) => lastName))}::text[]) as n(key, first, last)
    where not exists (select 1 from people where name_key = key) on conflict do nothing`)
  const { rows } = await db.execute<{ id: number; key: string }>(
    sql`select id, name_key as key from people where name_key = any(${sql.param(keys)}::text[])`,
  )
  return new Map(rows.map(({ id, key }) => [key, id]))
}

export async function seriesIds(
  db: Db,
  given: readonly { readonly slug: string; readonly title: string }[],
): Promise<Map<string, number>> {
  const asked = new Map(given.map(({ slug, title }) => [slug, title]))
  if (asked.size === 0) return new Map()
  const slugs = [...asked.keys()].sort()
  await db.execute(sql`
    insert into series (slug, title)
    select * from unnest(${sql.param(slugs)}::text[],
      ${sql.param(slugs.map((slug) => asked.get(slug)!))}::text[]) as n(word, full_title)
    where not exists (select 1 from series where slug = word) on conflict do nothing`)
  const { rows } = await db.execute<{ id: number; slug: string }>(
    sql`select id, slug from series where slug = any(${sql.param(slugs)}::text[])`,
  )
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}

/** A publisher without Latin letters has no slug and is left out. */
export async function publisherIds(db: Db, names: readonly (string | null)[]): Promise<Map<string, number>> {
  const asked = new Map(
    names.flatMap((name) => (name && slugOf(name) ? [[slugOf(name), name] as const] : [])),
  )
  if (asked.size === 0) return new Map()
  const slugs = [...asked.keys()].sort()
  await db.execute(sql`
    insert into publishers (slug, name)
    select * from unnest(${sql.param(slugs)}::text[],
      ${sql.param(slugs.map((slug) => asked.get(slug)!))}::text[]) as n(word, full_name)
    where not exists (select 1 from publishers where slug = word) on conflict do nothing`)
  const { rows } = await db.execute<{ id: number; slug: string }>(
    sql`select id, slug from publishers where slug = any(${sql.param(slugs)}::text[])`,
  )
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}

export const NO_PRICE = [
  'no price',
  'No price: listed last, and neither sold nor found by search until it has one.',
] as const

export interface OfAll {
  readonly format?: Format
  /** In pence. */
  readonly priceMinor?: number
  /** In per cent. */
  readonly memberDiscount?: number
}

const LONGEST_TITLE = 1_000
/** The limit of a database index; no real tag is longer. */
const LONGEST_TAG = 200

/** @throws `RowRefused` if the title is missing or as long as a page */
export function titleOf(title: string, subtitle: string): string {
  // Library records mark the beginning of the subtitle with a subfield code such as `$b`.
  const bare = title.replace(/\s*:?\s*\$[a-z]\s+/g, ': ').replace(/^: /, '')
  if (bare === '') throw new RowRefused('no title', 'The row has no title.')
  const whole =
    subtitle === '' || bare.toLowerCase().includes(subtitle.toLowerCase()) ? bare : `${bare}: ${subtitle}`
  const hidden = hiddenIn('title', whole)
  if (hidden !== undefined) throw new RowRefused('a title with hidden characters', hidden)
  if (whole.length > LONGEST_TITLE)
    throw new RowRefused(
      'title too long',
      `The title has ${whole.length} characters; the shop takes up to ${LONGEST_TITLE}.`,
    )
  return whole
}

export function keptTags(tags: readonly string[], notes: Notes): string[] {
  const kept = tags.filter((tag) => tag.length <= LONGEST_TAG)
  if (kept.length < tags.length)
    notes.add('tag too long', `A tag or place of more than ${LONGEST_TAG} characters was left out.`)
  return kept.sort()
}

export function refusedCountries(cell: string): string[] {
  const codes = cell.split(/[\s,;|]+/).filter(Boolean)
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code))
  if (wrong)
    throw new RowRefused('not a country', `blocked_countries: “${wrong}” is not a country code, like US.`)
  return [...new Set(codes)].sort()
}
