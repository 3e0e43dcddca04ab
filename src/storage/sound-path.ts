/**
 * The worker answers stored chapters under this path, not under `/media/`, which it never touches (trap 5).
 *
 * @param sound the SHA-256 of the wanted file: the worker answers no other one
 */
export const soundPath = (ownerUuid: string, slug: string, chapter: number, sound = '') =>
  `/device/sound/${ownerUuid}/${slug}/${chapter}${sound && `?sound=${sound}`}`

const PATH = /^\/device\/sound\/([0-9a-f-]{36})\/([^/]+)\/(\d+)$/

export function parseSoundPath(pathname: string) {
  const found = PATH.exec(pathname)
  if (!found) return undefined
  const [, ownerUuid = '', slug = '', chapter = ''] = found
  return { ownerUuid, slug: decodeURIComponent(slug), chapter: Number(chapter) }
}

/** Small enough for one transaction and one retry, large enough for few rows: 1 MiB (traps 12, 14). */
export const CHUNK_BYTES = 1024 * 1024

/** The answer to a `Range` header: a slice, the whole, or 416. `last` is inclusive, as in HTTP. */
export type Slice = { first: number; last: number; partial: boolean } | 'unsatisfiable'

/**
 * Longer ranges are answered in parts: the player requests the rest, and a seek does not wait for thirty
 * megabytes to be read (RFC 9110, 15.3.7 allows it).
 */
export const LONGEST_SLICE = 4 * CHUNK_BYTES

/**
 * Handles a single byte range; anything else (several ranges, other units) gets the whole file, as the RFC
 * allows.
 */
export function sliceFor(header: string | null, total: number): Slice {
  const whole: Slice = { first: 0, last: total - 1, partial: false }
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return whole
  const [, from = '', to = ''] = match

  if (from === '') {
    const length = Math.min(Number(to), total)
    return length === 0 ? 'unsatisfiable' : { first: total - length, last: total - 1, partial: true }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return whole
  if (first >= total) return 'unsatisfiable'
  // Players begin with an open range: one chunk is minutes of sound and takes one read.
  const last = to === '' ? chunkEnd(first) : Math.min(Number(to), first + LONGEST_SLICE - 1)
  return { first, last: Math.min(last, total - 1), partial: true }
}

/** Last byte of the chunk that contains `byte`, or of the next chunk if little is left. */
const chunkEnd = (byte: number) => (Math.floor((byte + CHUNK_BYTES / 4) / CHUNK_BYTES) + 1) * CHUNK_BYTES - 1
