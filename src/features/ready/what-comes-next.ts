import type { QueryClient } from '@tanstack/react-query'
import { rowsOf } from '#sync/lists.ts'
import { listPlaces } from '#storage/places.ts'
import { placesDb } from '#storage/places-db.ts'
import { formatOfKey, slugOfKey, titleKey } from '#storage/title-key.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { readingOf } from '#features/library/model.ts'
import { nextOfSeries } from '#features/library/order.ts'
import { ownTitlesQuery } from '#features/library/queries.ts'
import { ownItem } from '#features/library/shelf-entry.ts'
import { playerSettings } from '#features/player/settings.ts'

/** Three e-books suffice for any time offline. */
const MOST_EBOOKS = 3

/** The e-books likely to be read next: started ones, last read first, then the newest in the library. */
export async function eBooksNext(
  queryClient: QueryClient,
  owner: string,
): Promise<{ slug: string; title: string; begun: boolean }[]> {
  const { titles } = await queryClient.fetchQuery(ownTitlesQuery(owner))
  const readings = await placesDb.use(owner, (db) => db.readings.toArray())
  const readAt = new Map(readings.map(({ slug, readAtMs }) => [slug, readAtMs]))
  const read = new Set(readings.filter(({ share }) => readingOf(share)?.finished).map(({ slug }) => slug))
  return titles
    .filter(({ key, book }) => formatOfKey(key) === 'ebook' && !read.has(book.slug))
    .map(({ book: { slug, title } }) => ({ slug, title, begun: readAt.has(slug) }))
    .toSorted((one, other) => (readAt.get(other.slug) ?? 0) - (readAt.get(one.slug) ?? 0))
    .slice(0, MOST_EBOOKS)
}

/**
 * Slugs of the audiobooks likely to be heard next, the likeliest first: the last heard, the ones that play
 * after it (the next of its series, then the queue), other started ones, and the rest of the library.
 */
export async function whatComesNext(queryClient: QueryClient, owner: string): Promise<string[]> {
  const [{ titles }, places, queue] = await Promise.all([
    queryClient.fetchQuery(ownTitlesQuery(owner)),
    listPlaces(owner),
    placesDb.use(owner, (db) => rowsOf(db, 'queue')),
  ])
  const downloads = useDownloadsStore.getState().byTitle
  const known = {
    places: new Map(places.map((place) => [place.slug, place])),
    readings: new Map<string, never>(),
    downloads,
  }
  const owned = new Map(titles.map((title) => [title.key, ownItem(title, known)]))
  const begun = places.map(({ slug }) => slug)
  const [last] = begun
  const next =
    last !== undefined && playerSettings().atEnd === 'series'
      ? nextOfSeries(titleKey('audio', last), owned)?.entry.slug
      : undefined
  const queued = queue.flatMap(({ key }) => (key !== undefined && owned.has(key) ? slugOfKey(key) : []))
  const all = [...owned.keys()].filter((key) => formatOfKey(key) === 'audio').map(slugOfKey)
  return [...new Set([last ?? [], next ?? [], queued, begun, all].flat())]
}
