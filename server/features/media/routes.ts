import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteCaller } from '../../log/log-context.ts'
import { answer, HttpRefusal } from '../../http/error-responses.ts'
import {
  type CoverRendition,
  COVER_RENDITIONS,
  coverPath,
  mediaPath,
  typeOf,
} from '../../integrations/media/paths.ts'
import { forbidden, notFound, tooMany } from '../../http/http-errors.ts'
import type { ApiServer } from '../../http/serve.ts'
import { catalogueCache } from '../../caches.ts'
import { attachment, fileName, handOver, missing, sendFile } from './send-file.ts'
import { mayPlay } from './access-grants.ts'
import { audiobookEntries } from './audiobook-zip.ts'
import { selectOpenRecording, selectOwnedFile, selectOwnedSound, selectSample } from './queries.ts'
import { addressee, signedFor } from './signed-addresses.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const NEVER = 'private, no-store'
const OVER = 'This address has expired. Please ask for it again.'

const publicSounds = catalogueCache<string | undefined>(10_000)

/** What covers that an earlier release has rendered have instead of a rendition. */
const LARGER: Partial<Record<CoverRendition, CoverRendition>> = {
  '330.jpg': '900.jpg',
  '600.avif': '900.avif',
  '600.webp': '900.webp',
}

type Handler<P> = (request: FastifyRequest<{ Params: P }>, reply: FastifyReply) => Promise<FastifyReply>

export function registerMedia({ app, shop }: ApiServer): void {
  const { db, media } = shop
  // Several zips per user would only slow down each other and everybody else.
  const zipping = new Set<string>()
  app.addHook('onClose', async () => media.close())

  const get = <P>(url: string, handler: Handler<P>) =>
    app.route<{ Params: P }>({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler })

  // Always from this server: covers are small, and the service worker and a CDN cache them.
  get<{ folder: string; file: string }>('/media/covers/:folder/:file', async (request, reply) => {
    const { id, rendition } = coverIn(request.params.folder, request.params.file)
    const larger = LARGER[rendition]
    const isOlder = larger && (await media.size(coverPath(id, rendition))) === undefined
    return sendFile(media, request, reply, {
      path: coverPath(id, isOlder ? larger : rendition),
      version: `${id}-${rendition}`,
      type: typeOf(rendition),
      // The name of a rendition contains a hash of its picture.
      headers: {
        'cache-control': FOR_EVER,
        // Webmail shows the picture inside a page of another origin.
        ...(rendition === '330.jpg' ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
      },
    })
  })

  get<{ bookId: string; file: string }>('/media/samples/:bookId/:file', async (request, reply) => {
    const bookId = idIn(request.params.bookId)
    const { sha256, extension } = storedIn(request.params.file)
    const known = await publicSounds(shop).of(`${bookId} ${sha256}`, () => selectSample(db, bookId, sha256))
    if (known !== extension) throw notFound()
    return handOver(shop, request, reply, {
      path: mediaPath({ sha256, extension }),
      version: sha256,
      type: typeOf(request.params.file),
      headers: { 'cache-control': FOR_EVER },
    })
  })

  get<{ file: string }>('/media/recordings/:file', async (request, reply) => {
    const { sha256, extension } = storedIn(request.params.file)
    const known = await publicSounds(shop).of(`recording ${sha256}`, () => selectOpenRecording(db, sha256))
    if (known !== extension) throw notFound()
    return handOver(shop, request, reply, {
      path: mediaPath({ sha256, extension }),
      version: sha256,
      type: typeOf(request.params.file),
      headers: { 'cache-control': FOR_EVER },
    })
  })

  get<{ file: string }>('/media/sound/:file', async (request, reply) => {
    const holder = signedFor(shop, request.url)
    if (!holder) throw forbidden(OVER)
    noteCaller(holder.userId)
    const { sha256, extension } = storedIn(request.params.file)
    if (!(await mayPlay(shop, holder, sha256))) throw forbidden(OVER)
    return handOver(shop, request, reply, {
      path: mediaPath({ sha256, extension }),
      version: sha256,
      type: typeOf(request.params.file),
      headers: { 'cache-control': NEVER },
    })
  })

  get<{ file: string }>('/media/e_books/:file', async (request, reply) => {
    const userId = await ownerOf(request.url)
    // A refund may have taken the title back since the address was signed.
    const file = await selectOwnedFile(db, userId, idIn(request.params.file.replace(/\.epub$/, '')))
    if (!file) throw forbidden()
    // A reading app may fetch the file in parts.
    if (request.method === 'GET' && isFromStart(request.headers.range))
      shop.metrics.downloads.add(1, 'e_book')
    return handOver(shop, request, reply, {
      path: mediaPath(file),
      version: file.sha256,
      type: typeOf(mediaPath(file)),
      headers: {
        'cache-control': NEVER,
        'content-disposition': attachment(fileName(file.title, file.extension)),
      },
    })
  })

  get<{ file: string }>('/media/zip/:file', async (request, reply) => {
    const userId = await ownerOf(request.url)
    const sound = await selectOwnedSound(db, userId, idIn(request.params.file.replace(/\.zip$/, '')))
    if (!sound) throw forbidden()
    if (sound.chapters.length === 0) throw notFound()
    const { zipBytes, zipStream } = await import('./zip.ts')
    const entries = await audiobookEntries(shop, sound).catch(missing)
    const bytes = zipBytes(entries)
    reply
      .type('application/zip')
      .header('cache-control', NEVER)
      .header('content-disposition', attachment(fileName(sound.title, 'zip')))
    if (bytes !== undefined) reply.header('content-length', bytes)
    if (request.method === 'HEAD') return reply.send()

    if (zipping.has(userId)) throw tooMany(10, 'You already have a download under way.')
    zipping.add(userId)
    shop.metrics.downloads.add(1, 'zip')
    reply.raw.once('close', () => zipping.delete(userId))
    return reply.send(await zipStream(entries, shop.now()))
  })

  refuseWriting(app)

  async function ownerOf(url: string): Promise<string> {
    const userId = await addressee(shop, url)
    if (userId === null) throw forbidden(OVER)
    noteCaller(userId)
    return userId
  }
}

const isFromStart = (range: string | undefined) => range === undefined || range.startsWith('bytes=0-')

function refuseWriting(app: FastifyInstance): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/media/*',
    onRequest: async (_request, reply) =>
      answer(reply, new HttpRefusal(405, 'Method Not Allowed (Allow: GET, HEAD)', { allow: 'GET, HEAD' })),
    handler: () => undefined,
  })
}

/** `{sha256}.{extension}`. Other names never reach the store. */
function storedIn(name: string): { sha256: string; extension: string } {
  const [, sha256, extension] = /^([0-9a-f]{64})\.(mp3|m4a)$/.exec(name) ?? []
  if (!sha256 || !extension) throw notFound()
  return { sha256, extension }
}

/** `{id}-{rendition}`; the folder is the first two characters of the id. */
function coverIn(folder: string, name: string): { id: string; rendition: CoverRendition } {
  const [, id, ending] = /^([0-9a-f]{6,64})-([0-9a-z.]+)$/.exec(name) ?? []
  const rendition = COVER_RENDITIONS.find((each) => each === ending)
  if (!id || !rendition || !id.startsWith(folder) || folder.length !== 2) throw notFound()
  return { id, rendition }
}

function idIn(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw notFound()
  return Number(text)
}
