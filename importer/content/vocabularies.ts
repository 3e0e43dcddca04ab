import { eq, sql, asc, inArray } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { categories, locations, publishers, styles, books } from '#server/db/schema/catalogue.ts'
import { nationalities } from '#server/db/schema/people.ts'
import { counted } from '#server/print/table.ts'
import { readJson } from './files.ts'
import { listChanged, listPiece, type Piece } from './piece.ts'
import { CategoriesFile, PublishersFile, TitledFile } from './schemas.ts'
import { readSeries } from './series.ts'
import type { Transaction } from '#server/db/open.ts'

/**
 * The lists from which titles choose their publisher, style and so on; imported before the titles. An entry that a list
 * leaves out stays.
 */
export const VOCABULARY_FILES: Readonly<Record<string, (path: string) => Promise<Piece>>> = {
  'publishers.json': readPublishers,
  'categories.json': readCategories,
  'styles.json': (path) => readTitled(path, styles, 'styles'),
  'locations.json': (path) => readTitled(path, locations, 'places'),
  'series.json': readSeries,
  'nationalities.json': (path) => readTitled(path, nationalities, 'nationalities'),
}

/** Adds new words in the file's order. */
async function readTitled(path: string, table: PgTable, words: string): Promise<Piece> {
  const titles = (await readJson(path, TitledFile)).map(({ title }) => title)
  return listPiece(`${titles.length} ${words}`, async (tx, { dryRun }) => {
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
  return listPiece(`${given.length} categories`, async (tx, { dryRun }) => {
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
  return listPiece(counted(given.length, 'publisher'), async (tx, { dryRun }) => {
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
