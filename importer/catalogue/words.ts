import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import { nameKey, type PersonName, slugOf } from '../names.ts'

const TABLES = {
  languages: 'title',
  styles: 'title',
  categories: 'name',
  locations: 'title',
  tags: 'title',
} as const

/** The ids of words; inserts the missing ones. */
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

/** Ids by the given name. A publisher without Latin letters has no slug and is left out. */
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
