import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import {
  bookLocations,
  bookPeople,
  books,
  bookTags,
  categories,
  chapters,
  languages,
  locations,
  publishers,
  styles,
  tags,
} from '#server/db/schema/catalogue.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { nationalities, people } from '#server/db/schema/people.ts'
import { bookSeries, series, seriesGaps } from '#server/db/schema/series.ts'
import { slugOf } from '#server/features/catalogue/names.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import type { Shop } from '#server/shop.ts'
import { anAudioBook, type TestBook } from './builders.ts'

type Extension = typeof mediaFiles.$inferInsert.extension

/** Stores a file and records it in the database; returns its hash. */
export async function aStoredFile(
  { db, media }: Pick<Shop, 'db' | 'media'>,
  bytes: Buffer,
  extension: Extension,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await media.put(mediaPath({ sha256, extension }), bytes)
  await db.insert(mediaFiles).values({ sha256, extension, bytes: bytes.length }).onConflictDoNothing()
  return sha256
}

/** An audiobook with real audio files; the bytes of a chapter decide its hash. */
export async function aSoundingBook(
  shop: Parameters<typeof anAudioBook>[0] & Pick<Shop, 'media'>,
  sounds: readonly { title: string; bytes: Buffer }[],
  fields: Partial<typeof books.$inferInsert> = {},
): Promise<TestBook> {
  const book = await anAudioBook(shop, { chapters: [], ...fields })
  for (const [index, { title, bytes }] of sounds.entries())
    await shop.db.insert(chapters).values({
      bookId: book.id,
      number: index + 1,
      title,
      durationMs: 1000 * (index + 1),
      soundId: await aStoredFile(shop, bytes, 'mp3'),
    })
  return book
}

type Lookup = typeof styles | typeof locations | typeof tags | typeof languages | typeof nationalities

/** Finds or creates a style, location, tag, language or nationality; returns its id. */
export async function named({ db }: Pick<Shop, 'db'>, table: Lookup, title: string): Promise<number> {
  await db.insert(table).values({ title }).onConflictDoNothing()
  const [row] = await db.select({ id: table.id }).from(table).where(eq(table.title, title))
  return row!.id
}

export async function aCategory({ db }: Pick<Shop, 'db'>, name: string, weight = 0): Promise<number> {
  const [row] = await db.insert(categories).values({ name, weight }).returning()
  return row!.id
}

export async function aPublisher({ db }: Pick<Shop, 'db'>, slug: string, name: string): Promise<number> {
  const [row] = await db.insert(publishers).values({ slug, name }).returning()
  return row!.id
}

export async function aCover({ db }: Pick<Shop, 'db'>, id: string): Promise<string> {
  await db.insert(covers).values({ id, placeholder: '3b2a1c'.repeat(16), width: 900, height: 900 })
  return id
}

export async function aPerson(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'media'>,
  firstName: string,
  lastName: string,
  nationality?: string,
): Promise<number> {
  const nationalityId = nationality === undefined ? null : await named(shop, nationalities, nationality)
  const nameKey = `${firstName} ${lastName}`.toLowerCase()
  const [row] = await shop.db
    .insert(people)
    .values({ firstName, lastName, nameKey, nationalityId, slug: slugOf(nameKey) })
    .returning()
  return row!.id
}

interface SeriesTitleOf extends Partial<
  Pick<typeof bookSeries.$inferInsert, 'number' | 'published' | 'story'>
> {
  /** The formats of the title; empty for a title that the shop doesn't sell. */
  readonly books?: readonly TestBook[]
  readonly title?: string
  readonly comesOut?: string
}

/** A series of these titles; returns its id. */
export async function aSeries(
  { db }: Pick<Shop, 'db'>,
  title: string,
  titles: readonly SeriesTitleOf[],
): Promise<number> {
  const [row] = await db
    .insert(series)
    .values({ slug: slugOf(title), title })
    .returning()
  const seriesId = row!.id
  for (const [position, { books: formats = [], title: name, comesOut, ...place }] of titles.entries()) {
    for (const { id } of formats)
      await db.insert(bookSeries).values({ seriesId, bookId: id, position: 0, ...place })
    if (name) await db.insert(seriesGaps).values({ seriesId, position, title: name, comesOut, ...place })
  }
  return seriesId
}

interface Links {
  readonly authors?: readonly number[]
  readonly narrators?: readonly number[]
  readonly locations?: readonly string[]
  readonly tags?: readonly string[]
}

/** Links people, locations and tags to a book, in the given order. */
export async function linked(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'media'>,
  { id: bookId }: TestBook,
  links: Links,
): Promise<void> {
  for (const [role, persons] of [
    ['author', links.authors ?? []],
    ['narrator', links.narrators ?? []],
  ] as const)
    for (const [position, personId] of persons.entries())
      await shop.db.insert(bookPeople).values({ bookId, role, position, personId })
  for (const title of links.locations ?? [])
    await shop.db.insert(bookLocations).values({ bookId, locationId: await named(shop, locations, title) })
  for (const title of links.tags ?? [])
    await shop.db.insert(bookTags).values({ bookId, tagId: await named(shop, tags, title) })
  await refreshSearch(shop.db, { bookIds: [bookId] })
}
