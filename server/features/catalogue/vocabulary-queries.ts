import { eq, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../db/open.ts'
import {
  bookPeople,
  books,
  categories,
  languages,
  locations,
  publishers,
  styles,
  tags,
} from '../../db/schema/catalogue.ts'
import { nationalities, people } from '../../db/schema/people.ts'
import { series } from '../../db/schema/series.ts'
import { nameKey, type PersonName } from './names.ts'

export interface DesiredPublisher {
  readonly slug: string
  readonly name: string
  readonly about?: string
  readonly website?: string
}

/** The advisory lock of imports; the number must differ from all other advisory locks. */
const IMPORT_LOCK = 7_305_512

export const lockImports = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`)

/** Each of these functions inserts a missing word. */
export const styleId = (tx: Transaction, title: string) => findOrInsertId(tx, styles, 'title', title)
export const categoryId = (tx: Transaction, name: string) => findOrInsertId(tx, categories, 'name', name)
export const locationId = (tx: Transaction, title: string) => findOrInsertId(tx, locations, 'title', title)
export const tagId = (tx: Transaction, title: string) => findOrInsertId(tx, tags, 'title', title)
export const languageId = (tx: Transaction, title: string) => findOrInsertId(tx, languages, 'title', title)
export const nationalityId = (tx: Transaction, title: string) =>
  findOrInsertId(tx, nationalities, 'title', title)

async function findOrInsertId(
  tx: Transaction,
  table: PgTable,
  column: 'title' | 'name',
  value: string,
): Promise<number> {
  const name = sql.identifier(column)
  const find = () =>
    tx
      .execute<{ id: number }>(sql`select id from ${table} where ${name} = ${value}`)
      .then(({ rows }) => rows[0]?.id)
  const known = await find()
  if (known !== undefined) return known
  await tx.execute(sql`insert into ${table} (${name}) values (${value}) on conflict do nothing`)
  return (await find())!
}

export async function personId(tx: Transaction, person: PersonName): Promise<number> {
  const key = nameKey(person)
  const [known] = await tx.select({ id: people.id }).from(people).where(eq(people.nameKey, key))
  if (known) return known.id
  const [made] = await tx
    .insert(people)
    .values({ firstName: person.firstName, lastName: person.lastName, nameKey: key })
    .onConflictDoUpdate({ target: people.nameKey, set: { nameKey: key } })
    .returning({ id: people.id })
  return made!.id
}

/** A known series keeps its title; only `series.json` changes it. */
export async function seriesId(
  tx: Transaction,
  { slug, title }: { readonly slug: string; readonly title: string },
): Promise<number> {
  const find = () =>
    tx
      .select({ id: series.id })
      .from(series)
      .where(eq(series.slug, slug))
      .then(([row]) => row?.id)
  const known = await find()
  if (known !== undefined) return known
  await tx.insert(series).values({ slug, title }).onConflictDoNothing()
  return (await find())!
}

export interface Correction {
  readonly what: string
  /** Other titles refer to the same one, so this title does not change it. */
  readonly disputed: boolean
  apply(tx: Transaction): Promise<void>
}

export async function correctionsOfPeople(
  tx: Transaction,
  given: readonly PersonName[],
  slug: string,
): Promise<Correction[]> {
  const corrections: Correction[] = []
  for (const person of given) {
    const { nationality } = person
    if (!nationality) continue
    const [known] = await tx
      .select({ id: people.id, nationality: nationalities.title })
      .from(people)
      .leftJoin(nationalities, eq(nationalities.id, people.nationalityId))
      .where(eq(people.nameKey, nameKey(person)))
    if (!known || known.nationality === nationality) continue
    const others = await tx.execute(sql`
      select 1 from ${bookPeople} bp join ${books} b on b.id = bp.book_id
      where bp.person_id = ${known.id} and b.slug <> ${slug} limit 1`)
    corrections.push({
      what: `the nationality of ${person.firstName} ${person.lastName} (${known.nationality ?? 'none'})`,
      disputed: known.nationality !== null && others.rows.length > 0,
      apply: async (into) => {
        const id = await nationalityId(into, nationality)
        await into.update(people).set({ nationalityId: id }).where(eq(people.id, known.id))
        await forgetBooksOf(into, sql`bp.person_id = ${known.id}`)
      },
    })
  }
  return corrections
}

/** So that the next refresh indexes the new nationality. */
export async function forgetBooksOf(tx: Transaction, whom: SQL): Promise<void> {
  await tx.execute(sql`
    update books set search_text = null
    where id in (select bp.book_id from book_people bp join people p on p.id = bp.person_id where ${whom})`)
}

export async function publisherId(tx: Transaction, publisher: DesiredPublisher): Promise<number> {
  const { slug, name, about, website } = publisher
  const find = () =>
    tx
      .select({ id: publishers.id })
      .from(publishers)
      .where(eq(publishers.slug, slug))
      .then(([row]) => row?.id)
  const known = await find()
  if (known !== undefined) return known
  await tx
    .insert(publishers)
    .values({ slug, name, about: about ?? null, website: website ?? null })
    .onConflictDoNothing()
  return (await find())!
}

export async function correctionsOfPublisher(
  tx: Transaction,
  given: DesiredPublisher | undefined,
  slug: string,
): Promise<Correction[]> {
  if (!given) return []
  const [known] = await tx.select().from(publishers).where(eq(publishers.slug, given.slug))
  if (!known) return []
  const others = await tx.execute(
    sql`select 1 from ${books} where publisher_id = ${known.id} and slug <> ${slug} limit 1`,
  )
  return (['name', 'about', 'website'] as const).flatMap((field) => {
    const value = given[field]
    if (value === undefined || value === known[field]) return []
    return {
      what: `the publisher’s ${field}`,
      disputed: known[field] !== null && others.rows.length > 0,
      apply: async (into) => {
        await into
          .update(publishers)
          .set({ [field]: value })
          .where(eq(publishers.id, known.id))
      },
    } satisfies Correction
  })
}
