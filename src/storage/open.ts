import type { Dexie } from 'dexie'
import { answered, NoAnswer } from './wait.ts'
import { isBarred } from './removals.ts'

/**
 * One database per listener, opened on demand, and opened again after the browser closed it behind the app
 * (trap 13).
 */
export interface PerOwnerDatabases<D extends Dexie> {
  /**
   * Runs `work` on the listener's database; after a lost connection, opens it once more and runs `work`
   * again.
   */
  use: <T>(ownerUuid: string, work: (db: D) => Promise<T>) => Promise<T>
  remove: (ownerUuid: string) => Promise<void>
  /**
   * Called when the browser closed a database itself, for example because its storage was cleared. Returns a
   * stop.
   */
  onClosed: (listener: (ownerUuid: string) => void) => () => void
  close: () => void
}

export function perOwnerDatabases<D extends Dexie>(make: (ownerUuid: string) => D): PerOwnerDatabases<D> {
  const open = new Map<string, D>()
  const closed = new Set<(ownerUuid: string) => void>()

  /** `work` starts without an await, also while the database opens: Dexie's live query cannot track reads made after one. */
  const run = <T>(ownerUuid: string, work: (db: D) => Promise<T>): Promise<T> => {
    const db = open.get(ownerUuid) ?? begin(ownerUuid)
    if (db.isOpen()) return work(db)
    const done = work(db)
    // Only the opening has a time limit: `work` may take long.
    return Promise.race([done, answered(() => Promise.race([opened(db), done])).then(() => done)])
  }

  const begin = (ownerUuid: string) => {
    const db = make(ownerUuid)
    const forget = () => {
      if (open.get(ownerUuid) === db) open.delete(ownerUuid)
    }
    db.on('close', () => {
      const closedByUs = open.get(ownerUuid) !== db
      forget()
      if (!closedByUs) for (const listener of closed) listener(ownerUuid)
    })
    // A newer version of the app wants to change the tables: don't block it.
    db.on('versionchange', () => {
      forget()
      db.close()
    })
    open.set(ownerUuid, db)
    return db
  }

  const drop = (ownerUuid: string) => {
    const db = open.get(ownerUuid)
    open.delete(ownerUuid)
    db?.close()
  }

  return {
    async use(ownerUuid, work) {
      if (isBarred(ownerUuid)) throw new DataRemoved()
      try {
        return await run(ownerUuid, work)
      } catch (failure) {
        if (!isLostConnection(failure)) throw failure
        drop(ownerUuid)
        return run(ownerUuid, work)
      }
    },
    async remove(ownerUuid) {
      const db = open.get(ownerUuid) ?? begin(ownerUuid)
      open.delete(ownerUuid)
      await db.delete()
    },
    onClosed(listener) {
      closed.add(listener)
      return () => void closed.delete(listener)
    },
    close() {
      for (const ownerUuid of [...open.keys()]) drop(ownerUuid)
    },
  }
}

/** This user's data was removed for good; write nothing of theirs again. */
class DataRemoved extends Error {
  override readonly name = 'DataRemoved'
}

const opened = (db: Dexie) => new Promise<unknown>((resolve) => db.on('ready', resolve))

const LOST = new Set(['InvalidStateError', 'UnknownError', 'DatabaseClosedError', 'OpenFailedError'])

/** Also finds errors that Dexie has wrapped in its own. */
export const isLostConnection = (failure: unknown) => namesOf(failure).some((name) => LOST.has(name))
/** A temporary failure that has nothing to do with the request itself. */
export const isPassing = (failure: unknown) => failure instanceof NoAnswer || isLostConnection(failure)
export const isQuotaExceeded = (failure: unknown) => namesOf(failure).includes('QuotaExceededError')

function namesOf(failure: unknown): string[] {
  if (typeof failure !== 'object' || failure === null) return []
  const { name, inner }: { name?: unknown; inner?: unknown } = failure
  return [typeof name === 'string' ? name : '', ...(inner === failure ? [] : namesOf(inner))]
}

/** The worker's caches that can be fetched again, the largest first. */
const SPARE = ['murmur-covers', 'murmur-catalogue']

/**
 * Runs work that must not fail for lack of space: on a full device, cached pictures and pages that can be
 * fetched again are evicted (trap 12).
 */
export async function withRoomMade<T>(work: () => Promise<T>): Promise<T> {
  for (const name of SPARE) {
    try {
      return await work()
    } catch (failure) {
      if (!isQuotaExceeded(failure) || !globalThis.caches) throw failure
      await emptyCache(name)
    }
  }
  return work()
}

/**
 * Delete entry by entry: a cache that is deleted as a whole frees no space while the worker holds it open.
 */
async function emptyCache(name: string) {
  const cache = await caches.open(name)
  for (const key of await cache.keys()) await cache.delete(key)
}
