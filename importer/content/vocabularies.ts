import { eq, sql, asc, inArray } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { categories, locations, publishers, styles, books } from '#server/db/schema/catalogue.ts'
import { nationalities, people } from '#server/db/schema/people.ts'
import { fullName, nameKey } from '#server/features/catalogue/names.ts'
import { counted } from '#server/print/table.ts'
import { readJson } from './files.ts'
import { listChanged, piece, type Piece } from './piece.ts'
import { CategoriesFile, PeopleFile, PublishersFile, TitledFile, SeriesFile } from './schemas.ts'
import type { Transaction } from '#server/db/open.ts'
import { isDeepStrictEqual } from 'node:util'
import { bookSeries, series, seriesGaps } from '#server/db/schema/series.ts'
import { givenSeries, type GivenSeries } from '#server/features/catalogue/series-names.ts'

/** Imported before the titles, which choose from them. An entry that a list leaves out stays. */
export const VOCABULARY_FILES: Readonly<Record<string, (path: string) => Promise<Piece>>> = {
  'publishers.json': readPublishers,
  'categories.json': readCategories,
  'styles.json': (path) => readTitled(path, styles, 'styles'),
  'locations.json': (path) => readTitled(path, locations, 'places'),
  'series.json': readSeries,
  'people.json': readPeople,
  'nationalities.json': (path) => readTitled(path, nationalities, 'nationalities'),
}

async function readTitled(path: string, table: PgTable, words: string): Promise<Piece> {
  const titles = (await readJson(path, TitledFile)).map(({ title }) => title)
  return piece(`${titles.length} ${words}`, async (tx, { dryRun }) => {
    const { rows } = await tx.execute<{ title: string }>(sql`select title from ${table}`)
    const known = new Set(rows.map(({ title }) => title))
    const fresh = titles.filter((title) => !known.has(title))
    if (!dryRun)
      for (const title of fresh)
        await tx.execute(sql`insert into ${table} (title) values (${title}) on conflict do nothing`)
    return listChanged(known.size, fresh)
  })
}

async function readCategories(path: string): Promise<Piece> {
  const given = await readJson(path, CategoriesFile)
  return piece(`${given.length} categories`, async (tx, { dryRun }) => {
    const standing = await tx.select().from(categories)
    const changes: string[] = []
    for (const { name, visible = true, weight = 0 } of given) {
      const before = standing.find((category) => category.name === name)
      if (before?.visible === visible && before.weight === weight) continue
      changes.push(name)
      if (dryRun) continue
      await tx
        .insert(categories)
        .values({ name, visible, weight })
        .onConflictDoUpdate({ target: categories.name, set: { visible, weight } })
    }
    return listChanged(standing.length, changes)
  })
}

async function readPublishers(path: string): Promise<Piece> {
  const given = await readJson(path, PublishersFile)
  return piece(counted(given.length, 'publisher'), async (tx, { dryRun }) => {
    const standing = await tx.select().from(publishers)
    const changes: string[] = []
    for (const { slug, name, about = null, website = null } of given) {
      const before = standing.find((publisher) => publisher.slug === slug)
      if (before?.name === name && before.about === about && before.website === website) continue
      changes.push(name)
      if (dryRun) continue
      if (before)
        await tx.update(publishers).set({ name, about, website }).where(eq(publishers.id, before.id))
      else await tx.insert(publishers).values({ slug, name, about, website }).onConflictDoNothing()
      // The search finds a book by its publisher's name.
      if (before && before.name !== name)
        await tx.execute(sql`update books set search_text = null where publisher_id = ${before.id}`)
    }
    return listChanged(standing.length, changes)
  })
}

/** Imports of titles create people too. A person without a title has no page yet. */
async function readPeople(path: string): Promise<Piece> {
  const given = await readJson(path, PeopleFile)
  return piece(counted(given.length, 'person', 'people'), async (tx, { dryRun }) => {
    const standing = await tx.select().from(people)
    const changes: string[] = []
    for (const { firstName = '', lastName, about } of given) {
      const key = nameKey({ firstName, lastName })
      if (standing.find((person) => person.nameKey === key)?.about === about) continue
      changes.push(fullName({ firstName, lastName }))
      if (dryRun) continue
      await tx
        .insert(people)
        .values({ firstName, lastName, nameKey: key, about })
        .onConflictDoUpdate({ target: people.nameKey, set: { about } })
    }
    return listChanged(standing.length, changes)
  })
}

export async function bookIdsOf(tx: Transaction, slugs: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  if (slugs.length === 0) return found
  const rows = await tx
    .select({ id: books.id, slug: books.slug })
    .from(books)
    .where(inArray(books.slug, [...slugs]))
    .orderBy(asc(books.id))
  for (const { id, slug } of rows) found.set(slug, [...(found.get(slug) ?? []), id])
  return found
}

export async function knownPublishers(tx: Transaction, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await tx
    .select({ slug: publishers.slug })
    .from(publishers)
    .where(inArray(publishers.slug, [...slugs]))
  return new Set(rows.map(({ slug }) => slug))
}

type Gap = Omit<typeof seriesGaps.$inferSelect, 'seriesId' | 'position'>

/** A series that the file leaves out stays, but its list of missing titles is removed. */
export async function readSeries(path: string): Promise<Piece> {
  const given = await readJson(path, SeriesFile)
  const desired = given.flatMap(({ notHere = [], ...named }) =>
    givenSeries([named]).map(({ slug, title }) => ({
      slug,
      title,
      gaps: notHere.map(({ number, title: name, comesOut = null, published = null, story = null }): Gap => {
        const [place] = givenSeries([{ name, number }])
        return { number: place?.number ?? null, title: name, comesOut, published, story }
      }),
    })),
  )
  return piece(`${desired.length} series`, async (tx, { dryRun }) => {
    const standing = await selectExisting(tx)
    const changes: string[] = []
    for (const { slug, title, gaps } of desired) {
      const before = standing.get(slug)
      if (before?.title === title && isDeepStrictEqual(before.gaps, gaps)) continue
      changes.push(title)
      if (!dryRun) await write(tx, { slug, title }, gaps, before?.title)
    }
    for (const [slug, { title, gaps }] of standing) {
      if (gaps.length === 0 || desired.some((each) => each.slug === slug)) continue
      changes.push(title)
      if (!dryRun) await write(tx, { slug, title }, [], title)
    }
    return listChanged(standing.size, changes)
  })
}

async function selectExisting(tx: Transaction): Promise<Map<string, { title: string; gaps: Gap[] }>> {
  const standing = new Map<string, { title: string; gaps: Gap[] }>()
  const rows = await tx
    .select({ series, gap: seriesGaps })
    .from(series)
    .leftJoin(seriesGaps, eq(seriesGaps.seriesId, series.id))
    .orderBy(asc(series.id), asc(seriesGaps.position))
  for (const { series: row, gap } of rows) {
    const one = standing.get(row.slug) ?? { title: row.title, gaps: [] }
    standing.set(row.slug, one)
    if (!gap) continue
    const { seriesId: _seriesId, position: _position, ...said } = gap
    one.gaps.push(said)
  }
  return standing
}

async function write(
  tx: Transaction,
  { slug, title }: Pick<GivenSeries, 'slug' | 'title'>,
  gaps: readonly Gap[],
  before: string | undefined,
): Promise<void> {
  const [row] = await tx
    .insert(series)
    .values({ slug, title })
    .onConflictDoUpdate({ target: series.slug, set: { title } })
    .returning({ id: series.id })
  const seriesId = row!.id
  await tx.delete(seriesGaps).where(eq(seriesGaps.seriesId, seriesId))
  if (gaps.length > 0)
    await tx.insert(seriesGaps).values(gaps.map((gap, position) => ({ seriesId, position, ...gap })))
  // The search finds a book by the name of its series.
  if (before !== undefined && before !== title)
    await tx.execute(sql`
      update books set search_text = null
      where id in (select ${bookSeries.bookId} from ${bookSeries} where ${bookSeries.seriesId} = ${seriesId})`)
}
