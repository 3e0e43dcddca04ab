import { createReadStream } from 'node:fs'
import { opendir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { errorCode } from '../../log/error-code.ts'
import { moveFile, storeBytes, storeFile } from './files.ts'
import { type Content, type MediaStore, MissingMedia, type StoredMedia } from './media-store.ts'
import { LONGEST_PART, OpenFiles, type Part, Parts } from './parts.ts'

const STREAM_CHUNK = 256 * 1024

/** Media in a folder of this machine, or of a disk that all machines share. */
export class FolderStore implements MediaStore {
  readonly name: string
  readonly #files = new OpenFiles()
  readonly #parts = new Parts(this.#files)

  constructor(folder: string) {
    this.name = folder
  }

  size(path: string): Promise<number | undefined> {
    return this.#files.size(this.#at(path)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    })
  }

  read(path: string, first: number, last: number): Promise<Part | Readable> {
    const length = last - first + 1
    if (length <= LONGEST_PART) return this.#parts.read(this.#at(path), first, length).catch(missing(path))
    // A stream closes its file when the listener disconnects, so it never uses a file shared with other reads.
    return this.#opened(path, { start: first, end: last })
  }

  stream(path: string): Promise<Readable> {
    return this.#opened(path, {})
  }

  put(path: string, content: Content): Promise<void> {
    const to = this.#at(path)
    if (content instanceof Uint8Array) return storeBytes(to, content)
    const { file, bytes, isSpare } = content
    return isSpare ? moveFile(to, file, bytes) : storeFile(to, file, content)
  }

  remove(path: string): Promise<void> {
    return rm(this.#at(path), { force: true })
  }

  async *list(): AsyncGenerator<StoredMedia> {
    for (const path of await this.#pathsIn()) {
      const found = await stat(this.#at(path)).catch(() => undefined)
      if (found) yield { path, bytes: found.size, changedAt: found.mtime }
    }
  }

  sign(): Promise<null> {
    return Promise.resolve(null)
  }

  close(): void {
    this.#files.closeAll()
  }

  #at(path: string): string {
    return join(this.name, path)
  }

  /** Opened before returning the stream, so that a missing file is an error here and not in the stream. */
  async #opened(path: string, range: { start?: number; end?: number }): Promise<Readable> {
    const file = this.#at(path)
    const handle = await open(file).catch(missing(path))
    return createReadStream(file, { ...range, fd: handle, highWaterMark: STREAM_CHUNK })
  }

  async #pathsIn(): Promise<string[]> {
    const paths: string[] = []
    const look = async (folder: string): Promise<void> => {
      for await (const entry of await opendir(this.#at(folder))) {
        const path = folder ? `${folder}/${entry.name}` : entry.name
        if (entry.isDirectory()) await look(path)
        // Files being written have the extension `.part`.
        else if (entry.isFile() && !entry.name.endsWith('.part')) paths.push(path)
      }
    }
    await look('').catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
    return paths.toSorted()
  }
}

const missing = (path: string) => (error: unknown) => {
  if (errorCode(error) === 'ENOENT') throw new MissingMedia(`${path} is missing`)
  throw error
}
