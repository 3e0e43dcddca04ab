import { countBookmarksWaiting, countHighlightsWaiting } from './marks.ts'
import { placesDb, type PlacesDb } from '#storage/places-db.ts'
import { countListsWaiting } from './lists.ts'
import { countWaiting } from './outbox.ts'
import { forgetPersonalAnswers } from '#storage/messages.ts'
import { bar, readRemovals, writeRemovals } from '#storage/removals.ts'
import { countReadingsWaiting } from './readings.ts'
import { placeStash, readingStash } from './stash.ts'
import { removeAllSound } from '#storage/sound-store.ts'
import { countSpeedsWaiting } from './speeds.ts'
import { readValue } from '#storage/values.ts'

/**
 * Removes all data this device stores for a listener, whether the server has it or not: the account was deleted, or its
 * owner logged this device out from another one.
 */
async function removeEverything(ownerUuid: string): Promise<void> {
  placeStash.remove(ownerUuid)
  readingStash.remove(ownerUuid)
  const removed = await Promise.allSettled([
    removeAllSound(ownerUuid),
    placesDb.remove(ownerUuid),
    forgetPersonalAnswers((await readValue('rememberedUser').catch(() => undefined))?.uuid),
  ])
  for (const one of removed) if (one.status === 'rejected') throw one.reason
}

/**
 * Removes the data this device stores for a listener, except unsent changes: those stay until the listener logs in again
 * (PLAY-29). Returns whether everything was removed.
 */
export async function removeConfirmed(ownerUuid: string): Promise<boolean> {
  await removeAllSound(ownerUuid)
  await placeStash.restore(ownerUuid)
  await readingStash.restore(ownerUuid)
  const counts = [
    countWaiting,
    countReadingsWaiting,
    countBookmarksWaiting,
    countSpeedsWaiting,
    countListsWaiting,
    countHighlightsWaiting,
  ]
  const waiting = await Promise.all(counts.map((countOf) => countOf(ownerUuid)))
  await placesDb.use(ownerUuid, (db) => db.transaction('rw', db.tables, () => removeConfirmedRows(db)))
  return waiting.every((count) => count === 0)
}

async function removeConfirmedRows(db: PlacesDb): Promise<void> {
  const slugs = new Set((await db.outbox.toArray()).map(({ slug }) => slug))
  const changed = async (table: 'bookmarkChanges' | 'highlightChanges') =>
    new Set((await db[table].toArray()).map(({ id }) => id))
  const [bookmarks, highlights] = [await changed('bookmarkChanges'), await changed('highlightChanges')]
  await Promise.all([
    ...[db.ownTitles, db.server, db.twoPlaces, db.history, db.receipts].map((table) => table.clear()),
    db.places.filter(({ slug }) => !slugs.has(slug)).delete(),
    db.chapters.filter(({ slug }) => !slugs.has(slug)).delete(),
    db.bookmarks.filter(({ id }) => !bookmarks.has(id)).delete(),
    db.highlights.filter(({ id }) => !highlights.has(id)).delete(),
    db.speeds.filter(({ waiting }) => waiting === 0).delete(),
    db.listRows.filter(({ waiting }) => waiting === 0).delete(),
    db.readings.filter(({ waiting }) => waiting === 0).delete(),
    // The device keeps its id, so its sequence numbers must not restart.
    db.settings.filter(({ name }) => name !== 'sequence' && name !== 'clockOffset').delete(),
  ])
}

/**
 * Removes all of a user's data and blocks further writes from this page: the last place may still be on its way to the
 * database.
 */
export async function removeForGood(ownerUuid: string): Promise<void> {
  bar(ownerUuid)
  await removeEverything(ownerUuid)
}

/**
 * Repeats the pending removals: another tab may have written its last place meanwhile, or a page was closed half-way.
 * `isStart`: no earlier page is left that could write, so the list can be cleared.
 */
export async function finishRemovals({ isStart = false } = {}): Promise<void> {
  const removals = await readRemovals()
  if (removals.length === 0) return
  const here = (await readValue('rememberedUser').catch(() => undefined))?.uuid
  for (const ownerUuid of removals) if (ownerUuid !== here) await removeForGood(ownerUuid)
  if (isStart) await writeRemovals([])
}
