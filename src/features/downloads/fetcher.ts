import { isTryLater, NetProblem } from '#net/problem.ts'
import { CHUNK_BYTES } from '#storage/sound-path.ts'
import type { WantedFile, StoredTitle } from '#storage/sound-db.ts'
import { isFromShopOrStore } from '#net/from-shop.ts'
import type { Book } from '#contract/catalogue.ts'
import { free, completeFile, storedChunks, storedFile } from '#storage/sound-store.ts'
import { type TitleKey, titleKey, type TitleFormat } from '#storage/title-key.ts'
import { storeChunk } from './make-room.ts'

/** The file can't be fetched, and waiting doesn't help. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  readonly reason: 'refused' | 'changed'

  constructor(reason: 'refused' | 'changed') {
    super(reason)
    this.reason = reason
  }
}

export interface FetchPorts {
  fetch: typeof fetch
  /** The file's signed URL; `fresh` requests a new one because the last was refused. */
  address: (fresh: boolean) => Promise<string>
  /** Resolves when a retry makes sense: after the pause, and once there is a network. */
  untilRetry: (signal: AbortSignal) => Promise<void>
}

export interface FetchedChunk {
  index: number
  bytes: ArrayBuffer
  /** The size of the whole file, from the server. */
  totalBytes: number
  type: string
}

/**
 * Fetches a file's missing chunks in order, and survives closed tabs, restarted servers, lost networks and
 * expired URLs: the next call continues where the last one stopped.
 *
 * @throws {FetchRefused} if the server refuses the file, or serves a different one.
 */
export async function fetchFile(
  file: Pick<WantedFile, 'bytes'>,
  have: ReadonlySet<number>,
  ports: FetchPorts,
  onChunk: (chunk: FetchedChunk) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let total = file.bytes
  let index = 0
  do {
    if (!have.has(index)) {
      const came = await fetchChunk(index, total, ports, signal)
      total = came.totalBytes
      try {
        for (;;) {
          const chunk = await nextOf(came.chunks, signal)
          if (!chunk) break
          if (chunk.index >= index && !have.has(chunk.index)) await onChunk(chunk)
          index = Math.max(index, chunk.index + 1)
        }
      } finally {
        await came.chunks.return(undefined)
      }
      if (came.isWhole && index * CHUNK_BYTES < total) await ports.untilRetry(signal)
    } else {
      // An e-book's size is only known from an answer, so its first chunk is fetched again.
      if (total === 0) total = (await fetchChunk(index, 0, ports, signal)).totalBytes
      index++
    }
  } while (index * CHUNK_BYTES < total)
}

/** Undefined at the end, and if the connection broke: the missing part is requested again. */
async function nextOf(chunks: Came['chunks'], signal: AbortSignal): Promise<FetchedChunk | undefined> {
  try {
    const { done, value } = await chunks.next()
    return done ? undefined : value
  } catch (failure) {
    if (signal.aborted || failure instanceof FetchRefused) throw failure
    return undefined
  }
}

async function fetchChunk(
  index: number,
  total: number,
  ports: FetchPorts,
  signal: AbortSignal,
): Promise<Came> {
  let refusals = 0
  for (;;) {
    const outcome = await tryChunk(index, total, await ports.address(refusals > 0), ports, signal)
    if (outcome === 'refused' && ++refusals > 1) throw new FetchRefused('refused')
    if (outcome === 'changed') throw new FetchRefused('changed')
    if (outcome === 'silence') await ports.untilRetry(signal)
    else if (outcome !== 'refused') return outcome
  }
}

interface Came {
  totalBytes: number
  /** The server sent the whole file from its beginning instead of the requested chunk. */
  isWhole: boolean
  chunks: AsyncGenerator<FetchedChunk, undefined>
}
type Outcome = Came | 'refused' | 'changed' | 'silence'

async function tryChunk(
  index: number,
  total: number,
  address: string,
  ports: FetchPorts,
  signal: AbortSignal,
): Promise<Outcome> {
  const first = index * CHUNK_BYTES
  const last = total > 0 ? Math.min(first + CHUNK_BYTES, total) - 1 : first + CHUNK_BYTES - 1
  try {
    const response = await ports.fetch(address, {
      headers: { range: `bytes=${first}-${last}` },
      /**
       * The bytes are stored in our own database; a second copy in the browser's cache would double the
       * space.
       */
      cache: 'no-store',
      signal,
    })
    // Ignore a captive portal's refusal (trap 22).
    if (!isFromShopOrStore(response)) return 'silence'
    if (response.status >= 500 || isTryLater(response.status)) return 'silence'
    if (response.status === 416) return 'changed'
    if (response.status === 200) return await wholeFile(response, total)
    if (response.status !== 206) return 'refused'
    return await oneChunk(response, { index, first, last, total })
  } catch (failure) {
    if (signal.aborted) throw failure
    return 'silence'
  }
}

async function oneChunk(
  response: Response,
  { index, first, last, total }: { index: number; first: number; last: number; total: number },
): Promise<Outcome> {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
  if (!range || Number(range[1]) !== first) return 'changed'
  const announced = Number(range[3])
  if (total > 0 && announced !== total) return 'changed'
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength !== Math.min(last, announced - 1) - first + 1) return 'silence'
  return {
    totalBytes: announced,
    isWhole: false,
    chunks: one({ index, bytes, totalBytes: announced, type: typeOf(response) }),
  }
}

/**
 * A server without range support sends everything (trap 4): stream it, because it may not fit into memory.
 */
async function wholeFile(response: Response, total: number): Promise<Outcome> {
  const type = typeOf(response)
  if (type.startsWith('text/html') || !response.body) return 'silence'
  // An e-book's size is only known once it has arrived.
  const whole = total > 0 ? undefined : new Uint8Array(await response.arrayBuffer())
  const totalBytes = whole ? whole.byteLength : total
  if (totalBytes === 0) return 'silence'
  const announced = Number(response.headers.get('content-length') ?? totalBytes)
  if (announced > totalBytes) return 'changed'
  if (announced < totalBytes) return 'silence'
  const pieces = whole ? [whole] : piecesOf(response.body)
  return { totalBytes, isWhole: true, chunks: cut(pieces, { index: 0, total: totalBytes, type }) }
}

/** Splits pieces of any size into chunks. Yields the last chunk only if it is complete. */
async function* one(chunk: FetchedChunk): AsyncGenerator<FetchedChunk, undefined> {
  yield chunk
  return undefined
}

async function* cut(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { index, total, type }: { index: number; total: number; type: string },
): AsyncGenerator<FetchedChunk, undefined> {
  const sizeOf = (at: number) => Math.min(CHUNK_BYTES, total - at * CHUNK_BYTES)
  let chunk = new Uint8Array(sizeOf(index))
  let filled = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.byteLength;) {
      if (chunk.byteLength === 0) throw new FetchRefused('changed')
      const part = piece.subarray(from, from + chunk.byteLength - filled)
      chunk.set(part, filled)
      filled += part.byteLength
      from += part.byteLength
      if (filled < chunk.byteLength) continue
      yield { index, bytes: chunk.buffer, totalBytes: total, type }
      index++
      chunk = new Uint8Array(Math.max(0, sizeOf(index)))
      filled = 0
    }
  }
  return undefined
}

/** Not every browser supports async iteration of streams. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const typeOf = (response: Response) => response.headers.get('content-type') ?? 'application/octet-stream'

export interface DownloadPorts {
  askBook: (key: TitleKey) => Promise<Book>
  fetch: typeof fetch
  untilRetry: (signal: AbortSignal) => Promise<void>
  /** The listener's setting: may finished titles be removed to make room? */
  removeFinished: () => Promise<boolean>
}

export class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** A title's signed URLs, fetched on demand and again after a refusal. */
export interface Addresses {
  of: (chapter: number, fresh: boolean, signal: AbortSignal) => Promise<string>
  /** The server's latest description of the files; undefined before the first request. */
  files: () => WantedFile[] | undefined
}

export function addressesOf(key: TitleKey, ports: DownloadPorts): Addresses {
  let known: ReturnType<typeof filesOf> | undefined

  const ask = async (signal: AbortSignal) => {
    for (;;) {
      try {
        return filesOf(await ports.askBook(key))
      } catch (problem) {
        if (signal.aborted || !(problem instanceof NetProblem)) throw problem
        if (problem.status === 401) throw new SignedOut()
        if (problem.kind === 'refused' && problem.status !== 429) throw new FetchRefused('refused')
        await ports.untilRetry(signal)
      }
    }
  }

  return {
    async of(chapter, fresh, signal) {
      if (fresh || !known) known = await ask(signal)
      const found = known.find(({ file }) => file.chapter === chapter)
      if (!found) throw new FetchRefused('refused')
      return found.url
    },
    files: () => known?.map(({ file }) => file),
  }
}

/**
 * Stores one file completely, using the chunks that are already stored.
 *
 * @param stillWanted called before every chunk: another tab may have removed the title.
 * @throws {FetchRefused | SignedOut | NoSpaceLeft} if waiting does not help.
 */
export async function fetchOne(
  ownerUuid: string,
  key: TitleKey,
  file: WantedFile,
  addresses: Addresses,
  ports: DownloadPorts,
  stillWanted: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const removeFinished = await ports.removeFinished()
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await storedFile(ownerUuid, key, file.chapter)) return
    const have = new Set(await storedChunks(ownerUuid, key, file.chapter))
    let type = ''
    await fetchFile(
      file,
      have,
      {
        fetch: ports.fetch,
        address: (fresh) => addresses.of(file.chapter, fresh, signal),
        untilRetry: ports.untilRetry,
      },
      async (chunk) => {
        if (!(await stillWanted())) throw new DOMException('No longer wanted', 'AbortError')
        type = chunk.type
        const at = { title: key, chapter: file.chapter, index: chunk.index, bytes: chunk.bytes }
        await storeChunk(ownerUuid, at, { removeFinished })
        free(chunk.bytes)
      },
      signal,
    )
    if (await completeFile(ownerUuid, key, file, type || usualType(key))) return
  }
  throw new FetchRefused('changed')
}

/** The server's usual type, for files whose chunks were all stored before any answer. */
const usualType = (key: TitleKey) => (key.startsWith('audio/') ? 'audio/mpeg' : 'application/epub+zip')

export const formatOf = (book: Book): TitleFormat => (book.entityType === 'audioBook' ? 'audio' : 'ebook')

/** A title's files with their signed URLs, by chapter. An e-book is one file, as chapter 1. */
export function filesOf(book: Book): { file: WantedFile; url: string }[] {
  if (book.entityType === 'eBook') {
    const file = { chapter: 1, name: book.title, playtime: 0, bytes: 0, sha256: '' }
    return book.download ? [{ file, url: book.download }] : []
  }
  return book.audioFiles.map((audio) => ({
    file: {
      chapter: audio.chapterOrderNumber,
      name: audio.chapterTitle,
      playtime: audio.playtime,
      bytes: audio.bytes,
      sha256: audio.sha256,
    },
    url: audio.url,
  }))
}

/** The title data stored on the device, so that library and player need no server. */
export const describeTitle = (
  book: Book,
  cover: { bytes: ArrayBuffer; type: string } | undefined,
  addedAtMs: number,
): StoredTitle => ({
  key: titleKey(formatOf(book), book.slug),
  title: book.title,
  authors: book.authors.map(({ fullName }) => fullName),
  narrators: book.narrators.map(({ fullName }) => fullName),
  cover: cover?.bytes ?? null,
  coverType: cover?.type ?? '',
  colours: [book.bookBackgroundColour, book.containerBackgroundColour, book.textColour],
  files: filesOf(book).map(({ file }) => file),
  kept: 0,
  wanted: 0,
  failure: null,
  lost: 0,
  addedAtMs,
  finishedAtMs: null,
  page: book,
})
