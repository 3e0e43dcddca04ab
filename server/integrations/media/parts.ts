import { close, open, read, fstat } from 'node:fs'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'

/** Bytes of a file. Call `done` once they have been sent: until then the buffer is not reused. */
export interface Part {
  readonly bytes: Buffer
  done(): void
}

const SLABS = [64 * 1024, 256 * 1024, 1024 * 1024] as const
export const LONGEST_PART = SLABS[2]
const SPARE_SLABS = 8
const HOT_BYTES = 16 * 1024 * 1024
const REMEMBERED = 2_000

interface HotPart {
  readonly slab: Buffer
  readonly bytes: Buffer
  readers: number
  kept: boolean
}

/** Allocating costs more than reading, so buffers are reused; a part requested twice is popular and cached. */
export class Parts {
  readonly #files: OpenFiles
  readonly #spare = new Map<number, Buffer[]>(SLABS.map((size) => [size, []]))
  readonly #hot = new LRUCache<string, HotPart>({
    maxSize: HOT_BYTES,
    sizeCalculation: ({ slab }) => slab.length,
    dispose: (hotPart) => {
      hotPart.kept = false
      this.#reuse(hotPart)
    },
  })
  readonly #asked = new Set<string>()

  constructor(files: OpenFiles) {
    this.#files = files
  }

  /** `length` bytes from `start`, which must be within the file; at most `LONGEST_PART`. */
  async read(path: string, start: number, length: number): Promise<Part> {
    const key = `${start} ${length} ${path}`
    const hot = this.#hot.get(key)
    if (hot) return this.#lend(hot)
    const isPopular = this.#askedBefore(key)
    const slab = this.#slab(length)
    const hotPart: HotPart = { slab, bytes: slab.subarray(0, length), readers: 0, kept: false }
    const part = this.#lend(hotPart)
    await this.#files.read(path, start, hotPart.bytes)
    if (isPopular) this.#keep(key, hotPart)
    return part
  }

  #lend(hotPart: HotPart): Part {
    hotPart.readers += 1
    return {
      bytes: hotPart.bytes,
      done: () => {
        hotPart.readers -= 1
        this.#reuse(hotPart)
      },
    }
  }

  #slab(length: number): Buffer {
    const size = SLABS.find((bytes) => bytes >= length)
    if (size === undefined) throw new RangeError(`A part of ${length} bytes is too long`)
    return this.#spare.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
  }

  #reuse({ slab, readers, kept }: HotPart): void {
    if (readers > 0 || kept) return
    const spare = this.#spare.get(slab.length)
    if (spare && spare.length < SPARE_SLABS) spare.push(slab)
  }

  #askedBefore(key: string): boolean {
    if (this.#asked.delete(key)) return true
    this.#asked.add(key)
    for (const oldest of this.#asked) {
      if (this.#asked.size <= REMEMBERED) break
      this.#asked.delete(oldest)
    }
    return false
  }

  #keep(key: string, hotPart: HotPart): void {
    if (this.#hot.has(key)) return
    hotPart.kept = true
    this.#hot.set(key, hotPart)
  }
}

const opened = promisify(open)
const statted = promisify(fstat)
const readInto = promisify(read)

interface OpenFile {
  readonly fd: number
  readonly size: number
  /** Reads in progress; the file stays open for them, because its descriptor could be reused. */
  reads: number
  dropped: boolean
}

/** A player requests many small parts, and opening is as expensive as reading. */
export class OpenFiles {
  readonly #files: LRUCache<string, Promise<OpenFile>>

  constructor(max = 128) {
    this.#files = new LRUCache({ max, dispose: closeWhenRead })
  }

  /** Rejects with `ENOENT` if there is no such file. */
  async size(path: string): Promise<number> {
    return (await this.#use(path)).size
  }

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
