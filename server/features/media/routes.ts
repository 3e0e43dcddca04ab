import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noteCaller } from '../../log/cause.ts'
import { answer, HttpRefusal } from '../../wire/answer-problems.ts'
import { OpenFiles } from '../../outside/media/open-files.ts'
import { Parts } from '../../outside/media/parts.ts'
import { mediaPath } from '../../outside/media/paths.ts'
import { forbidden, notFound, tooMany } from '../../wire/refusals.ts'
import type { ApiServer } from '../../wire/serve.ts'
import { UntilCatalogueChange } from '../../wire/until-catalogue-change.ts'
import { attachment, fileName } from './file-name.ts'
import { Grants } from './grants.ts'
import { selectOpenRecording, selectOwnedFile, selectOwnedSound, selectSample } from './rows.ts'
import { addressee, signedFor } from './rules.ts'
import { missing, sendFile } from './send-file.ts'
import { zipBytes, zipEntries, zipStream } from './zip.ts'

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  epub: 'application/epub+zip',
}
const FOR_EVER = 'public, max-age=31536000, immutable'
const NEVER = 'private, no-store'
const OVER = 'This address has expired. Please ask for it again.'

type Handler<P> = (request: FastifyRequest<{ Params: P }>, reply: FastifyReply) => Promise<FastifyReply>

/** Covers and samples for everybody; sound and downloads for whoever holds a signed address. */
export function registerMedia({ app, shop }: ApiServer): void {
  const { db, mediaDir } = shop
  const files = new OpenFiles()
  const grants = new Grants(shop)
  const shelves = { files, parts: new Parts(files) }
  const samples = new UntilCatalogueChange<string | undefined>(shop.answers, 10_000)
  // A person needs one zip; several at once would only slow each other, and everybody else.
  const zipping = new Set<string>()
  app.addHook('onClose', async () => files.closeAll())

  const get = <P>(url: string, handler: Handler<P>) =>
    app.route<{ Params: P }>({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler })

  serveCovers(app, join(mediaDir, 'covers'))

  get<{ bookId: string; file: string }>('/media/samples/:bookId/:file', async (request, reply) => {
    const bookId = idIn(request.params.bookId)
    const { sha256, extension } = storedIn(request.params.file)
    const known = await samples.of(`${bookId} ${sha256}`, () => selectSample(db, bookId, sha256))
    if (known !== extension) throw notFound()
    return sendFile(shelves, request, reply, {
      path: mediaPath(mediaDir, { sha256, extension }),
      sha256,
      type: TYPES[extension]!,
      headers: { 'cache-control': FOR_EVER },
    })
  })

  get<{ file: string }>('/media/recordings/:file', async (request, reply) => {
    const { sha256, extension } = storedIn(request.params.file)
    const known = await samples.of(`recording ${sha256}`, () => selectOpenRecording(db, sha256))
    if (known !== extension) throw notFound()
    return sendFile(shelves, request, reply, {
      path: mediaPath(mediaDir, { sha256, extension }),
      sha256,
      type: TYPES[extension]!,
      headers: { 'cache-control': FOR_EVER },
    })
  })

  get<{ file: string }>('/media/sound/:file', async (request, reply) => {
    const holder = signedFor(shop, request.url)
    if (!holder) throw forbidden(OVER)
    noteCaller(holder.userId)
    const { sha256, extension } = storedIn(request.params.file)
    if (!(await grants.holds(holder, sha256))) throw forbidden(OVER)
    return sendFile(shelves, request, reply, {
      path: mediaPath(mediaDir, { sha256, extension }),
      sha256,
      type: TYPES[extension]!,
      headers: { 'cache-control': NEVER },
    })
  })

  get<{ file: string }>('/media/e_books/:file', async (request, reply) => {
    const userId = await ownerOf(request.url)
    // Asked again, because an address may outlive what it was made for: a refund takes the title back.
    const file = await selectOwnedFile(db, userId, idIn(request.params.file.replace(/\.epub$/, '')))
    if (!file) throw forbidden()
    // Its first part: a reading app may fetch the rest piece by piece.
    if (request.method === 'GET' && isFromStart(request.headers.range))
      shop.metrics.downloads.add(1, 'e_book')
    return sendFile(shelves, request, reply, {
      path: mediaPath(mediaDir, file),
      sha256: file.sha256,
      type: TYPES[file.extension]!,
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
    const entries = await zipEntries(mediaDir, sound.chapters).catch(missing)
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

/** A rendition is named by a hash of its picture, so it may be kept for ever. */
function serveCovers(app: FastifyInstance, root: string): void {
  mkdirSync(root, { recursive: true })
  app.register(fastifyStatic, {
    root,
    prefix: '/media/covers/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', FOR_EVER),
  })
}

function refuseWriting(app: FastifyInstance): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/media/*',
    onRequest: async (_request, reply) =>
      answer(reply, new HttpRefusal(405, 'Method Not Allowed (Allow: GET, HEAD)', { allow: 'GET, HEAD' })),
    handler: () => undefined,
  })
}

/** `{sha256}.{extension}`: nothing else can name a file of sound, so nothing else reaches the disk. */
function storedIn(name: string): { sha256: string; extension: string } {
  const [, sha256, extension] = /^([0-9a-f]{64})\.(mp3|m4a)$/.exec(name) ?? []
  if (!sha256 || !extension) throw notFound()
  return { sha256, extension }
}

function idIn(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw notFound()
  return Number(text)
}
