import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Takes the data folder for this process alone; resolves to undefined when another one holds it for
 * longer than `patienceMs`.
 *
 * PGlite takes no lock of its own, and two processes on one folder destroy it without a word. SQLite's
 * exclusive transaction is a lock of the kernel: gone with the process, however it ends, and honoured
 * by containers that share a volume. The file stays empty; only the lock on it means anything.
 */
export async function takeLock(file: string, patienceMs: number): Promise<(() => void) | undefined> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const held = tryLock(file)
    if (held) return () => held.close()
    // A child whose parent died ends only after its query, so the folder may be free in a moment.
    if (performance.now() >= deadline) return undefined
    await pause(100)
  }
}

function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    // SQLITE_BUSY; anything else (a full disk, no right to write) is not about another process.
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined
    throw error
  }
}
