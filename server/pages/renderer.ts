import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageDetails } from '#contract/shop-details.ts'
import { SHOP_HEADER } from '#contract/limits.ts'
import { callAs, type Visitor } from '../auth/in-process.ts'
import type { Config } from '../settings/config.ts'
import { pageHead } from './page-head.ts'
import { Template, type FilledPage, type PageParts } from './template.ts'

export interface Rendered {
  readonly status: number
  readonly redirect: string | undefined
  readonly page: FilledPage | undefined
}

interface ServerEntry {
  render(request: {
    url: string
    origin: string
    fetch: (address: string, init?: RequestInit) => Promise<Response>
    details: PageDetails
  }): Promise<(PageParts & { status: number; redirect?: undefined }) | { status: number; redirect: string }>
  renderOpening(details: PageDetails, origin: string): Promise<string>
}

export interface Renderer {
  /** @param given what the API would answer, by path: for a page that isn't published yet */
  render(url: string, visitor: Visitor, given?: ReadonlyMap<string, unknown>): Promise<Rendered>
  readonly bare: (title: string) => Promise<FilledPage>
  /** The page that the service worker stores, for every address. */
  readonly shell: (title: string) => Promise<FilledPage>
  /** True while Vite serves the client: inline styles and its WebSocket must be allowed. */
  readonly development: boolean
  /** Lets Vite fill the office's page. */
  readonly officeInDevelopment?: (html: string) => Promise<string>
}

const DIST = join(import.meta.dirname, '../../dist')

export async function builtRenderer(
  app: FastifyInstance,
  { publicUrl: origin, details }: Pick<Config, 'publicUrl' | 'details'>,
): Promise<Renderer> {
  const template = new Template(join(DIST, 'client'))
  const entry: ServerEntry = await import(pathToFileURL(join(DIST, 'ssr/entry-server.js')).href)
  let opening: { readonly of: string; readonly html: Promise<string> } | undefined
  const currentOpening = () => {
    const ofPages = details.ofPages
    const of = JSON.stringify(ofPages)
    // Once for all pages, until the owner changes what is on them.
    if (opening?.of !== of) opening = { of, html: entry.renderOpening(ofPages, origin) }
    return opening.html
  }
  return {
    bare: async (title) => template.bare(pageHead(details), title, await currentOpening()),
    shell: async (title) => template.shell(pageHead(details), title, await currentOpening()),
    development: false,
    async render(url, visitor, given) {
      const result = await entry.render({
        url,
        origin,
        fetch: inProcess(app, visitor, given),
        details: details.ofPages,
      })
      if (result.redirect !== undefined)
        return { status: result.status, redirect: result.redirect, page: undefined }
      return { status: result.status, redirect: undefined, page: template.fill(result, pageHead(details)) }
    },
  }
}

export function inProcess(
  app: FastifyInstance,
  visitor: Visitor,
  given: ReadonlyMap<string, unknown> = new Map(),
) {
  return async (address: string): Promise<Response> => {
    const { pathname, search } = new URL(address, 'http://shop')
    if (given.has(pathname))
      return Response.json(given.get(pathname) ?? null, { headers: { [SHOP_HEADER]: '1' } })
    // `inject` only sends the request once it is awaited.
    const answer = await callAs(
      visitor,
      async () => await app.inject({ method: 'GET', url: pathname + search }),
    )
    const body =
      answer.statusCode === 204 || answer.statusCode === 304 ? null : new Uint8Array(answer.rawPayload)
    return new Response(body, {
      status: answer.statusCode,
      headers: { 'content-type': answer.headers['content-type'] ?? 'application/json', [SHOP_HEADER]: '1' },
    })
  }
}
