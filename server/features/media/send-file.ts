import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matches } from '../../http/response-cache.ts'
import { type MediaStore, MissingMedia } from '../../integrations/media/media-store.ts'
import { HttpRefusal } from '../../http/error-responses.ts'
import { notFound } from '../../http/http-errors.ts'
import { rangeOf } from './ranges.ts'

export interface SentFile {
  /** Path in the media store. */
  readonly path: string
  /** Identifies the content, which never changes. */
  readonly version: string
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
}

/** Responds with 200, 206, 304, 404 or 416. */
export async function sendFile(
  media: Pick<MediaStore, 'size' | 'read'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, version, type, headers }: SentFile,
): Promise<FastifyReply> {
  const size = await media.size(path)
  if (size === undefined) throw notFound()
  const etag = `"${version}"`
  const said = { ...headers, 'accept-ranges': 'bytes', etag }
  if (matches(request.headers['if-none-match'], etag)) return reply.headers(said).code(304).send()

  const isHead = request.method === 'HEAD'
  const range = isHead ? 'whole' : rangeOf(rangeHeader(request, etag), size)
  if (range === 'unsatisfiable')
    throw new HttpRefusal(416, 'The range lies beyond the end of the file.', {
      'content-range': `bytes */${size}`,
    })
  const { first, last } = range === 'whole' ? { first: 0, last: size - 1 } : range
  const length = last - first + 1
  // Open the file before sending a status: an unavailable store must not be a 200.
  const part = isHead || length === 0 ? undefined : await media.read(path, first, last).catch(missing)
  reply.headers(said).type(type).header('content-length', length)
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
  if (isHead) return reply.send()
  if (!part) return reply.send(Buffer.alloc(0))
  if (part instanceof Readable) return reply.send(part)
  // At `finish` the operating system has all bytes. After a broken connection the garbage collector frees them.
  reply.raw.once('finish', () => part.done())
  return reply.send(part.bytes)
}

/** Parts of two versions of a file would produce noise. */
function rangeHeader({ headers }: FastifyRequest, etag: string): string | undefined {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? headers.range : undefined
}

/** A listed file that the store lacks is a 404. */
export function missing(error: unknown): never {
  if (error instanceof MissingMedia) throw notFound()
  throw error
}
