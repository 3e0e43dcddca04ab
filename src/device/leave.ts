import { countBookmarksWaiting } from './bookmarks.ts'
import { placesDb } from './places-db.ts'
import { countListsWaiting } from './lists.ts'
import { countHighlightsWaiting } from './highlights.ts'
import { countWaiting } from './outbox.ts'
import { takeOverReadingNotes } from './reading-notes.ts'
import { countReadingsWaiting } from './readings.ts'
import { restoreStashed } from './stashed-places.ts'
import { removeAllSound } from './sound-store.ts'
import { countSpeedsWaiting } from './speeds.ts'

/**
 * Removes what this device keeps for a listener: downloads, places, bookmarks. Places that the server has not
 * confirmed stay until their owner logs in again (PLAY-29); then only the sound goes. Says whether all went.
 */
export async function removeEverything(ownerUuid: string): Promise<boolean> {
  await removeAllSound(ownerUuid)
  await restoreStashed(ownerUuid)
  await takeOverReadingNotes(ownerUuid)
  const counts = [
    countWaiting,
    countReadingsWaiting,
    countBookmarksWaiting,
    countSpeedsWaiting,
    countListsWaiting,
    countHighlightsWaiting,
  ]
  for (const countOf of counts) if ((await countOf(ownerUuid)) > 0) return false
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.tables, async () => {
      const sequence = await db.settings.get('sequence')
      await Promise.all(db.tables.map((table) => table.clear()))
      // The device keeps its id, so its numbers must never begin again.
      if (sequence) await db.settings.put(sequence)
    }),
  )
  return true
}
