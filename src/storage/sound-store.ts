import { CHUNK_BYTES } from './sound-path.ts'
import {
  soundDb,
  type Chunk,
  type SoundDb,
  type StoredFile,
  type StoredTitle,
  type WantedFile,
} from './sound-db.ts'
import { slugOfKey, titleKey, type TitleKey } from './title-key.ts'
import { sha256 as incremental } from '@noble/hashes/sha2.js'

/** WebKit has lost Blobs from IndexedDB for years (trap 14): store only plain bytes. */
function assertPlainBytes(bytes: unknown): asserts bytes is ArrayBuffer {
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError('Sound is kept as an ArrayBuffer, never as a Blob')
}

/** Writes one chunk in a transaction of its own. Passes QuotaExceededError on. */
export async function writeChunk(ownerUuid: string, at: Omit<Chunk, 'sha256'>): Promise<void> {
  assertPlainBytes(at.bytes)
  const chunk: Chunk = { ...at, sha256: await sha256(at.bytes) }
  await soundDb.use(ownerUuid, (db) => db.chunks.put(chunk))
}

/** Indexes of a file's stored chunks, from 0. */
export const storedChunks = (ownerUuid: string, title: TitleKey, chapter: number): Promise<number[]> =>
  soundDb.use(ownerUuid, async (db) => (await chunkKeys(db, title, chapter)).map(([, , index]) => index))

/**
 * Marks a file as complete if its length and hash are right, and returns whether they are. A wrong file is
 * removed, so the next attempt starts from scratch.
 */
export async function completeFile(
  ownerUuid: string,
  title: TitleKey,
  file: WantedFile,
  type: string,
): Promise<boolean> {
  const found = await measure(ownerUuid, title, file.chapter)
  const right =
    found !== undefined &&
    (file.bytes === 0 || found.bytes === file.bytes) &&
    (file.sha256 === '' || found.sha256 === file.sha256)
  if (!right) {
    await removeFile(ownerUuid, title, file.chapter)
    return false
  }
  await soundDb.use(ownerUuid, (db) =>
    db.files.put({
      title,
      chapter: file.chapter,
      type,
      bytes: found.bytes,
      sha256: file.sha256,
      chunkCount: Math.ceil(found.bytes / CHUNK_BYTES),
      complete: 1,
      storedAtMs: Date.now(),
    }),
  )
  return true
}

/**
 * Length and hash of all chunks, with one in memory at a time: a chapter may have 500 MB. Undefined if one is
 * missing.
 */
async function measure(
  ownerUuid: string,
  title: TitleKey,
  chapter: number,
): Promise<{ bytes: number; sha256: string } | undefined> {
  const keys = await soundDb.use(ownerUuid, (db) => chunkKeys(db, title, chapter))
  if (keys.length === 0 || keys.some(([, , index], place) => index !== place)) return undefined
  const hash = sha256OfParts()
  let bytes = 0
  for (const key of keys) {
    const chunk = await soundDb.use(ownerUuid, (db) => db.chunks.get(key))
    if (!chunk) return undefined
    hash.add(chunk.bytes)
    bytes += chunk.bytes.byteLength
    free(chunk.bytes)
  }
  return { bytes, sha256: hash.hex() }
}

export const storedFile = (
  ownerUuid: string,
  title: TitleKey,
  chapter: number,
): Promise<StoredFile | undefined> =>
  soundDb.use(ownerUuid, async (db) => {
    const file = await db.files.get([title, chapter])
    return file?.complete === 1 ? file : undefined
  })

/**
 * Verifies a stored file chunk by chunk and removes damaged chunks (traps 11 and 14). A file with a missing
 * chunk becomes incomplete, and is fetched again if the listener downloaded its title. Returns whether it is
 * complete.
 */
export async function checkFile(ownerUuid: string, title: TitleKey, chapter: number): Promise<boolean> {
  const keys = await soundDb.use(ownerUuid, (db) => chunkKeys(db, title, chapter))
  let right = 0
  for (const key of keys) {
    const chunk = await soundDb.use(ownerUuid, (db) => db.chunks.get(key))
    if (chunk && (await sha256(chunk.bytes)) === chunk.sha256) right++
    else await soundDb.use(ownerUuid, (db) => db.chunks.delete(key))
    if (chunk) free(chunk.bytes)
  }
  return soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.titles, db.files, async () => {
      const file = await db.files.get([title, chapter])
      if (file?.complete === 1 && file.chunkCount === right) return true
      await db.files.delete([title, chapter])
      const promised = file && (await db.titles.get(title))
      if (promised?.kept === 1 && !promised.failure) await db.titles.update(title, { wanted: 1, lost: 1 })
      return false
    }),
  )
}

/** Bytes `first` to `last`, inclusive; undefined if one of their chunks is missing. */
export function readSlice(
  ownerUuid: string,
  { title, chapter }: Pick<StoredFile, 'title' | 'chapter'>,
  first: number,
  last: number,
): Promise<ArrayBuffer[] | undefined> {
  const from = Math.floor(first / CHUNK_BYTES)
  const to = Math.floor(last / CHUNK_BYTES)
  return soundDb.use(ownerUuid, async (db) => {
    const chunks = await db.chunks
      .where(CHUNK_KEY)
      .between([title, chapter, from], [title, chapter, to], true, true)
      .toArray()
    if (chunks.length !== to - from + 1) return undefined
    return chunks.map(({ bytes, index }) => {
      const start = index * CHUNK_BYTES
      return bytes.slice(Math.max(0, first - start), Math.min(bytes.byteLength, last + 1 - start))
    })
  })
}

/** Reads the whole file into memory: for a zip or a `blob:` URL. */
export const readWhole = (
  ownerUuid: string,
  title: TitleKey,
  chapter: number,
): Promise<ArrayBuffer | undefined> =>
  soundDb.use(ownerUuid, async (db) => {
    const chunks = await chunksOf(db, title, chapter).toArray()
    if (chunks.length === 0 || chunks.some(({ index }, place) => index !== place)) return undefined
    const whole = new Uint8Array(chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0))
    let at = 0
    for (const { bytes } of chunks) {
      whole.set(new Uint8Array(bytes), at)
      at += bytes.byteLength
    }
    return whole.buffer
  })

export const readTitle = (ownerUuid: string, key: TitleKey): Promise<StoredTitle | undefined> =>
  soundDb.use(ownerUuid, (db) => db.titles.get(key))

/** Chapter lengths in seconds of a stored audiobook; empty for others. */
export const storedLengths = async (
  slug: string,
  ownerUuid: string,
): Promise<ReadonlyMap<number, number>> => {
  const title = await readTitle(ownerUuid, titleKey('audio', slug))
  return new Map(title?.files.map(({ chapter, playtime }) => [chapter, playtime]))
}

export const putTitle = (ownerUuid: string, title: StoredTitle): Promise<unknown> => {
  if (title.cover) assertPlainBytes(title.cover)
  return soundDb.use(ownerUuid, (db) => db.titles.put(title))
}

export const wantedTitles = (ownerUuid: string): Promise<StoredTitle[]> =>
  soundDb.use(ownerUuid, (db) => db.titles.where('wanted').equals(1).toArray())

export const changeTitle = (
  ownerUuid: string,
  key: TitleKey,
  change: Partial<Omit<StoredTitle, 'key'>>,
): Promise<boolean> => soundDb.use(ownerUuid, async (db) => (await db.titles.update(key, change)) > 0)

/** Opening a file again renews it: automatic downloads are removed oldest first. */
export const touchFile = async (ownerUuid: string, title: TitleKey, chapter: number): Promise<void> => {
  await soundDb.use(ownerUuid, (db) => db.files.update([title, chapter], { storedAtMs: Date.now() }))
}

export const removeFile = (ownerUuid: string, title: TitleKey, chapter: number): Promise<void> =>
  soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.files, db.chunks, async () => {
      await db.files.delete([title, chapter])
      await chunksOf(db, title, chapter).delete()
    }),
  )

export const removeTitle = (ownerUuid: string, key: TitleKey): Promise<void> =>
  soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.titles, db.files, db.chunks, db.inStep, async () => {
      await db.titles.delete(key)
      if (key === titleKey('audio', slugOfKey(key))) await db.inStep.delete(slugOfKey(key))
      await db.files.where('title').equals(key).delete()
      await chunksOfTitle(db, key).delete()
    }),
  )

/** Removes titles that the listener didn't download and that have no stored or incomplete chapter. */
export const removeEmptyTitles = (ownerUuid: string): Promise<void> =>
  soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.titles, db.files, db.chunks, async () => {
      for (const { key } of await db.titles.filter(({ kept }) => kept === 0).toArray()) {
        const held =
          (await db.files.where('title').equals(key).count()) + (await chunksOfTitle(db, key).count())
        if (held === 0) await db.titles.delete(key)
      }
    }),
  )

/** Titles that were only opened: 20 files of ten hours are about 10 MB. */
const IN_STEP_AT_MOST = 20

export const readInStep = async (ownerUuid: string, slug: string): Promise<ArrayBuffer | undefined> =>
  (await soundDb.use(ownerUuid, (db) => db.inStep.get(slug)))?.file

/** Removes the oldest of titles that are not downloaded. */
export const writeInStep = (ownerUuid: string, slug: string, file: ArrayBuffer): Promise<void> =>
  soundDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.inStep, db.titles, async () => {
      await db.inStep.put({ slug, file, storedAtMs: Date.now() })
      if ((await db.inStep.count()) <= IN_STEP_AT_MOST) return
      const downloaded = new Set(await db.titles.toCollection().primaryKeys())
      const rows = await db.inStep
        .filter((row) => !downloaded.has(titleKey('audio', row.slug)))
        .sortBy('storedAtMs')
      await db.inStep.bulkDelete(rows.slice(0, -IN_STEP_AT_MOST).map((row) => row.slug))
    }),
  )

export const removeInStep = (ownerUuid: string, slug: string): Promise<void> =>
  soundDb.use(ownerUuid, (db) => db.inStep.delete(slug))

/** Removes all of this listener's downloads; places and unsent changes stay. */
export const removeAllSound = (ownerUuid: string): Promise<void> => soundDb.remove(ownerUuid)

export const CHUNK_KEY = '[title+chapter+index]'
const FAR = Number.MAX_SAFE_INTEGER

export const chunksOfTitle = (db: SoundDb, key: TitleKey) =>
  db.chunks.where(CHUNK_KEY).between([key, 0, 0], [key, FAR, FAR])

export const chunksOf = (db: SoundDb, title: TitleKey, chapter: number) =>
  db.chunks.where(CHUNK_KEY).between([title, chapter, 0], [title, chapter, FAR])

const chunkKeys = (db: SoundDb, title: TitleKey, chapter: number) =>
  chunksOf(db, title, chapter).primaryKeys()

/** Lower-case hex, as the contract's `AudioFile.sha256`. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return hexOf(digest)
}

/** Incremental version: the browser's own digest needs all bytes in memory at once. */
export function sha256OfParts(): { add: (part: ArrayBuffer) => void; hex: () => string } {
  const hash = incremental.create()
  return { add: (part) => void hash.update(new Uint8Array(part)), hex: () => hexOf(hash.digest()) }
}

const hexOf = (digest: Uint8Array) =>
  Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Frees a chunk's memory at once. Garbage collection comes late: for a chapter of 500 MB, a hundred chunks
 * were waiting for it. The chunk cannot be read afterwards.
 */
export function free(chunk: ArrayBuffer & { transfer?: (byteLength: number) => unknown }): void {
  // Safari before 17.4 and Firefox before 122 lack `transfer`; there, garbage collection frees the memory.
  chunk.transfer?.(0)
}
