import { isHeardToTheEnd, isReadToTheEnd } from '#contract/finished.ts'
import { placesDb, type PlacesDb } from './places-db.ts'
import type { StoredTitle } from './sound-db.ts'
import { formatOfKey, slugOfKey } from './title-key.ts'

/**
 * When a stored title was finished, judging by its place. Null if it isn't finished, is being heard again, or was finished
 * before it was downloaded: that download is meant for hearing it again.
 */
export const finishedAtMs = (ownerUuid: string, title: StoredTitle): Promise<number | null> =>
  placesDb.use(ownerUuid, async (db) => {
    const atMs = await endReachedAt(db, title)
    return atMs !== undefined && atMs > title.addedAtMs ? atMs : null
  })

async function endReachedAt(db: PlacesDb, { key, files }: StoredTitle): Promise<number | undefined> {
  const slug = slugOfKey(key)
  if (formatOfKey(key) === 'ebook') {
    const reading = await db.readings.get(slug)
    return reading && isReadToTheEnd(reading.share) ? reading.readAtMs : undefined
  }
  const place = await db.places.get(slug)
  const chapters = files.map(({ chapter, playtime }) => ({ number: chapter, seconds: playtime }))
  return place && isHeardToTheEnd(chapters, place) ? place.heardAtMs : undefined
}
