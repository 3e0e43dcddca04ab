import { listHoldings, type Holding } from '#device/inventory.ts'
import { isQuotaExceeded } from '#device/open.ts'
import type { Chunk } from '#device/sound-db.ts'
import { removeEmptyTitles, removeFile, removeTitle, writeChunk } from '#device/sound-store.ts'
import { plannedChapters } from '#device/ready-plan.ts'
import { slugOfKey, type TitleKey } from '#device/title-key.ts'

/** The device has no room left, also after everything that may go has gone. */
export class NoSpaceLeft extends Error {
  override readonly name = 'NoSpaceLeft'
}

/** Stores one chunk. If there is no room, makes some and tries once more (trap 12). */
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

/** Removes what nobody asked to keep; where that frees nothing and the listener allows it, what was heard to its end. */
async function makeRoom(ownerUuid: string, except: TitleKey, removeFinished: boolean): Promise<number> {
  const holdings = (await listHoldings(ownerUuid)).filter(({ title }) => title.key !== except)
  const temporary = holdings.filter(({ title }) => title.kept === 0)
  const finished = removeFinished ? holdings.filter(isFinished) : []
  return (await remove(ownerUuid, temporary)) || remove(ownerUuid, finished)
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
 * A download never takes the last of the room: a place must still be written (trap 12). The part of the title that
 * was fetched last goes: the chapter under way, or else the newest whole one.
 */
export async function giveBack(ownerUuid: string, key: TitleKey): Promise<void> {
  const holding = (await listHoldings(ownerUuid)).find(({ title }) => title.key === key)
  if (!holding) return
  const newest = holding.files.toSorted((a, b) => b.storedAtMs - a.storedAtMs)[0]
  const underWay = [...holding.begun.keys()]
  const chapters = underWay.length > 0 ? underWay : newest ? [newest.chapter] : []
  for (const chapter of chapters) await removeFile(ownerUuid, key, chapter)
}

const isFinished = ({ title }: Holding) => title.kept === 1 && title.finishedAtMs !== null

/** Chapters kept only because they come next, but for those of the tunnel; the oldest go first, and a title with its last one. */
const MOST_TEMPORARY = 8

export async function trimTemporary(ownerUuid: string): Promise<void> {
  const isPlanned = await plannedChapters(ownerUuid)
  const temporary = (await listHoldings(ownerUuid)).filter(({ title }) => title.kept === 0)
  const files = temporary
    .flatMap(({ files: own }) => own)
    .filter(({ title, chapter }) => !isPlanned(slugOfKey(title), chapter))
    .sort((a, b) => a.storedAtMs - b.storedAtMs)
  for (const file of files.slice(0, Math.max(0, files.length - MOST_TEMPORARY))) {
    await removeFile(ownerUuid, file.title, file.chapter)
  }
  await removeEmptyTitles(ownerUuid)
}
