import { within } from '#storage/wait.ts'
import { PrecacheController } from 'workbox-precaching'
import type { PrecacheEntry } from 'workbox-precaching/_types.js'
import { SHOP_HEADER, SIGN_IN_PATH } from '#contract/limits.ts'
import { readTitle } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { readValue } from '#storage/values.ts'
import { isFromShop } from '#net/from-shop.ts'
import type { FetchCall, RequestHandler } from './request-handler.ts'
import { noteSilence } from './silence.ts'

/** The parts of the worker that the shell uses; tests provide their own. */
interface ShellWorker {
  readonly clients: { readonly claim: () => Promise<void> }
  readonly registration: { readonly navigationPreload?: { readonly enable: () => Promise<void> } }
}

const SHELL = 'murmur-shell'
const RELEASES = 'murmur-releases'
/**
 * The running release and the previous one: a tab that was open during a deploy still finds its chunks
 * (trap 16).
 */
const KEEP_RELEASES = 2
const SHELL_PAGE = '/index.html'
const NAVIGATION_MS = 3_000
/** Own screens and stored titles open from the device unless the network answers within this time. */
const OWN_SCREEN_MS = 300
/**
 * The installed app starts at `/` and should open within a second, as should the page of a title that is stored here;
 * other pages are worth a longer wait for the server. With a started title, the home page opens without waiting.
 */
const START_MS = 500

const precache = new PrecacheController({
  cacheName: SHELL,
  // Don't install a captive portal's page with the release.
  plugins: [
    { cacheWillUpdate: async ({ response }) => (response.ok && isOfRelease(response) ? response : null) },
  ],
})

/** Registers the release's files; returns the install handler. */
export function installShell(manifest: (PrecacheEntry | string)[]) {
  precache.addToCacheList(manifest)
  return (event: Parameters<typeof precache.install>[0]): void => void precache.install(event)
}

/** On activation: takes over open pages, enables navigation preload, removes unused releases. */
export async function trimReleases({ clients, registration }: ShellWorker): Promise<void> {
  await clients.claim()
  await registration.navigationPreload?.enable()

  const list = await caches.open(RELEASES)
  const known: string[][] = (await (await list.match('/releases'))?.json()) ?? []
  const current = [...precache.getURLsToCacheKeys().values()].sort()
  const older = known.filter((release) => release.join() !== current.join())
  const releases = [...older, current].slice(-KEEP_RELEASES)
  await list.put('/releases', Response.json(releases))

  const used = new Set(releases.flat())
  const cache = await caches.open(SHELL)
  const stale = (await cache.keys()).filter(({ url }) => !used.has(url))
  await Promise.all(stale.map((request) => cache.delete(request)))
}

/** Answers the running release's files by revision, and the previous release's hashed files by name. */
export const handleAsset: RequestHandler = ({ request }, { pathname }) => {
  if (request.method !== 'GET' || request.mode === 'navigate') return undefined
  const key = precache.getCacheKeyForURL(request.url)
  if (!key && !pathname.startsWith('/assets/')) return undefined
  return kept(key ?? request.url).then((response) => response ?? fetch(request))
}

/** Not pages of the shop: files, API calls, the owner's tools. They need the network. */
const NOT_PAGES = /^\/(api|media|dev|metrics|office|\.well-known)(\/|$)/

/**
 * Pages are rendered by the server. If that takes too long or fails, or a captive portal answers instead, the
 * bare shell renders the page from the device's data.
 */
export const handleNavigation: RequestHandler = (event, { pathname, search }) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return undefined
  const network = preloaded(event)
  if (NOT_PAGES.test(pathname) || pathname + search === SIGN_IN_PATH) return network
  event.waitUntil(network.then(fillShell, () => undefined))
  return page(pathname, network)
}

async function page(pathname: string, network: Promise<Response>): Promise<Response> {
  // A hanging database must not delay the page.
  const usual = pathname === '/' ? START_MS : NAVIGATION_MS
  const patienceMs = (await within(OWN_SCREEN_MS, patienceFor(pathname)).catch(() => undefined)) ?? usual
  const onDevice = patienceMs === OWN_SCREEN_MS
  const response = patienceMs > 0 ? await answerWithin(patienceMs, network) : undefined
  if (response && isPage(response, onDevice)) return response
  const shell = await kept(shellKey())
  if (shell && patienceMs === 0)
    void answerWithin(OWN_SCREEN_MS, network).then((late) => late ?? noteSilence(network))
  else if (shell && !response) noteSilence(network)
  return shell ?? response ?? network
}

const answerWithin = (patienceMs: number, network: Promise<Response>) =>
  within(patienceMs, network).catch(() => undefined)

/**
 * A redirect's target can't be read here. The server never redirects an own screen, but a captive portal
 * does.
 */
const isPage = (response: Response, own: boolean) =>
  response.type === 'opaqueredirect' ? !own : isFromShop(response) && response.status < 500

/** Whether the current user has a started title: then the device has all that the home page shows first. */
async function opensOnStarted(): Promise<boolean> {
  const [owner, started] = await Promise.all([readValue('rememberedUser'), readValue('started')])
  return owner != null && owner.uuid === started
}

/** Undefined if the page is not on this device. */
async function patienceFor(pathname: string): Promise<number | undefined> {
  if (pathname === '/') return (await opensOnStarted()) ? 0 : undefined
  if (/^\/(library|downloads|you)\/?$/.test(pathname)) return OWN_SCREEN_MS
  const [, screen, slug] = /^\/(player|read|audiobooks|ebooks)\/([^/]+)$/.exec(pathname) ?? []
  const owner = slug && (await readValue('rememberedUser'))
  if (!owner) return undefined
  const format = screen === 'read' || screen === 'ebooks' ? 'ebook' : 'audio'
  const title = await readTitle(owner.uuid, titleKey(format, decodeURIComponent(slug)))
  if (title === undefined) return undefined
  return screen === 'player' || screen === 'read' ? OWN_SCREEN_MS : START_MS
}

async function preloaded(event: FetchCall): Promise<Response> {
  return (await event.preloadResponse) ?? fetch(event.request)
}

/**
 * Refetches files of the shell that the browser cleared (trap 11), and the shell itself if the owner changed
 * content that is on every page. Skips a page of a later release: this release lacks the files that it names.
 */
async function fillShell(answer: Response): Promise<void> {
  if (!isFromShop(answer)) return
  const shell = await kept(shellKey())
  const isTheirs = shell?.headers.get(SHOP_HEADER) === answer.headers.get(SHOP_HEADER)
  if (shell && isTheirs) return
  const cache = await caches.open(SHELL)
  for (const [url, key] of precache.getURLsToCacheKeys()) {
    if ((isTheirs || key !== shellKey()) && (await cache.match(key))) continue
    const response = await fetch(url, { cache: 'no-cache' }).catch(() => undefined)
    if (response?.ok && isOfRelease(response) && (await namesOnlyOurs(response)))
      await cache.put(key, response)
  }
}

/** HTML in place of a script or a font comes from a captive portal. */
const isOfRelease = (response: Response) =>
  isFromShop(response) || !/\bhtml\b/.test(response.headers.get('content-type') ?? '')

async function namesOnlyOurs(response: Response): Promise<boolean> {
  if (!/\bhtml\b/.test(response.headers.get('content-type') ?? '')) return true
  const files = (await response.clone().text()).match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? []
  return files.every((file) => precache.getCacheKeyForURL(file) !== undefined)
}

const shellKey = () => precache.getCacheKeyForURL(SHELL_PAGE) ?? SHELL_PAGE
const kept = async (key: string) => (await caches.open(SHELL)).match(key)
