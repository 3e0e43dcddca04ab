import { keepPlace, type HeardPlace } from './outbox.ts'
import { kept } from './page-storage.ts'

const nameOf = (ownerUuid: string) => `murmur.heard.${ownerUuid}`

/**
 * Notes what could not be written to the database yet. A page that is being closed ends before its database
 * does; local storage is written when the line ends.
 */
export function leaveSlip(ownerUuid: string, heard: readonly HeardPlace[]): void {
  if (heard.length === 0) return
  const others = readSlip(ownerUuid).filter(({ slug }) => !heard.some((place) => place.slug === slug))
  kept.setItem(nameOf(ownerUuid), JSON.stringify([...others, ...heard]))
}

/** What was noted has been written after all. */
export function strikeSlip(ownerUuid: string, written: (heard: HeardPlace) => boolean): void {
  const noted = readSlip(ownerUuid)
  const left = noted.filter((heard) => !written(heard))
  if (left.length === noted.length) return
  if (left.length > 0) kept.setItem(nameOf(ownerUuid), JSON.stringify(left))
  else kept.removeItem(nameOf(ownerUuid))
}

/** Takes over what a page that is gone has noted. Safe to repeat; what cannot be written stays noted. */
export async function landSlip(ownerUuid: string): Promise<void> {
  for (const heard of readSlip(ownerUuid)) {
    await keepPlace(ownerUuid, heard, { late: true })
    strikeSlip(ownerUuid, ({ eventId }) => eventId === heard.eventId)
  }
}

function readSlip(ownerUuid: string): HeardPlace[] {
  try {
    return JSON.parse(kept.getItem(nameOf(ownerUuid)) ?? '[]')
  } catch {
    return []
  }
}
