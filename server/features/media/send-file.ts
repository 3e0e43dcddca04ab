import { createReadStream } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matches } from '../../wire/answers.ts'
import type { OpenFiles } from '../../outside/media/open-files.ts'
import { LONGEST_PART, type Parts } from '../../outside/media/parts.ts'
import { HttpRefusal } from '../../wire/answer-problems.ts'
import { notFound } from '../../wire/refusals.ts'
import { rangeOf } from './ranges.ts'

interface SentFile {
  readonly path: string
  /** Hash of the content. */
  readonly sha256: string
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Shelves {
  readonly files: OpenFiles
  readonly parts: Parts
}

const STREAM_CHUNK = 256 * 1024

/** Answers a stored file, or the part of it that was asked for: 200, 206, 304, 404, 416. */
export async function sendFile(
  { files, parts }: Shelves,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, sha256, type, headers }: SentFile,
): Promise<FastifyReply> {
  const size = await files.size(path).catch(missing)
  const etag = `"${sha256}"`
  reply.headers(headers).header('accept-ranges', 'bytes').header('etag', etag)
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()

  const range = request.method === 'HEAD' ? 'whole' : rangeOf(rangeHeader(request, etag), size)
  if (range === 'unsatisfiable')
    throw new HttpRefusal(416, 'The range lies beyond the end of the file.', {
      'content-range': `bytes */${size}`,
    })
  reply.type(type)
  if (range === 'whole') reply.header('content-length', size)
  else
    reply
      .code(206)
      .header('content-range', `bytes ${range.first}-${range.last}/${size}`)
      .header('content-length', range.last - range.first + 1)
  if (request.method === 'HEAD') return reply.send()
  const { first, last } = range === 'whole' ? { first: 0, last: size - 1 } : range
  const length = last - first + 1
  if (length === 0) return reply.send(Buffer.alloc(0))
  if (length > LONGEST_PART)
    // A stream closes its file when the listener leaves, so it never gets one that others are reading.
    return reply.send(createReadStream(path, { start: first, end: last, highWaterMark: STREAM_CHUNK }))
  const part = await parts.read(path, first, length)
  // `finish` comes when the system has taken every byte; after a broken connection the memory is simply let go.
  reply.raw.once('finish', () => part.done())
  return reply.send(part.bytes)
}

/** Part of another version than the listener's would be noise in mid-sentence. */
function rangeHeader({ headers }: FastifyRequest, etag: string): string | undefined {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? headers.range : undefined
}

/** A file that is listed but not on the disk is missing for this caller, not a fault of the database. */
export function missing(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw notFound()
  throw error
}
