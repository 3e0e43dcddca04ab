import { keepPlace } from './outbox.ts'
import type { HeardPlace } from '#storage/place.ts'
import { localStore } from '#storage/page-storage.ts'
import { isBarred } from '#storage/removals.ts'

const nameOf = (ownerUuid: string) => `murmur.heard.${ownerUuid}`

/**
 * Notes what could not be written to the database yet. A page that is being closed ends before its database
 * does; local storage is written when the line ends.
 */
export function stashPlaces(ownerUuid: string, heard: readonly HeardPlace[]): void {
  if (heard.length === 0 || isBarred(ownerUuid)) return
  const others = readStashed(ownerUuid).filter(({ slug }) => !heard.some((place) => place.slug === slug))
  localStore.setItem(nameOf(ownerUuid), JSON.stringify([...others, ...heard]))
}

/** What was noted has been written after all. */
export function clearStashed(ownerUuid: string, written: (heard: HeardPlace) => boolean): void {
  const noted = readStashed(ownerUuid)
  const left = noted.filter((heard) => !written(heard))
  if (left.length === noted.length) return
  if (left.length > 0) localStore.setItem(nameOf(ownerUuid), JSON.stringify(left))
  else localStore.removeItem(nameOf(ownerUuid))
}

/** Takes over what a page that is gone has noted. Safe to repeat; what cannot be written stays noted. */
export async function restoreStashed(ownerUuid: string): Promise<void> {
  for (const heard of readStashed(ownerUuid)) {
    await keepPlace(ownerUuid, heard, { late: true })
    clearStashed(ownerUuid, ({ eventId }) => eventId === heard.eventId)
  }
}

export const removeStashed = (ownerUuid: string): void => localStore.removeItem(nameOf(ownerUuid))

function readStashed(ownerUuid: string): HeardPlace[] {
  try {
    return JSON.parse(localStore.getItem(nameOf(ownerUuid)) ?? '[]')
  } catch {
    return []
  }
}
