import { localStore } from '#storage/page-storage.ts'
import type { HeardPlace } from '#storage/place.ts'
import { isBarred } from '#storage/removals.ts'
import { keepPlace } from './outbox.ts'
import { readingOf, storeReading, type TurnedTo } from './readings.ts'

/**
 * Positions in local storage that the database doesn't have yet: a closing page ends before its database does, but local
 * storage is written synchronously. The next page restores them.
 */
function createStash<Position extends { slug: string; eventId?: string }>(
  name: string,
  store: (ownerUuid: string, position: Position) => Promise<unknown>,
) {
  const keyFor = (ownerUuid: string) => `${name}.${ownerUuid}`

  const read = (ownerUuid: string): Position[] => {
    try {
      return JSON.parse(localStore.getItem(keyFor(ownerUuid)) ?? '[]')
    } catch {
      return []
    }
  }

  const clear = (ownerUuid: string, isStored: (position: Position) => boolean): void => {
    const stashed = read(ownerUuid)
    const left = stashed.filter((position) => !isStored(position))
    if (left.length === stashed.length) return
    if (left.length > 0) localStore.setItem(keyFor(ownerUuid), JSON.stringify(left))
    else localStore.removeItem(keyFor(ownerUuid))
  }

  return {
    add(ownerUuid: string, positions: readonly Position[]): void {
      if (positions.length === 0 || isBarred(ownerUuid)) return
      const slugs = new Set(positions.map(({ slug }) => slug))
      const others = read(ownerUuid).filter(({ slug }) => !slugs.has(slug))
      localStore.setItem(keyFor(ownerUuid), JSON.stringify([...others, ...positions]))
    },
    clear,
    /** Safe to repeat; what can't be stored stays stashed. */
    async restore(ownerUuid: string): Promise<void> {
      for (const position of read(ownerUuid)) {
        await store(ownerUuid, position)
        clear(ownerUuid, ({ eventId }) => eventId === position.eventId)
      }
    },
    remove: (ownerUuid: string): void => localStore.removeItem(keyFor(ownerUuid)),
  }
}

export const placeStash = createStash<HeardPlace>('murmur.heard', (ownerUuid, heard) =>
  keepPlace(ownerUuid, heard, { late: true }),
)

/** Drops a position if the book was read on since. */
export const readingStash = createStash<TurnedTo>('murmur.read', async (ownerUuid, turned) => {
  const known = await readingOf(ownerUuid, turned.slug)
  if (!known || known.readAtMs < turned.clock.wallMs) await storeReading(ownerUuid, turned)
})
