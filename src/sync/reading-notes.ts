import { localStore } from '#storage/page-storage.ts'
import { isBarred } from '#storage/removals.ts'
import { storeReading, readingOf, type TurnedTo } from './readings.ts'

const nameOf = (ownerUuid: string) => `murmur.read.${ownerUuid}`

/**
 * Notes a place in an e-book until the database has it. A page that is being closed ends before its database does; local
 * storage is written when the line ends.
 */
export function noteReading(ownerUuid: string, turned: TurnedTo): void {
  if (isBarred(ownerUuid)) return
  const others = readNotes(ownerUuid).filter(({ slug }) => slug !== turned.slug)
  localStore.setItem(nameOf(ownerUuid), JSON.stringify([...others, turned]))
}

/** The database has it now. */
export function removeReadingNote(ownerUuid: string, eventId: string): void {
  const notes = readNotes(ownerUuid)
  const left = notes.filter((note) => note.eventId !== eventId)
  if (left.length === notes.length) return
  if (left.length > 0) localStore.setItem(nameOf(ownerUuid), JSON.stringify(left))
  else localStore.removeItem(nameOf(ownerUuid))
}

/** Takes over what a page that is gone has noted, unless the book was read on since. Safe to repeat. */
export async function takeOverReadingNotes(ownerUuid: string): Promise<void> {
  for (const note of readNotes(ownerUuid)) {
    const known = await readingOf(ownerUuid, note.slug)
    if (!known || known.readAtMs < note.clock.wallMs) await storeReading(ownerUuid, note)
    removeReadingNote(ownerUuid, note.eventId)
  }
}

export const removeReadingNotes = (ownerUuid: string): void => localStore.removeItem(nameOf(ownerUuid))

function readNotes(ownerUuid: string): TurnedTo[] {
  try {
    return JSON.parse(localStore.getItem(nameOf(ownerUuid)) ?? '[]')
  } catch {
    return []
  }
}
