import type { FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { answer } from '../http/error-responses.ts'
import { headersToKeep } from '../http/response-cache.ts'
import { noteRoute } from '../http/requests.ts'
import { notFound } from '../http/http-errors.ts'
import { mediaOrigin } from '../settings/media-settings.ts'
import type { ApiServer } from '../http/serve.ts'
import { CLIENT, serveAssets } from './assets.ts'
import { registerOfficePage } from './office-page.ts'
import { servePictures } from './shop-pictures.ts'
import { pageAddress } from './addresses.ts'
import {
  CAMERA_POLICY,
  isScannerPage,
  LET_IN_SCANNER,
  markScannerPage,
  isPayingPage,
  allowProvider,
  markPaying,
  paymentPermissions,
} from './page-permissions.ts'
import { selectBookName } from './discovery/queries.ts'
import { personalPage, type PersonalPage } from './personal-pages.ts'
import { type LetIn, pagePolicy } from '../http/security-headers.ts'
import { builtRenderer, type Renderer } from './renderer.ts'
import type { OwnersDetails } from '../settings/owners-details.ts'
import type { FilledPage } from './template.ts'

/** Every address that is neither API nor file is a page. */
export function registerPages(server: ApiServer, renderer: Renderer | undefined): void {
  const { app, shop } = server
  const letIn = allowProvider(shop.config.payments)
  if (!renderer) {
    app.setNotFoundHandler((_request, reply) => answer(reply, notFound()))
    return
  }

  registerOfficePage(server, renderer.officeInDevelopment)
  const frame: Frame = { development: renderer.development, media: mediaOrigin(shop.config.media) }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (!isNoPage(path)) noteRoute(request, PAGE)
    // The service worker stores this for offline use, so it needs a page's policy.
    if (path === SHELL) return sendPage(reply, 200, await renderer.shell(shop.config.details.name), frame)
    if ((request.method !== 'GET' && request.method !== 'HEAD') || isNoPage(path))
      return answer(reply, notFound())
    const { details } = shop.config
    // Only an owner can see it: the app renders it for them.
    if (isOfWithheldBook(path, details))
      return sendPage(reply, 404, await renderer.bare(`Page not found | ${details.name}`), frame)
    const personal = details.isOpen(path) ? personalPage(path, details.name) : undefined
    return personal ? sendPersonal(reply, personal, path) : sendRendered(request, reply)
  })

  /** A payment form allows the payment provider, the scanner page the camera. */
  async function sendPersonal(reply: FastifyReply, { title, book }: PersonalPage, path: string) {
    const name = book && (await selectBookName(shop.db, book))
    const missing = book !== undefined && name === undefined
    const bare = await renderer!.bare(
      `${missing ? 'Page not found' : name || title} | ${shop.config.details.name}`,
    )
    if (isScannerPage(path)) {
      reply.header('permissions-policy', CAMERA_POLICY)
      return sendPage(reply, 200, { ...bare, html: markScannerPage(bare.html) }, frame, true, LET_IN_SCANNER)
    }
    const pays = isPayingPage(path)
    if (pays && letIn) reply.header('permissions-policy', paymentPermissions(letIn))
    const page = { ...bare, html: pays && letIn ? markPaying(bare.html) : bare.html }
    return sendPage(reply, missing ? 404 : 200, page, frame, true, pays ? letIn : undefined)
  }

  async function sendRendered(request: FastifyRequest, reply: FastifyReply) {
    const country = server.visitors.countryOf(request)
    const address = pageAddress(request.url)
    const key = `page ${country} ${address}`
    const kept = renderer!.development ? undefined : shop.answers.get(key)
    if (kept) return reply.code(kept.status).headers(kept.headers).header('etag', kept.etag).send(kept.bytes)

    const generation = shop.answers.generation
    const { status, redirect, page } = await renderer!.render(address, { country, address: request.ip })
    if (redirect !== undefined) return reply.redirect(redirect, status)
    if (!page) return answer(reply, notFound())
    sendPage(reply, status, page, frame, false)
    if (renderer!.development || status >= 500) return reply.send(page.html)

    const headers = headersToKeep(reply.getHeaders())
    const body = Buffer.from(page.html)
    const answerKept = shop.answers.keep(key, generation, PAGE, { status, headers, body })
    // Stored under the requested address as well, so that the next visitor is answered at once.
    shop.answers.alias(shop.answers.keyOf(request.raw), key)
    // Sent through the cache, which also compresses.
    if (shop.answers.answered(request.raw, reply.raw, request.id)) return reply.hijack()
    return reply.header('etag', answerKept.etag).send(body)
  }
}

/** One route name for all pages in logs and metrics: addresses are private. */
const PAGE = '(page)'

const isOfWithheldBook = (path: string, details: OwnersDetails): boolean =>
  (/^\/audiobooks\/[^/]/.test(path) && !details.has('audiobooks')) ||
  (/^\/ebooks\/[^/]/.test(path) && !details.has('eBooks'))

type Frame = Pick<Parameters<typeof pagePolicy>[0], 'development' | 'media'>

const SHELL = '/index.html'

const isNoPage = (path: string) =>
  /^\/(?:api|media|assets|dev|\.well-known)(?:\/|$)/.test(path) || /\.[a-z0-9]{2,5}$/i.test(path)

function sendPage(
  reply: FastifyReply,
  status: number,
  page: FilledPage,
  frame: Frame,
  send = true,
  letIn?: LetIn,
) {
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    // Caches must revalidate, because a page names the assets of its build.
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding')
    .header(
      'content-security-policy',
      pagePolicy({
        scripts: page.inlineScripts,
        styles: page.inlineStyles,
        ...frame,
        ...(letIn ? { letIn } : {}),
      }),
    )
  return send ? reply.send(page.html) : reply
}

/** Undefined if the pages were not built. */
export async function rendererFor(server: ApiServer): Promise<Renderer | undefined> {
  const { app, shop } = server
  if (shop.config.dev) {
    const root = join(import.meta.dirname, '../..')
    servePictures(app, shop, join(root, 'public'), root)
    const { developmentRenderer } = await import('./development.ts')
    return developmentRenderer(server)
  }
  if (!existsSync(join(import.meta.dirname, '../../dist/ssr/entry-server.js'))) return undefined
  await serveAssets(app, shop.config)
  servePictures(app, shop, CLIENT, CLIENT)
  return builtRenderer(app, shop.config)
}
