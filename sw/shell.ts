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

/** The worker itself, by the part that the shell uses; tests make their own. */
interface ShellWorker {
  readonly clients: { readonly claim: () => Promise<void> }
  readonly registration: { readonly navigationPreload?: { readonly enable: () => Promise<void> } }
}

const SHELL = 'murmur-shell'
const RELEASES = 'murmur-releases'
/** The running release and the one before it: a tab that was open over a deploy still finds its chunks (trap 16). */
const KEEP_RELEASES = 2
const SHELL_PAGE = '/index.html'
const NAVIGATION_MS = 3_000
/** Own screens and stored titles open from the device: the network has this long to be quicker. */
const OWN_SCREEN_MS = 300
/**
 * The installed app starts at `/` and should open within a second, as should the page of a title that is stored here;
 * other pages are worth a longer wait for the server.
 */
const START_MS = 500

const precache = new PrecacheController({
  cacheName: SHELL,
  // Nothing of a captive portal is installed with the release.
  plugins: [
    { cacheWillUpdate: async ({ response }) => (response.ok && isOfRelease(response) ? response : null) },
  ],
})

/** The files of the release; returns what its installation does. */
export function installShell(manifest: (PrecacheEntry | string)[]) {
  precache.addToCacheList(manifest)
  return (event: Parameters<typeof precache.install>[0]): void => void precache.install(event)
}

/** On activation: takes over open pages, asks for navigation preload, drops releases nobody uses any more. */
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

/** Files of the running release by their revision, hashed files of the one before by their name. */
export const handleAsset: RequestHandler = ({ request }, { pathname }) => {
  if (request.method !== 'GET' || request.mode === 'navigate') return undefined
  const key = precache.getCacheKeyForURL(request.url)
  if (!key && !pathname.startsWith('/assets/')) return undefined
  return kept(key ?? request.url).then((response) => response ?? fetch(request))
}

/** Not pages of ours: files, calls, the owner's tools. */
const NOT_PAGES = /^\/(api|media|dev|metrics|\.well-known)(\/|$)/

/**
 * A page comes rendered from the server. If that takes too long, fails, or somebody else answers in the server's
 * place, the bare shell renders the page from what this device has seen.
 */
export const handleNavigation: RequestHandler = (event, { pathname, search }) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return undefined
  const network = preloaded(event)
  if (NOT_PAGES.test(pathname) || pathname + search === SIGN_IN_PATH) return network
  event.waitUntil(network.then(fillShell, () => undefined))
  return page(pathname, network)
}

async function page(pathname: string, network: Promise<Response>): Promise<Response> {
  // A database that hangs makes no page wait.
  const usual = pathname === '/' ? START_MS : NAVIGATION_MS
  const patienceMs = (await within(OWN_SCREEN_MS, patienceFor(pathname)).catch(() => undefined)) ?? usual
  const onDevice = patienceMs === OWN_SCREEN_MS
  const response = await within(patienceMs, network).catch(() => undefined)
  if (response && isPage(response, onDevice)) return response
  const shell = await kept(shellKey())
  if (shell && !response) noteSilence(network)
  return shell ?? response ?? network
}

/** A redirect cannot be read here. The shop sends nobody on from an own screen, but a captive portal does. */
const isPage = (response: Response, own: boolean) =>
  response.type === 'opaqueredirect' ? !own : isFromShop(response) && response.status < 500

/** Undefined for a page that is not on this device. */
async function patienceFor(pathname: string): Promise<number | undefined> {
  if (/^\/(library|downloads)\/?$/.test(pathname)) return OWN_SCREEN_MS
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
 * Fetches what the browser cleared out of the shell (trap 11), and the shell anew where the owner changed what stands on every
 * page. A page of a later release is left out: the files that it
 * names are not in this one.
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

/** A script or a font that is a page is a captive portal's. */
const isOfRelease = (response: Response) =>
  isFromShop(response) || !/\bhtml\b/.test(response.headers.get('content-type') ?? '')

async function namesOnlyOurs(response: Response): Promise<boolean> {
  if (!/\bhtml\b/.test(response.headers.get('content-type') ?? '')) return true
  const files = (await response.clone().text()).match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? []
  return files.every((file) => precache.getCacheKeyForURL(file) !== undefined)
}

const shellKey = () => precache.getCacheKeyForURL(SHELL_PAGE) ?? SHELL_PAGE
const kept = async (key: string) => (await caches.open(SHELL)).match(key)
