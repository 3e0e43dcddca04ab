import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import {
  bookLocations,
  bookPeople,
  bookTags,
  books,
  categories,
  chapters,
  languages,
  locations,
  publishers,
  styles,
  tags,
} from '#server/db/schema/catalogue.ts'
import { adjustedSounds, alignments, soundCaptions } from '#server/db/schema/in-step.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { people } from '#server/db/schema/people.ts'
import { bookSeries, series } from '#server/db/schema/series.ts'
import type { DesiredBook } from './desired.ts'
import type { FieldValues } from '#server/features/catalogue/owners-fields.ts'
import { isDeepStrictEqual } from 'node:util'
import type { FoundCaptions, Format } from './found.ts'

export interface ExistingBook {
  readonly id: number
  readonly counterpartId: number | null
  readonly importHash: string | null
  readonly importedFrom: string | null
  readonly setByOwner: readonly string[]
  readonly stateByCommand: string | null
  readonly sourceValues: FieldValues
  readonly book: DesiredBook
}

export async function selectExisting(db: Db, slug: string): Promise<Map<Format, ExistingBook>> {
  const rows = await db
    .select({
      book: books,
      language: languages.title,
      style: styles.title,
      category: categories.name,
      publisher: publishers.slug,
      translator: sql<string | null>`(
        select trim(${people.firstName} || ' ' || ${people.lastName}) from ${people} where ${people.id} = ${books.translatorId})`,
    })
    .from(books)
    .leftJoin(languages, eq(languages.id, books.languageId))
    .leftJoin(styles, eq(styles.id, books.styleId))
    .leftJoin(categories, eq(categories.id, books.categoryId))
    .leftJoin(publishers, eq(publishers.id, books.publisherId))
    .where(eq(books.slug, slug))
  const standing = new Map<Format, ExistingBook>()
  for (const row of rows) standing.set(row.book.format, await withLists(db, row))
  return standing
}

export async function selectOfFolder(
  db: Db,
  folder: string,
): Promise<{ slug: string; title: string; importedFrom: string | null } | undefined> {
  const [row] = await db
    .select({ slug: books.slug, title: books.title, importedFrom: books.importedFrom })
    .from(books)
    // The stored origin contains `/./` (`origin.ts`).
    .where(sql`replace(${books.importedFrom}, '/./', '/') = ${folder}`)
    .limit(1)
  return row
}

/** Paths below an imported parent folder are read relative to it, so that titles get the same authors and series. */
export async function selectLibrary(db: Db, folder: string): Promise<string | undefined> {
  const root = sql`split_part(${books.importedFrom}, '/./', 1)`
  const { rows } = await db.execute<{ root: string }>(sql`
    select ${root} as root from ${books}
    where ${books.importedFrom} like '%/./%/%' and starts_with(${folder}, ${root} || '/')
    group by 1
    order by count(*) filter (where starts_with(replace(${books.importedFrom}, '/./', '/'), ${`${folder}/`})) desc, count(*) desc
    limit 1`)
  return rows[0]?.root
}

interface Row {
  readonly book: typeof books.$inferSelect
  readonly language: string | null
  readonly style: string | null
  readonly category: string | null
  readonly publisher: string | null
  readonly translator: string | null
}

async function withLists(db: Db, { book, ...names }: Row): Promise<ExistingBook> {
  const named = await db
    .select({
      role: bookPeople.role,
      name: sql<string>`trim(${people.firstName} || ' ' || ${people.lastName})`,
    })
    .from(bookPeople)
    .innerJoin(people, eq(people.id, bookPeople.personId))
    .where(eq(bookPeople.bookId, book.id))
    .orderBy(asc(bookPeople.role), asc(bookPeople.position))
  const located = await db
    .select({ title: locations.title })
    .from(bookLocations)
    .innerJoin(locations, eq(locations.id, bookLocations.locationId))
    .where(eq(bookLocations.bookId, book.id))
  const tagged = await db
    .select({ title: tags.title })
    .from(bookTags)
    .innerJoin(tags, eq(tags.id, bookTags.tagId))
    .where(eq(bookTags.bookId, book.id))
  const chapterRows = await db
    .select({
      title: chapters.title,
      durationMs: chapters.durationMs,
      // The folder has the original of a sound with another volume.
      soundId: sql<string>`coalesce(${adjustedSounds.originalId}, ${chapters.soundId})`,
    })
    .from(chapters)
    .leftJoin(adjustedSounds, eq(adjustedSounds.soundId, chapters.soundId))
    .where(eq(chapters.bookId, book.id))
    .orderBy(asc(chapters.number))
  const places = await db
    .select({
      slug: series.slug,
      number: bookSeries.number,
      published: bookSeries.published,
      story: bookSeries.story,
    })
    .from(bookSeries)
    .innerJoin(series, eq(series.id, bookSeries.seriesId))
    .where(eq(bookSeries.bookId, book.id))
    .orderBy(asc(bookSeries.position))
  const titles = (rows: readonly { title: string }[]) => rows.map(({ title }) => title).sort()
  const of = (role: 'author' | 'narrator') =>
    named.filter((each) => each.role === role).map(({ name }) => name)
  const { id, counterpartId, importHash, importedFrom, setByOwner, stateByCommand, sourceValues } = book
  return {
    id,
    counterpartId,
    importHash,
    importedFrom,
    setByOwner,
    stateByCommand,
    sourceValues,
    book: {
      ...book,
      ...names,
      coverId: book.coverId ?? '',
      authors: of('author'),
      narrators: of('narrator'),
      locations: titles(located),
      tags: titles(tagged),
      series: places,
      chapters: chapterRows,
    },
  }
}

export async function updateOrigin(db: Db, ids: readonly number[], importedFrom: string): Promise<void> {
  await db
    .update(books)
    .set({ importedFrom })
    .where(inArray(books.id, [...ids]))
}

export async function isOwned(db: Db, bookId: number): Promise<boolean> {
  const owned = await db
    .select({ id: libraryEntries.bookId })
    .from(libraryEntries)
    .where(eq(libraryEntries.bookId, bookId))
    .limit(1)
  return owned.length > 0
}

export async function selectIsbnOwner(
  db: Db,
  isbn: string,
  { slug, format }: Pick<DesiredBook, 'slug' | 'format'>,
): Promise<string | undefined> {
  const [row] = await db
    .select({ slug: books.slug, format: books.format })
    .from(books)
    .where(eq(books.isbn, isbn))
  return row && (row.slug !== slug || row.format !== format) ? row.slug : undefined
}

export async function selectSpiSinOwner(db: Db, spiSin: string, slug: string): Promise<string | undefined> {
  const [row] = await db
    .select({ slug: books.slug })
    .from(books)
    .where(and(eq(books.spiSin, spiSin), ne(books.slug, slug)))
    .limit(1)
  return row?.slug
}

/** Sounds whose captions the folder changed, added or (undefined) removed. */
export async function selectChangedCaptions(
  db: Db,
  sounds: readonly string[],
  found: ReadonlyMap<string, FoundCaptions>,
): Promise<Map<string, FoundCaptions | undefined>> {
  const stored = await db
    .select()
    .from(soundCaptions)
    .where(inArray(soundCaptions.soundId, [...sounds]))
  return new Map(
    sounds.flatMap((sound) => {
      const { soundId: _, ...before } = stored.find(({ soundId }) => soundId === sound) ?? {}
      const after = found.get(sound)
      return isDeepStrictEqual(before, { ...after }) ? [] : [[sound, after]]
    }),
  )
}

/** The next analysis finds the sentences of these sounds again. */
export async function storeCaptions(
  db: Db,
  changed: ReadonlyMap<string, FoundCaptions | undefined>,
): Promise<void> {
  for (const [soundId, captions] of changed) {
    await db.delete(soundCaptions).where(eq(soundCaptions.soundId, soundId))
    if (captions) await db.insert(soundCaptions).values({ soundId, ...captions })
    const adjusted = db
      .select({ soundId: adjustedSounds.soundId })
      .from(adjustedSounds)
      .where(eq(adjustedSounds.originalId, soundId))
    await db
      .delete(alignments)
      .where(or(eq(alignments.soundId, soundId), inArray(alignments.soundId, adjusted)))
  }
}

/** With the volume that the owner chose, where the book has the same sounds already. */
export async function atChosenVolume(
  db: Db,
  bookId: number,
  list: DesiredBook['chapters'],
): Promise<DesiredBook['chapters']> {
  const chosen = await db
    .select({ soundId: adjustedSounds.soundId, originalId: adjustedSounds.originalId })
    .from(chapters)
    .innerJoin(adjustedSounds, eq(adjustedSounds.soundId, chapters.soundId))
    .where(eq(chapters.bookId, bookId))
  const adjusted = new Map(chosen.map(({ soundId, originalId }) => [originalId, soundId]))
  return list.map((chapter) => ({ ...chapter, soundId: adjusted.get(chapter.soundId) ?? chapter.soundId }))
}
