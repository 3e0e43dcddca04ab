import { Dexie, type EntityTable, type Table } from 'dexie'
import type { Book } from '#contract/catalogue.ts'
import { perOwnerDatabases } from './open.ts'
import type { TitleKey } from './title-key.ts'

/** A file of a title: a chapter of sound, or an e-book as chapter 1. */
export interface WantedFile {
  chapter: number
  name: string
  playtime: number
  /** 0 where the server does not tell before. */
  bytes: number
  /** Lower-case hex; empty where the server does not tell. */
  sha256: string
}

/** `space`: the device is full. `refused`: not this listener's any more. `broken`: not what was promised. */
export type DownloadFailure = 'space' | 'refused' | 'broken'

export interface StoredTitle {
  key: TitleKey
  title: string
  authors: string[]
  narrators: string[]
  /** Encoded picture; never a Blob (trap 14). */
  cover: ArrayBuffer | null
  coverType: string
  /** Colours of the title, as the contract gives them. */
  colours: [background: string | null, container: string | null, text: string | null]
  files: WantedFile[]
  /** Asked for by the listener; 0: only some chapters are kept for a while, because they come next. */
  kept: 0 | 1
  /** Still to be fetched. */
  wanted: 0 | 1
  /** Why the fetching stopped for good, until the listener tries again. */
  failure: DownloadFailure | null
  /** 1 after the browser removed parts of it, until it is whole again. */
  lost: 0 | 1
  addedAtMs: number
  /** No longer read (`downloads/make-room.ts`). Written as null for the previous release, which treats undefined as finished. */
  finishedAtMs: number | null
  /** What its page said when it was asked for, so that the page opens without a network. Its addresses expire. */
  page?: Book
}

export interface StoredFile {
  title: TitleKey
  chapter: number
  type: string
  bytes: number
  sha256: string
  chunkCount: number
  /** 1 only after the length and the hash of the whole file were found right. */
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

export type SoundDb = Dexie & {
  titles: EntityTable<StoredTitle, 'key'>
  files: Table<StoredFile, [TitleKey, number]>
  chunks: Table<Chunk, [TitleKey, number, number]>
}

/** The rule for versions is the one of `places-db.ts`. */
export const soundDb = perOwnerDatabases((ownerUuid) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables are there once their stores are named below
  const db = new Dexie(`murmur-sound-${ownerUuid}`, { chromeTransactionDurability: 'relaxed' }) as SoundDb
  db.version(1).stores({
    titles: 'key, wanted',
    files: '[title+chapter], title',
    chunks: '[title+chapter+index]',
  })
  return db
})
