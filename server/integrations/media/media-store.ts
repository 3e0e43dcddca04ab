import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Part } from './parts.ts'
import { coverPath } from './paths.ts'

/** A spare file may be moved instead of copied. */
export type Content =
  | Uint8Array
  | { readonly file: string; readonly bytes: number; readonly sha256: string; readonly isSpare?: boolean }

export interface StoredMedia {
  readonly path: string
  readonly bytes: number
  readonly changedAt: Date
}

export interface Said {
  readonly type: string
  readonly disposition?: string
}

/** The folder `media` of `DATA_DIR`, or an object store. Stored files never change. */
export interface MediaStore {
  /** For the owner; without keys. */
  readonly name: string
  /** Size in bytes; undefined if there is no such file. */
  size(path: string): Promise<number | undefined>
  /** `first` and `last` are inclusive and within the file; a long range is a stream. @throws {MissingMedia} */
  read(path: string, first: number, last: number): Promise<Part | Readable>
  /** @throws {MissingMedia} */
  stream(path: string): Promise<Readable>
  /** The path becomes visible only when the file is complete and matches its hash. An existing file stays. */
  put(path: string, content: Content): Promise<void>
  remove(path: string): Promise<void>
  /** In the order of their paths, without files being written. */
  list(): AsyncIterable<StoredMedia>
  /** A short-lived URL at which the store itself delivers the file; null if only this server can deliver. */
  sign(path: string, said: Said): Promise<string | null>
  close(): void
}

/** A file that a row references but that does not exist. */
export class MissingMedia extends Error {}

/** Whether the request was carried out is unknown. */
export class StoreUnavailable extends Error {}

/** For a printed page; undefined if the file is missing. */
export async function coverDataUrl(
  store: Pick<MediaStore, 'stream'>,
  coverId: string,
): Promise<string | undefined> {
  try {
    const bytes = await buffer(await store.stream(coverPath(coverId, '900.jpg')))
    return `data:image/jpeg;base64,${bytes.toString('base64')}`
  } catch (error) {
    if (error instanceof MissingMedia) return undefined
    throw error
  }
}

export async function everyFile(store: Pick<MediaStore, 'list'>): Promise<StoredMedia[]> {
  const files: StoredMedia[] = []
  for await (const file of store.list()) files.push(file)
  return files
}
