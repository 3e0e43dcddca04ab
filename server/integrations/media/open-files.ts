import { close, open, read, fstat } from 'node:fs'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'

const opened = promisify(open)
const statted = promisify(fstat)
const readInto = promisify(read)

interface OpenFile {
  readonly fd: number
  readonly size: number
  /**
   * Reads in progress. The file is closed only when there are none, because its descriptor could be reused for another
   * file.
   */
  reads: number
  dropped: boolean
}

/**
 * Keeps files open that listeners play: a player requests many small parts of one chapter, and opening is as expensive
 * as reading. The least recently used ones are closed first. Files never change; they only appear and are deleted.
 */
export class OpenFiles {
  readonly #files: LRUCache<string, Promise<OpenFile>>

  constructor(max = 128) {
    this.#files = new LRUCache({ max, dispose: closeWhenRead })
  }

  /** Rejects with `ENOENT` if there is no such file. */
  async size(path: string): Promise<number> {
    return (await this.#use(path)).size
  }

  /** The bytes must be within the file. */
  async read(path: string, start: number, buffer: Buffer): Promise<void> {
    const file = await this.#use(path)
    file.reads += 1
    try {
      for (let filled = 0; filled < buffer.length;) {
        const { bytesRead } = await readInto(file.fd, buffer, filled, buffer.length - filled, start + filled)
        if (bytesRead === 0) throw new Error(`${path} is shorter than it was`)
        filled += bytesRead
      }
    } finally {
      file.reads -= 1
      if (file.dropped && file.reads === 0) close(file.fd, () => undefined)
    }
  }

  closeAll(): void {
    this.#files.clear()
  }

  #use(path: string): Promise<OpenFile> {
    const known = this.#files.get(path)
    if (known) return known
    const file = openFile(path)
    file.catch(() => {
      if (this.#files.peek(path) === file) this.#files.delete(path)
    })
    this.#files.set(path, file)
    return file
  }
}

function closeWhenRead(file: Promise<OpenFile>): void {
  void file.then(
    (known) => {
      known.dropped = true
      if (known.reads === 0) close(known.fd, () => undefined)
    },
    () => undefined,
  )
}

async function openFile(path: string): Promise<OpenFile> {
  const fd = await opened(path, 'r')
  const { size } = await statted(fd)
  return { fd, size, reads: 0, dropped: false }
}
