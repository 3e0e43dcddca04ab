import { Dexie, type EntityTable, type Table } from 'dexie'
import type { Book } from '#contract/catalogue.ts'
import { perOwnerDatabases } from './open.ts'
import type { TitleKey } from './title-key.ts'

/** A file of a title: a chapter of sound, or an e-book as chapter 1. */
export interface WantedFile {
  chapter: number
  name: string
  playtime: number
  /** 0 if the server doesn't provide it in advance. */
  bytes: number
  /** Lower-case hex; empty if the server doesn't provide it. */
  sha256: string
}

/**
 * `space`: the device is full. `refused`: the listener no longer has access. `broken`: length or hash differ.
 */
export type DownloadFailure = 'space' | 'refused' | 'broken'

export interface StoredTitle {
  key: TitleKey
  title: string
  authors: string[]
  narrators: string[]
  /** Encoded image; never a Blob (trap 14). */
  cover: ArrayBuffer | null
  coverType: string
  /** The title's colours, as the API returns them. */
  colours: [background: string | null, container: string | null, text: string | null]
  files: WantedFile[]
  /** 1: downloaded by the listener; 0: only some upcoming chapters are stored for a while. */
  kept: 0 | 1
  /** 1 while files are still to be fetched. */
  wanted: 0 | 1
  /** Why the download stopped, until the listener retries. */
  failure: DownloadFailure | null
  /** 1 after the browser removed parts of it, until it is complete again. */
  lost: 0 | 1
  addedAtMs: number
  /** No longer read (`downloads/make-room.ts`). Written as null for the previous release, which treats undefined as finished. */
  finishedAtMs: number | null
  /** The title's page data when it was downloaded, so that the page opens offline. Its media URLs expire. */
  page?: Book
}

export interface StoredFile {
  title: TitleKey
  chapter: number
  type: string
  bytes: number
  sha256: string
  chunkCount: number
  /** 1 only after length and hash of the whole file were verified. */
  complete: 0 | 1
  storedAtMs: number
}

export interface Chunk {
  title: TitleKey
  chapter: number
  index: number
  bytes: ArrayBuffer
  sha256: string
}

/** The file of an audiobook's sentences (`contract/calculations/in-step.ts`). */
interface StoredInStep {
  slug: string
  file: ArrayBuffer
  storedAtMs: number
}

export type SoundDb = Dexie & {
  inStep: EntityTable<StoredInStep, 'slug'>
  titles: EntityTable<StoredTitle, 'key'>
  files: Table<StoredFile, [TitleKey, number]>
  chunks: Table<Chunk, [TitleKey, number, number]>
}

/** For new versions, the rule in `places-db.ts` applies. */
export const soundDb = perOwnerDatabases((ownerUuid) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables are there once their stores are named below
  const db = new Dexie(`murmur-sound-${ownerUuid}`, { chromeTransactionDurability: 'relaxed' }) as SoundDb
  db.version(1).stores({
    titles: 'key, wanted',
    files: '[title+chapter], title',
    chunks: '[title+chapter+index]',
  })
  db.version(2).stores({ inStep: 'slug' })
  return db
})
