import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import type { Db, Transaction } from '../../db/open.ts'
import {
  bookPeople,
  books,
  bookTags,
  categories,
  languages,
  publishers,
  type SourceValues,
  styles,
  tags,
} from '../../db/schema/catalogue.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import { people } from '../../db/schema/people.ts'
import { bookSeries, series } from '../../db/schema/series.ts'
import { selectChapters, updateMeasuredLength, writeChapters } from './chapters-queries.ts'
import type { Chapter } from './chapters.ts'
import { personOf, publisherOf } from './names.ts'
import {
  COLUMNS_OF,
  columnsIn,
  type FieldValues,
  isColumnField,
  isListField,
  isObject,
  type ListField,
  valueOf,
} from './owners-fields.ts'
import { givenSeries } from './series-names.ts'
import {
  categoryId,
  languageId,
  personId,
  publisherId,
  seriesId,
  styleId,
  tagId,
} from './vocabulary-queries.ts'

const PERSON = sql<string>`trim(${people.firstName} || ' ' || ${people.lastName})`

/** The values of all fields that an owner can set. @returns undefined for an unknown id */
export async function selectFieldValues(db: Db, bookId: number): Promise<FieldValues | undefined> {
  const [row] = await db
    .select({
      book: books,
      language: languages.title,
      style: styles.title,
      category: categories.name,
      publisher: publishers.name,
      translator: sql<
        string | null
      >`(select ${PERSON} from ${people} where ${people.id} = ${books.translatorId})`,
    })
    .from(books)
    .leftJoin(languages, eq(languages.id, books.languageId))
    .leftJoin(styles, eq(styles.id, books.styleId))
    .leftJoin(categories, eq(categories.id, books.categoryId))
    .leftJoin(publishers, eq(publishers.id, books.publisherId))
    .where(eq(books.id, bookId))
  if (!row) return undefined
  const named = await db
    .select({ role: bookPeople.role, name: PERSON })
    .from(bookPeople)
    .innerJoin(people, eq(people.id, bookPeople.personId))
    .where(eq(bookPeople.bookId, bookId))
    .orderBy(asc(bookPeople.role), asc(bookPeople.position))
  const tagged = await db
    .select({ title: tags.title })
    .from(bookTags)
    .innerJoin(tags, eq(tags.id, bookTags.tagId))
    .where(eq(bookTags.bookId, bookId))
    .orderBy(asc(tags.title))
  const places = await db
    .select({
      slug: series.slug,
      title: series.title,
      number: bookSeries.number,
      published: bookSeries.published,
      story: bookSeries.story,
    })
    .from(bookSeries)
    .innerJoin(series, eq(series.id, bookSeries.seriesId))
    .where(eq(bookSeries.bookId, bookId))
    .orderBy(asc(bookSeries.position))
  const { book, ...words } = row
  const of = (role: 'author' | 'narrator') =>
    named.filter((each) => each.role === role).map(({ name }) => name)
  return {
    ...Object.fromEntries(
      Object.keys(COLUMNS_OF)
        .filter(isColumnField)
        .map((field) => [field, valueOf(book, field)]),
    ),
    ...words,
    authors: of('author'),
    narrators: of('narrator'),
    tags: tagged.map(({ title }) => title),
    series: places,
    chapters: (await selectChapters(db, bookId)).map((chapter) => ({ ...chapter })),
  }
}

/** Writes the owner's values or the source's. Clears the search document, so that it is rebuilt. */
export async function writeFieldValues(tx: Transaction, bookId: number, values: FieldValues): Promise<void> {
  const columns: Record<string, LogbookValue | SQL> = {}
  for (const [field, value = null] of Object.entries(values)) {
    if (isColumnField(field)) Object.assign(columns, columnsIn(field, value))
    if (field === 'file') columns.deliverable = value === null ? sql`${books.madeAfterPurchase}` : true
    if (isListField(field)) Object.assign(columns, await writeList(tx, bookId, field, value))
  }
  await tx
    .update(books)
    .set({ ...columns, searchText: null, updatedAt: sql`now()` })
    .where(eq(books.id, bookId))
}

/** @returns columns of the book to set */
async function writeList(
  tx: Transaction,
  bookId: number,
  field: ListField,
  value: LogbookValue,
): Promise<Record<string, LogbookValue>> {
  const name = typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  const names = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  switch (field) {
    case 'language':
      return { languageId: name === null ? null : await languageId(tx, name) }
    case 'category':
      return { categoryId: name === null ? null : await categoryId(tx, name) }
    case 'style':
      return { styleId: name === null ? null : await styleId(tx, name) }
    case 'translator':
      return { translatorId: name === null ? null : await personId(tx, personOf(name)) }
    case 'publisher': {
      const publisher = publisherOf(name ?? undefined)
      return { publisherId: publisher ? await publisherId(tx, publisher) : null }
    }
    case 'authors':
    case 'narrators': {
      const role = field === 'authors' ? 'author' : 'narrator'
      await tx.delete(bookPeople).where(and(eq(bookPeople.bookId, bookId), eq(bookPeople.role, role)))
      for (const [position, each] of names.entries())
        await tx
          .insert(bookPeople)
          .values({ bookId, role, position, personId: await personId(tx, personOf(each)) })
      return {}
    }
    case 'tags':
      await tx.delete(bookTags).where(eq(bookTags.bookId, bookId))
      for (const each of new Set(names))
        await tx.insert(bookTags).values({ bookId, tagId: await tagId(tx, each) })
      return {}
    case 'series': {
      const places = Array.isArray(value) ? value.filter(isObject) : []
      await tx.delete(bookSeries).where(eq(bookSeries.bookId, bookId))
      const given = givenSeries(
        places.map(({ title, slug, number, published, story }) => ({
          name: textOf(title),
          ...(typeof slug === 'string' ? { slug } : {}),
          ...(typeof number === 'string' ? { number } : {}),
          ...(typeof published === 'number' ? { published } : {}),
          ...(typeof story === 'number' ? { story } : {}),
        })),
      )
      for (const [position, { slug, title, ...place }] of given.entries())
        await tx
          .insert(bookSeries)
          .values({ bookId, seriesId: await seriesId(tx, { slug, title }), position, ...place })
      return {}
    }
    case 'chapters': {
      const list = chaptersIn(value)
      const before = await selectChapters(tx, bookId)
      await writeChapters(tx, bookId, list)
      await updateMeasuredLength(tx, bookId, before, list)
      return list.length > 0 ? { deliverable: true } : {}
    }
    default:
      return {}
  }
}

/** As `books.source_values`, the activity log and the field have them. */
export const chaptersIn = (value: LogbookValue | undefined): Chapter[] =>
  (Array.isArray(value) ? value.filter(isObject) : []).map(({ title, soundId, durationMs }) => ({
    title: textOf(title),
    soundId: textOf(soundId),
    durationMs: Number(durationMs),
  }))

const textOf = (value: LogbookValue | undefined): string => (typeof value === 'string' ? value : '')

export async function selectSourceValues(db: Db, bookId: number): Promise<SourceValues> {
  const [row] = await db.select({ says: books.sourceValues }).from(books).where(eq(books.id, bookId))
  return row?.says ?? {}
}

/** Marks fields as set by the owner, and keeps what the source says about those that were not. */
export async function markFields(tx: Transaction, bookId: number, sourceSays: FieldValues): Promise<void> {
  const fields = Object.keys(sourceSays)
  await tx.execute(sql`
    update books set
      source_values = ${JSON.stringify(sourceSays)}::jsonb || source_values,
      set_by_owner = set_by_owner || array(
        select unnest(${sql.param(fields)}::text[]) except select unnest(set_by_owner))
    where id = ${bookId}`)
}

/** Fields of the owner with what the source says about them now, as an import found it. */
export async function updateSourceValues(tx: Transaction, bookId: number, says: FieldValues): Promise<void> {
  if (Object.keys(says).length === 0) return
  await tx.execute(
    sql`update books set source_values = source_values || ${JSON.stringify(says)}::jsonb where id = ${bookId}`,
  )
}

/** The owner's hold on a field ends. The next import writes the row again, even if its source has not changed. */
export async function releaseField(tx: Transaction, bookId: number, field: string): Promise<void> {
  await tx.execute(sql`
    update books set set_by_owner = array_remove(set_by_owner, ${field}), source_values = source_values - ${field}::text,
      import_hash = regexp_replace(import_hash, ':.*', ':')
    where id = ${bookId}`)
}
