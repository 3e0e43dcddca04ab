import { liveQuery } from 'dexie'

/** Calls back now and after every change of what `read` reads, made in whichever tab; returns a stop. */
export function watchQuery<T>(read: () => Promise<T>, onValue: (value: T) => void): () => void {
  // A closed database is opened again by the next write or read; a watcher has nothing better to say.
  const subscription = liveQuery(read).subscribe({ next: onValue, error: () => undefined })
  return () => subscription.unsubscribe()
}
