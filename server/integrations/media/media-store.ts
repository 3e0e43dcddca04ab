import type { Readable } from 'node:stream'
import type { Part } from './parts.ts'

/** Bytes, or a file with what it has to be. A spare one may be moved instead of copied. */
export type Content =
  | Uint8Array
  | { readonly file: string; readonly bytes: number; readonly sha256: string; readonly isSpare?: boolean }

export interface StoredMedia {
  /** Below the store, with slashes (`paths.ts`). */
  readonly path: string
  readonly bytes: number
  readonly changedAt: Date
}

/** What a store's own answer says in its headers. */
export interface Said {
  readonly type: string
  readonly disposition?: string
}

/** Where sound, e-books and pictures lie: the folder `media` of `DATA_DIR`, or an object store. What is stored never changes. */
export interface MediaStore {
  /** For its owner, without keys. */
  readonly name: string
  /** In bytes; undefined where there is no such file. */
  size(path: string): Promise<number | undefined>
  /**
   * From `first` to `last`, both included, which must lie within the file: at hand, or as they come.
   *
   * @throws {MissingMedia}
   */
  read(path: string, first: number, last: number): Promise<Part | Readable>
  /** @throws {MissingMedia} */
  stream(path: string): Promise<Readable>
  /** Under its path only when it is whole, and what its hash says; what is there already stays. */
  put(path: string, content: Content): Promise<void>
  remove(path: string): Promise<void>
  /** In the order of their paths, without what is only being written. */
  list(): AsyncIterable<StoredMedia>
  /** A short-lived address at which the store itself answers; null where it answers nobody but us. */
  sign(path: string, said: Said): Promise<string | null>
  /** Lets go of what is kept open; it may be used again. */
  close(): void
}

/** A file that is spoken of and is not there. */
export class MissingMedia extends Error {}

/** The store gave no answer, or not the one that it owes us. Nothing is known of what was asked. */
export class StoreUnavailable extends Error {}

export async function everyFile(store: Pick<MediaStore, 'list'>): Promise<StoredMedia[]> {
  const files: StoredMedia[] = []
  for await (const file of store.list()) files.push(file)
  return files
}
