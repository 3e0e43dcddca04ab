import { listHoldings, type Holding } from '#storage/inventory.ts'
import { isQuotaExceeded } from '#storage/open.ts'
import type { Chunk, StoredTitle } from '#storage/sound-db.ts'
import { CHUNK_BYTES } from '#storage/sound-path.ts'
import {
  completeFile,
  removeEmptyTitles,
  removeFile,
  removeTitle,
  storedFile,
  writeChunk,
} from '#storage/sound-store.ts'
import { plannedChapters } from '#storage/ready-plan.ts'
import { formatOfKey, type TitleKey, slugOfKey } from '#storage/title-key.ts'
import { DAY_MS } from '#contract/durations.ts'
import { isHeardToTheEnd, isReadToTheEnd } from '#contract/finished.ts'
import { placesDb, type PlacesDb } from '#storage/places-db.ts'

export class NoSpaceLeft extends Error {
  override readonly name = 'NoSpaceLeft'
}

/** Stores one chunk. If there is no space, makes some and retries once (trap 12). */
export async function storeChunk(
  ownerUuid: string,
  chunk: Omit<Chunk, 'sha256'>,
  { removeFinished }: { removeFinished: boolean },
): Promise<void> {
  try {
    await writeChunk(ownerUuid, chunk)
  } catch (failure) {
    if (!isQuotaExceeded(failure)) throw failure
    const freed = await makeRoom(ownerUuid, chunk.title, removeFinished)
    if (freed === 0) throw new NoSpaceLeft()
    await writeChunk(ownerUuid, chunk).catch((again: unknown) => {
      throw isQuotaExceeded(again) ? new NoSpaceLeft() : again
    })
  }
}

/** Removes automatic downloads; if that frees nothing and the listener allows it, removes finished titles. */
async function makeRoom(ownerUuid: string, except: TitleKey, removeFinished: boolean): Promise<number> {
  const holdings = (await listHoldings(ownerUuid)).filter(({ title }) => title.key !== except)
  const temporary = holdings.filter(({ title }) => title.kept === 0)
  const freed = await remove(ownerUuid, temporary)
  return freed || !removeFinished ? freed : remove(ownerUuid, await finishedAmong(ownerUuid, holdings))
}

async function remove(ownerUuid: string, holdings: readonly Holding[]): Promise<number> {
  let freed = 0
  for (const { title, bytes } of holdings) {
    await removeTitle(ownerUuid, title.key)
    freed += bytes
  }
  return freed
}

/**
 * A download must leave space for positions (trap 12). Removes the most recently fetched part of the title:
 * its incomplete chapter, or else its newest complete one.
 */
export async function giveBack(ownerUuid: string, key: TitleKey): Promise<void> {
  const holding = (await listHoldings(ownerUuid)).find(({ title }) => title.key === key)
  if (!holding) return
  const newest = holding.files.toSorted((a, b) => b.storedAtMs - a.storedAtMs)[0]
  const underWay = [...holding.begun.keys()]
  const chapters = underWay.length > 0 ? underWay : newest ? [newest.chapter] : []
  for (const chapter of chapters) await removeFile(ownerUuid, key, chapter)
}

async function finishedAmong(ownerUuid: string, holdings: readonly Holding[]): Promise<Holding[]> {
  const finished: Holding[] = []
  for (const holding of holdings)
    if (holding.title.kept === 1 && (await finishedAtMs(ownerUuid, holding.title)) !== null)
      finished.push(holding)
  return finished
}

/** Stores the only file of a title, already fetched. After a failure nothing of the title remains. */
export async function storeFetched(
  ownerUuid: string,
  { key, files: [file] }: Pick<StoredTitle, 'key' | 'files'>,
  bytes: ArrayBuffer,
  removeFinished: boolean,
): Promise<void> {
  if (!file || (await storedFile(ownerUuid, key, file.chapter))) return
  try {
    for (let index = 0; index * CHUNK_BYTES < bytes.byteLength; index++) {
      const chunk = bytes.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
      const at = { title: key, chapter: file.chapter, index, bytes: chunk }
      await storeChunk(ownerUuid, at, { removeFinished })
    }
    await completeFile(ownerUuid, key, file, 'application/epub+zip')
  } catch (failure) {
    await removeFile(ownerUuid, key, file.chapter)
    await removeEmptyTitles(ownerUuid)
    throw failure
  }
}

/**
 * Limits for automatic downloads (next chapters and opened e-books), except those prepared for the tunnel. The oldest are
 * removed first, and a title with its last file. Two limits, so that chapters never displace a book that is being read.
 */
const MOST_TEMPORARY = { audio: 8, ebook: 8 }

export async function trimTemporary(ownerUuid: string): Promise<void> {
  const isPlanned = await plannedChapters(ownerUuid)
  const temporary = (await listHoldings(ownerUuid)).filter(({ title }) => title.kept === 0)
  const files = temporary
    .flatMap(({ files: own }) => own)
    .filter(({ title, chapter }) => !isPlanned(title, chapter))
    .sort((a, b) => a.storedAtMs - b.storedAtMs)
  for (const format of ['audio', 'ebook'] as const) {
    const of = files.filter(({ title }) => formatOfKey(title) === format)
    for (const file of of.slice(0, Math.max(0, of.length - MOST_TEMPORARY[format])))
      await removeFile(ownerUuid, file.title, file.chapter)
  }
  await removeEmptyTitles(ownerUuid)
}

/** Removes titles that were finished at least `days` ago, and returns them. */
export async function removeFinishedTitles(
  ownerUuid: string,
  days: number,
  nowMs: number,
): Promise<TitleKey[]> {
  const gone: TitleKey[] = []
  for (const { title } of await listHoldings(ownerUuid)) {
    const atMs = await finishedAtMs(ownerUuid, title)
    if (atMs === null || nowMs - atMs < days * DAY_MS) continue
    await removeTitle(ownerUuid, title.key)
    gone.push(title.key)
  }
  return gone
}

/**
 * When a stored title was finished, judging by its position. Null if it isn't finished, is being played
 * again, or was finished before it was downloaded: that download is meant for playing it again.
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
