import { isQuotaExceeded } from './open.ts'

/** Caches of the worker whose content the shop can send again, the heaviest first. */
const SPARE = ['murmur-covers', 'murmur-catalogue']

/**
 * Does what must not fail for want of room: on a full device the pictures and pages that can be fetched again
 * give way to it (trap 12).
 */
export async function withRoomMade<T>(work: () => Promise<T>): Promise<T> {
  for (const name of SPARE) {
    try {
      return await work()
    } catch (failure) {
      if (!isQuotaExceeded(failure) || !globalThis.caches) throw failure
      await empty(name)
    }
  }
  return work()
}

/** Entry by entry: a cache that is deleted whole keeps its room as long as the worker holds it open. */
async function empty(name: string) {
  const cache = await caches.open(name)
  for (const key of await cache.keys()) await cache.delete(key)
}
