import { LRUCache } from 'lru-cache'
import type { OpenFiles } from './open-files.ts'

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

/** A part in its buffer, which may be reused once it is neither cached nor being sent. */
interface HotPart {
  readonly slab: Buffer
  readonly bytes: Buffer
  readers: number
  kept: boolean
}

/**
 * Parts of sound files. Buffers are reused, because allocating memory for each part costs more than reading it. A part
 * that is requested a second time is cached, because it is probably the beginning of something popular; sending it then
 * costs no more than nginx's sendfile.
 */
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
