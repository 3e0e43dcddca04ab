import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, extname, join, posix } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { roleMay } from '#contract/office/permissions.ts'
import { OFFICE_API, refuseForeignOrigin } from '../../auth/staff.ts'
import { forbidden, notSignedIn } from '../../http/http-errors.ts'
import type { ApiServer } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import { selectBatch } from './queries.ts'

export const UPLOADS = `${OFFICE_API}/uploads`
const MOST_BYTES = 4 * 1024 ** 3
export const MOST_FILES = 5_000
/** Stays free for the shop itself. */
export const SPARE_BYTES = 1024 ** 3

/** What importers read, and ZIP files of these. No SVG: it can hold scripts. */
const KINDS = new Set(
  '.mp3 .m4a .m4b .epub .jpg .jpeg .png .webp .json .opf .nfo .txt .cue .vtt .srt .csv .xml .zip'.split(' '),
)
export const PICTURES = new Set(['.jpg', '.jpeg', '.png', '.webp'])

const rootOf = ({ config }: Pick<Shop, 'config'>): string => join(config.dataDir, 'uploads')
export const unfinishedFolder = (shop: Pick<Shop, 'config'>): string => join(rootOf(shop), 'unfinished')
export const folderOf = (shop: Pick<Shop, 'config'>, batchId: string): string => join(rootOf(shop), batchId)

/** Answered with its status and sentence. */
export class UploadRefused extends Error {
  readonly status_code = 422
  readonly body: string
  constructor(sentence: string) {
    super(sentence)
    this.body = sentence
  }
}

/**
 * A safe path below the batch's folder, from the path that a browser sent. A single file gets a folder, because a
 * folder is a title; a catalogue gets none, nor does a ZIP, which is unpacked before it is read.
 *
 * @throws {UploadRefused}
 */
export function cleanPath(given: string): string {
  const parts = given
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    // oxlint-disable-next-line no-control-regex -- these are what must go
    .map((part) => part.replaceAll(/[\u0000-\u001f\u007f<>:"|?*\u200e\u200f\u202a-\u202e]/g, '').trim())
    .filter((part) => part !== '' && !/^\.+$/.test(part))
  const name = parts.at(-1)
  if (!name || name.startsWith('.')) throw new UploadRefused('This file has no name that can be kept.')
  const kind = extname(name).toLowerCase()
  if (!KINDS.has(kind))
    throw new UploadRefused(
      `${name}: only MP3, M4A, M4B, EPUB, pictures (JPEG, PNG, WebP), CSV, ONIX, what describes them, and ZIP.`,
    )
  if (parts.length > 8 || parts.some((part) => Buffer.byteLength(part) > 200))
    throw new UploadRefused(`${name}: its path is too long.`)
  if (kind === '.zip' && parts.length > 1) throw new UploadRefused(`${name}: a ZIP inside a folder.`)
  if (parts.length > 1 || kind === '.zip' || kind === '.csv' || kind === '.xml') return posix.join(...parts)
  return posix.join(name.slice(0, -kind.length), name)
}

export async function receivedFiles(
  shop: Pick<Shop, 'config'>,
  batchId: string,
): Promise<{ path: string; bytes: number }[]> {
  const folder = folderOf(shop, batchId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        // Undefined if it was unpacked or brought in meanwhile, and removed.
        const found = await stat(path).catch(() => undefined)
        return found && { path: path.slice(folder.length + 1), bytes: found.size }
      }),
  )
  return files.filter((file) => file !== undefined)
}

export const removeUploads = (shop: Pick<Shop, 'config'>, batchId: string): Promise<void> =>
  rm(folderOf(shop, batchId), { recursive: true, force: true })

/**
 * Receives files in pieces by the tus protocol, so that an upload resumes after a dropped connection or a
 * reload. A piece is small, because a request may last ten seconds (`app.ts`).
 */
export function registerUploads({ app, shop, visitors }: ApiServer): void {
  let receiver: ReturnType<typeof makeReceiver> | undefined
  const sender = new AsyncLocalStorage<string>()
  const staffIds = new WeakMap<FastifyRequest, string>()
  void app.register(async (raw) => {
    // The library reads the body itself.
    raw.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null))
    for (const url of [UPLOADS, `${UPLOADS}/:id`])
      raw.route({
        method: ['POST', 'PATCH', 'HEAD', 'DELETE'],
        url,
        onRequest: async (request) => {
          refuseForeignOrigin(shop.config, request)
          const staff = await visitors.staffOf(request)
          if (!staff) throw notSignedIn('Please sign in to the office.')
          if (!roleMay(staff.role, 'titles.import')) throw forbidden('Your role can’t do this.')
          staffIds.set(request, staff.staffId)
        },
        handler: async (request, reply) => {
          receiver ??= makeReceiver(shop, sender)
          const tus = await receiver
          reply.hijack()
          reply.raw.setHeader('cache-control', 'private, no-store')
          reply.raw.setHeader('x-content-type-options', 'nosniff')
          await sender.run(staffIds.get(request)!, () => tus.handle(request.raw, reply.raw))
        },
      })
  })
}

/** The library passes its own request objects with the client's headers; `sender` has the authenticated staff id. */
async function makeReceiver(shop: Shop, sender: AsyncLocalStorage<string>) {
  const [{ FileStore }, { Server: TusServer }] = await Promise.all([
    import('@tus/file-store'),
    import('@tus/server'),
  ])
  const unfinished = unfinishedFolder(shop)
  const store = new FileStore({ directory: unfinished, expirationPeriodInMilliseconds: 7 * 86_400_000 })
  return new TusServer({
    path: UPLOADS,
    datastore: store,
    relativeLocation: true,
    maxSize: MOST_BYTES,
    namingFunction: () => randomUUID(),
    onUploadCreate: async (_request, { metadata, size }) => {
      const batch = metadata?.batch ?? ''
      if (!/^[\da-f-]{36}$/.test(batch) || !(await selectBatch(shop.db, batch, sender.getStore() ?? '')))
        throw new UploadRefused('This import is over. Begin another one.')
      const path = cleanPath(metadata?.path ?? '')
      if ((await receivedFiles(shop, batch)).length >= MOST_FILES)
        throw new UploadRefused(`An import has ${MOST_FILES} files at most.`)
      const { freeBytes } = await shop.disk.space()
      if ((size ?? 0) + SPARE_BYTES > freeBytes)
        throw new UploadRefused('The disk of the shop has no room for this file.')
      return { metadata: { batch, path } }
    },
    onUploadFinish: async (_request, { id, metadata }) => {
      const from = join(unfinished, id)
      const path = metadata?.path ?? ''
      const isBad = PICTURES.has(extname(path).toLowerCase()) && !(await isPicture(from))
      if (isBad) {
        await store.remove(id)
        throw new UploadRefused(`${path}: this is no JPEG, PNG or WebP picture.`)
      }
      const to = join(folderOf(shop, metadata?.batch ?? ''), path)
      await mkdir(dirname(to), { recursive: true })
      await rename(from, to)
      await rm(`${from}.json`, { force: true })
      return {}
    },
  })
}

/** By its first bytes: a picture’s name says nothing, and an SVG inside would be drawn. */
export async function isPicture(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0)
    const start = buffer.toString('latin1')
    return (
      start.startsWith('\u00ff\u00d8\u00ff') ||
      start.startsWith('\u0089PNG') ||
      (start.startsWith('RIFF') && start.slice(8) === 'WEBP')
    )
  } finally {
    await file.close()
  }
}

/** Pieces that were never finished. */
export async function removeUnfinished(shop: Pick<Shop, 'config'>, before: Date): Promise<void> {
  const folder = unfinishedFolder(shop)
  for (const name of await readdir(folder).catch(() => [])) {
    const { mtime } = await stat(join(folder, name))
    if (mtime < before) await rm(join(folder, name), { recursive: true, force: true })
  }
}
