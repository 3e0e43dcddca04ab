import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matches } from '../../http/response-cache.ts'
import { type MediaStore, MissingMedia } from '../../integrations/media/media-store.ts'
import { HttpRefusal } from '../../http/error-responses.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'

interface SentFile {
  readonly path: string
  readonly version: string
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
}

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

/** The proxy maps it to the folder `media` of `DATA_DIR` and refuses it to clients (docs/operations/media.md). */
const PROXYS_FOLDER = '/media-files/'

/** From this server, the object store, or the proxy (`X-Accel-Redirect`). The caller has checked access. */
export async function handOver(
  { media, config }: Pick<Shop, 'media' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  file: SentFile,
): Promise<FastifyReply> {
  const { delivery } = config.media
  const disposition = file.headers['content-disposition']
  if (delivery === 'proxy')
    return reply
      .headers(file.headers)
      .type(file.type)
      .header('x-accel-redirect', PROXYS_FOLDER + file.path)
      .send()
  // The address is signed for GET requests only.
  const address =
    delivery === 'store' && request.method === 'GET'
      ? await media.sign(file.path, { type: file.type, ...(disposition ? { disposition } : {}) })
      : null
  if (address === null) return sendFile(media, request, reply, file)
  return reply.header('cache-control', 'private, no-store').redirect(address, 302)
}

/** Both inclusive, as in HTTP. */
interface ByteRange {
  readonly first: number
  readonly last: number
}

/** `unsatisfiable` is a 416. A request for several ranges gets the whole file, as the standard allows. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const asked = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return 'whole'
  const [first, last] = [asked[1] ?? '', asked[2] ?? '']
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= size) return 'unsatisfiable'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

export function fileName(title: string, extension: string): string {
  const plain = title
    .normalize('NFC')
    // Separators and wildcards of any system, control characters, and marks that change the text direction.
    .replaceAll(/[/\\:*?"<>|\p{C}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .slice(0, 120)
    // `slice` can split a surrogate pair; half a pair is not valid text.
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[. ]+$/, '')
  return `${plain || 'Untitled'}.${extension}`
}

/** The value of `Content-Disposition`, with an ASCII name for clients that read only that (RFC 6266). */
export function attachment(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
