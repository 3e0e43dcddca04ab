import { CHUNK_BYTES } from '#device/chunk-size.ts'
import type { WantedFile } from '#device/sound-db.ts'

/** Why a file cannot be had, however long one waits. */
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
  /** A signed address of the file; `fresh` asks the server for a new one because the last was refused. */
  address: (fresh: boolean) => Promise<string>
  /** Resolves when it is worth trying again: after the pause, and not before there is a network. */
  untilRetry: (signal: AbortSignal) => Promise<void>
}

export interface FetchedChunk {
  index: number
  bytes: ArrayBuffer
  /** Of the whole file, as the server says. */
  totalBytes: number
  type: string
}

/**
 * Fetches what is still missing of a file, a chunk at a time and in order, through closed tabs, restarted
 * servers, tunnels and expired addresses: whoever calls it again goes on where it stopped.
 *
 * @throws {FetchRefused} when the server will not give it, or gives another file than promised.
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
      for (const chunk of await fetchChunk(index, total, ports, signal)) {
        total = chunk.totalBytes
        await onChunk(chunk)
        index = chunk.index
      }
    } else if (total === 0) {
      // The size of an e-book is only known from an answer; its first chunk is fetched again for it.
      total = (await fetchChunk(index, 0, ports, signal))[0]?.totalBytes ?? 0
    }
    index++
  } while (index * CHUNK_BYTES < total)
}

async function fetchChunk(
  index: number,
  total: number,
  ports: FetchPorts,
  signal: AbortSignal,
): Promise<FetchedChunk[]> {
  let refusals = 0
  for (;;) {
    const outcome = await tryChunk(index, total, await ports.address(refusals > 0), ports, signal)
    if (outcome === 'refused' && ++refusals > 1) throw new FetchRefused('refused')
    if (outcome === 'changed') throw new FetchRefused('changed')
    if (outcome === 'silence') await ports.untilRetry(signal)
    else if (outcome !== 'refused') return outcome
  }
}

type Outcome = FetchedChunk[] | 'refused' | 'changed' | 'silence'

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
      // The bytes go into our own store; a second copy in the browser's would double what is used.
      cache: 'no-store',
      signal,
    })
    if (response.status >= 500 || [408, 425, 429].includes(response.status)) return 'silence'
    if (response.status === 416) return 'changed'
    if (response.status === 200) return await wholeFile(response, index, total)
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
  const told = Number(range[3])
  if (total > 0 && told !== total) return 'changed'
  const bytes = await response.arrayBuffer()
  // A connection that broke off without an error: not a chunk.
  if (bytes.byteLength !== Math.min(last, told - 1) - first + 1) return 'silence'
  return [{ index, bytes, totalBytes: told, type: typeOf(response) }]
}

/** A server that knows no ranges sends everything; a captive portal sends its page (trap 4, 22). */
async function wholeFile(response: Response, from: number, total: number): Promise<Outcome> {
  const type = typeOf(response)
  if (type.startsWith('text/html')) return 'silence'
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength === 0) return 'silence'
  if (total > 0 && bytes.byteLength !== total) return bytes.byteLength < total ? 'silence' : 'changed'
  const count = Math.ceil(bytes.byteLength / CHUNK_BYTES)
  return Array.from({ length: count }, (_, index) => ({
    index,
    bytes: bytes.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
    totalBytes: bytes.byteLength,
    type,
  })).slice(from)
}

const typeOf = (response: Response) => response.headers.get('content-type') ?? 'application/octet-stream'
