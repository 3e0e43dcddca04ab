import { liveQuery } from 'dexie'
import { placesDb, type LocalPlace, type PlacesDb, type TwoPlaces } from './places-db.ts'

/** The position to resume in a book, or undefined if it was never played. */
export const resumePlace = (ownerUuid: string, slug: string): Promise<LocalPlace | undefined> =>
  placesDb.use(ownerUuid, (db) => db.places.get(slug))

export const listPlaces = (ownerUuid: string): Promise<LocalPlace[]> =>
  placesDb.use(ownerUuid, async (db) => (await db.places.toArray()).sort((a, b) => b.heardAtMs - a.heardAtMs))

export const listTwoPlaces = (ownerUuid: string): Promise<TwoPlaces[]> =>
  placesDb.use(ownerUuid, (db) => db.twoPlaces.toArray())

/** Calls back now and after every change to the data that `read` reads, in any tab. Returns a function that stops it. */
export function watchQuery<T>(read: () => Promise<T>, onValue: (value: T) => void): () => void {
  // The next write or read opens a closed database again, so a watcher can ignore the error.
  const subscription = liveQuery(read).subscribe({ next: onValue, error: () => undefined })
  return () => subscription.unsubscribe()
}

/** Calls back now and after every change to the data that `read` reads, in any tab. Returns a function that stops it. */
export function watchPlaces<T>(
  ownerUuid: string,
  read: (db: PlacesDb) => Promise<T>,
  onValue: (value: T) => void,
): () => void {
  return watchQuery(() => placesDb.use(ownerUuid, read), onValue)
}

export const readSetting = <T>(ownerUuid: string, name: string): Promise<T | undefined> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of this device's own writing
  placesDb.use(ownerUuid, async (db) => (await db.settings.get(name))?.value as T | undefined)

export const writeSetting = (ownerUuid: string, name: string, value: unknown): Promise<unknown> =>
  placesDb.use(ownerUuid, (db) => db.settings.put({ name, value }))

const KNOWN = 'placesKnown'

/** All of the account's positions have been fetched once: a book without one was not started. */
export const notePlacesKnown = (ownerUuid: string): Promise<unknown> => writeSetting(ownerUuid, KNOWN, true)

export const arePlacesKnown = async (db: PlacesDb): Promise<boolean> =>
  (await db.settings.get(KNOWN)) !== undefined

export const serverPlaceOf = (ownerUuid: string, slug: string) =>
  placesDb.use(ownerUuid, (db) => db.server.get(slug))
