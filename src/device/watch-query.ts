import { liveQuery, type Dexie } from 'dexie'
import type { Drawers } from './open.ts'

/**
 * Calls back now and after every change of what `read` reads, made in whichever tab; returns a stop. The database is
 * opened before: a live query that first waits for its opening loses sight of what it reads, and never calls again.
 */
export function watchQuery<D extends Dexie, T>(
  database: Drawers<D>,
  ownerUuid: string,
  read: () => Promise<T>,
  onValue: (value: T) => void,
): () => void {
  let left = false
  let stop = () => {}
  const begin = () => {
    if (left) return
    // A closed database is opened again by the next write or read; a watcher has nothing better to say.
    const subscription = liveQuery(read).subscribe({ next: onValue, error: () => undefined })
    stop = () => subscription.unsubscribe()
  }
  void database.use(ownerUuid, () => Promise.resolve()).then(begin, begin)
  return () => {
    left = true
    stop()
  }
}
