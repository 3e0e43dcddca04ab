import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { dehydrate } from '@tanstack/react-query'
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { createRequestHandler, getSsrStatus, RouterServer } from '@tanstack/react-router/ssr/server'
import { renderToPipeableStream } from 'react-dom/server'
import type { PageDetails } from '#contract/shop-details.ts'
import { Opening } from './app/frame/Opening.tsx'
import { createQueryClient, type RouteContext } from './app/start/query-client.ts'
import { askForShop } from './features/shop-details/shop.ts'
import { createAppRouter } from './router.tsx'
import { exchange } from './net/send.ts'
import { configureNet } from './net/settings.ts'
import { PartsOfPage } from './ui/lazy-part.tsx'

type Fetch = (address: string, init?: RequestInit) => Promise<Response>

interface PageRequest {
  /** Who runs the shop. */
  details: PageDetails
  url: string
  origin: string
  fetch: Fetch
}

interface Page {
  head: string
  app: string
  data: string
  asked: string
  routeIds: readonly string[]
  parts: readonly string[]
  status: number
  redirect: undefined
}
type Rendered = Page | { status: number; redirect: string }

/** Each page is rendered for its own visitor: the calls of its loaders carry that visitor's country. */
const visitor = new AsyncLocalStorage<{ readonly fetch: Fetch; readonly details: PageDetails }>()
askForShop(() => visitor.getStore()!.details)
configureNet({
  exchange,
  origin: 'http://shop',
  fetch: (input, init) =>
    visitor.getStore()!.fetch(input instanceof Request ? input.url : String(input), init),
})

/**
 * Renders a public page: its head, its markup and the data behind it, with the addresses it was asked at and the
 * status that the page deserves.
 */
export async function render(request: PageRequest): Promise<Rendered> {
  const rendered = await renderOnce(request)
  // A screen completes its own address (`/editions?_page=1…`): under the short one it answers, instead of sending on.
  return rendered.redirect !== undefined && isSamePage(rendered.redirect, request)
    ? renderOnce({ ...request, url: rendered.redirect })
    : rendered
}

const isSamePage = (redirect: string, { url, origin }: PageRequest) =>
  new URL(redirect, origin).pathname === new URL(url, origin).pathname && redirect !== url

function renderOnce({ details, url, origin, fetch }: PageRequest): Promise<Rendered> {
  const asked = new Set<string>()
  const noting: Fetch = (address, init) => {
    const { pathname, search } = new URL(address, origin)
    asked.add(pathname + search)
    return fetch(address, init)
  }
  return visitor.run({ fetch: noting, details }, async () => {
    const queryClient = createQueryClient()
    const answer: RouteContext['answer'] = {}
    let page = {
      head: '',
      app: '',
      data: '',
      asked: '',
      routeIds: [] as string[],
      parts: [] as string[],
      status: 500,
    }
    const handler = createRequestHandler({
      createRouter: () => createAppRouter(queryClient, answer),
      request: new Request(new URL(url, origin)),
    })
    const parts = new Set<string>()
    const response = await handler(async ({ router }) => {
      const { head, app } = split(
        await renderWhole(
          <PartsOfPage value={parts}>
            <RouterServer router={router} />
          </PartsOfPage>,
        ),
      )
      const status = answer.status ?? getSsrStatus(router)
      const routeIds = router.state.matches.map((match: { routeId: string }) => match.routeId)
      page = {
        head: head + thingsIn(answer),
        app,
        data: inert(dehydrate(queryClient)),
        asked: inert([...asked]),
        routeIds,
        parts: [...parts],
        status,
      }
      return new Response(null, { status })
    })
    const redirect = response.headers.get('location')
    return redirect ? { status: response.status, redirect } : { ...page, redirect: undefined }
  })
}

/** What a page that the browser renders shows until its code has run. */
export function renderOpening(details: PageDetails, origin: string): Promise<string> {
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient)
  const history = createMemoryHistory({ initialEntries: [NO_SCREEN] })
  router.update({ ...router.options, history, origin, isServer: true })
  return visitor.run({ fetch: nothing, details }, () =>
    renderWhole(
      <RouterContextProvider router={router}>
        <Opening />
      </RouterContextProvider>,
    ),
  )
}

/** No link is the current one. */
const NO_SCREEN = '/opening'
const nothing: Fetch = () => Promise.reject(new Error('the opening of a page asks for no data'))

/**
 * Waits for every part. The limit makes React write all parts in place: those beyond it would follow at the end, with an
 * inline script that moves them, which the content security policy refuses.
 */
const renderWhole = (page: ReactNode): Promise<string> =>
  new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      progressiveChunkSize: Infinity,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onShellError: reject,
    })
  })

/** Inert JSON, so that no policy has to allow it. */
const thingsIn = ({ things }: RouteContext['answer']) =>
  things
    ? `<script type="application/ld+json">${inert({ '@context': 'https://schema.org', '@graph': things })}</script>`
    : ''

/** React puts title, description and links first in the string; they belong into the head. */
function split(markup: string) {
  const head = /^(?:<title>[\s\S]*?<\/title>|<meta[^>]*>|<link[^>]*>)*/.exec(markup)?.[0] ?? ''
  return { head, app: markup.slice(head.length) }
}

/** JSON that no parser of HTML mistakes for markup. */
const inert = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
