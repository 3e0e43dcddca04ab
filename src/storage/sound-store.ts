import { CHUNK_BYTES } from './sound-path.ts'
import {
  soundDb,
  type Chunk,
  type SoundDb,
  type StoredFile,
  type StoredTitle,
  type WantedFile,
} from './sound-db.ts'
import { titleKey, type TitleKey } from './title-key.ts'
import { sha256 as incremental } from '@noble/hashes/sha2.js'

/** WebKit has lost Blobs out of IndexedDB for years (trap 14): only plain bytes go in. */
function assertPlainBytes(bytes: unknown): asserts bytes is ArrayBuffer {
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError('Sound is kept as an ArrayBuffer, never as a Blob')
}

/** One chunk, one transaction, nothing else in it. Throws QuotaExceededError as it comes. */
export async function writeChunk(ownerUuid: string, at: Omit<Chunk, 'sha256'>): Promise<void> {
  assertPlainBytes(at.bytes)
  const chunk: Chunk = { ...at, sha256: await sha256(at.bytes) }
  await soundDb.use(ownerUuid, (db) => db.chunks.put(chunk))
}

/** Says which chunks of a file are here: indexes from 0, without their bytes. */
export const storedChunks = (ownerUuid: string, title: TitleKey, chapter: number): Promise<number[]> =>
  soundDb.use(ownerUuid, async (db) => (await chunkKeys(db, title, chapter)).map(([, , index]) => index))

/**
 * Declares a file whole after its length and hash were found right, and says whether they were. A file that is
 * not what was promised is removed, so the next try starts from scratch.
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

/** Length and hash of all chunks, one in memory at a time: a chapter may have 500 MB. Undefined where one is missing. */
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
 * Reads a stored file once more, chunk by chunk: what is no longer as it was stored is removed (traps 11 and 14). A
 * file of which something is missing is whole no longer, and a title that its listener keeps is fetched again. Says
 * whether it is whole.
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

/** Bytes `first` to `last`, both included; undefined where a chunk of them is missing. */
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

/** One file in memory: for a zip, for a `blob:` address. */
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

/** Titles that are still to be fetched. */
export const wantedTitles = (ownerUuid: string): Promise<StoredTitle[]> =>
  soundDb.use(ownerUuid, (db) => db.titles.where('wanted').equals(1).toArray())

/** Changes fields of a title that is there; says whether it was. */
export const changeTitle = (
  ownerUuid: string,
  key: TitleKey,
  change: Partial<Omit<StoredTitle, 'key'>>,
): Promise<boolean> => soundDb.use(ownerUuid, async (db) => (await db.titles.update(key, change)) > 0)

/** Records that the file was opened again: automatic downloads are removed oldest first. */
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
    db.transaction('rw', db.titles, db.files, db.chunks, async () => {
      await db.titles.delete(key)
      await db.files.where('title').equals(key).delete()
      await chunksOfTitle(db, key).delete()
    }),
  )

/** Titles that nobody asked to keep and of which nothing is here any more: no chapter, and none on its way. */
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

/** Everything stored for this listener's ears and eyes; places and what waits to be sent are not touched. */
export const removeAllSound = (ownerUuid: string): Promise<void> => soundDb.remove(ownerUuid)

const CHUNK_KEY = '[title+chapter+index]'
const FAR = Number.MAX_SAFE_INTEGER

export const chunksOfTitle = (db: SoundDb, key: TitleKey) =>
  db.chunks.where(CHUNK_KEY).between([key, 0, 0], [key, FAR, FAR])

const chunksOf = (db: SoundDb, title: TitleKey, chapter: number) =>
  db.chunks.where(CHUNK_KEY).between([title, chapter, 0], [title, chapter, FAR])

const chunkKeys = (db: SoundDb, title: TitleKey, chapter: number) =>
  chunksOf(db, title, chapter).primaryKeys()

/** Lower-case hex, as the contract's `AudioFile.sha256`. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return hexOf(digest)
}

/** The same of what comes in parts: the browser's own digest wants all of it in memory at once. */
export function sha256OfParts(): { add: (part: ArrayBuffer) => void; hex: () => string } {
  const hash = incremental.create()
  return { add: (part) => void hash.update(new Uint8Array(part)), hex: () => hexOf(hash.digest()) }
}

const hexOf = (digest: Uint8Array) =>
  Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Gives the memory of a chunk back at once. The browser's own sweep comes when it likes: a chapter of 500 MB had a hundred of
 * them waiting for it. The chunk cannot be read afterwards.
 */
export function free(chunk: ArrayBuffer & { transfer?: (byteLength: number) => unknown }): void {
  // Safari before 17.4 and Firefox before 122 have no such call, and sweep by themselves.
  chunk.transfer?.(0)
}
