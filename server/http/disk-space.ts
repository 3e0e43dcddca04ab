import { statfs } from 'node:fs/promises'
import type { Log } from '../log/log.ts'

/** With less free space the database cannot finish its running transactions. */
const LEAST_BYTES = 32 * 1024 * 1024
/** The database may be on another disk than DATA_DIR, so its last "disk full" error counts for a while. */
const BELIEVED_MS = 30_000
const SAID_EACH_MS = 60_000

export class DiskSpace {
  readonly #dataDir: string
  readonly #log: Log
  #fullAt = -Infinity
  #saidAt = -Infinity

  constructor(dataDir: string, log: Log) {
    this.#dataDir = dataDir
    this.#log = log
  }

  /** Records that a write failed. Logs at most one line per minute for all failed writes. */
  noteFull(): void {
    const now = performance.now()
    this.#fullAt = now
    if (now - this.#saidAt < SAID_EACH_MS) return
    this.#saidAt = now
    this.#log.fatal(
      { fault: 'disk' },
      'THE DISK IS FULL: nothing can be saved. Make room on the disk of DATA_DIR and on the database’s; the shop goes on by itself.',
    )
  }

  async isFull(): Promise<boolean> {
    if (performance.now() - this.#fullAt < BELIEVED_MS) return true
    const { freeBytes } = await this.space()
    if (freeBytes < LEAST_BYTES) this.noteFull()
    return freeBytes < LEAST_BYTES
  }

  space(): Promise<Space> {
    return spaceOf(this.#dataDir)
  }
}

interface Space {
  readonly freeBytes: number
  readonly sizeBytes: number
}

export async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}
