import {
  placesDb,
  type DatedPlace,
  type LocalPlace,
  type PastPlace,
  type PlacesDb,
} from '#storage/places-db.ts'

/** As many as the server keeps. */
const KEEP = 50

export const pastPlace = (place: LocalPlace): DatedPlace => ({
  chapter: place.chapter,
  seconds: place.seconds,
  heardAt: new Date(place.heardAtMs).toISOString(),
  eventId: place.eventId,
  deviceId: place.deviceId,
})

/** Inside the caller's transaction, which has `history` in it. */
export async function rememberPast(db: PlacesDb, slug: string, place: DatedPlace): Promise<void> {
  await db.history.add({ ...place, slug })
  const ids = await db.history.where('slug').equals(slug).primaryKeys()
  await db.history.bulkDelete(ids.slice(0, Math.max(0, ids.length - KEEP)))
}

/** The places this device left behind, newest first; what the server has beside them is asked for apart. */
export const listPastPlaces = (ownerUuid: string, slug: string): Promise<PastPlace[]> =>
  placesDb.use(ownerUuid, async (db) => (await db.history.where('slug').equals(slug).sortBy('id')).reverse())
