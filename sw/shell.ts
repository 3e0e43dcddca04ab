import { PrecacheController } from 'workbox-precaching'
import type { PrecacheEntry } from 'workbox-precaching/_types.js'
import { withinMs } from './within.ts'
import type { Asked, Door } from './doors.ts'

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

const precache = new PrecacheController({ cacheName: SHELL })

/** What the release consists of; returns what its installation does. */
export function installShell(manifest: (PrecacheEntry | string)[]) {
  precache.addToCacheList(manifest)
  return (event: Parameters<typeof precache.install>[0]): void => void precache.install(event)
}

/** On activation: takes over open pages, asks for navigation preload, drops releases nobody uses any more. */
export async function keepReleases({ clients, registration }: ShellWorker): Promise<void> {
  await clients.claim()
  await registration.navigationPreload?.enable()

  const book = await caches.open(RELEASES)
  const known: string[][] = (await (await book.match('/releases'))?.json()) ?? []
  const current = [...precache.getURLsToCacheKeys().values()].sort()
  const older = known.filter((release) => release.join() !== current.join())
  const releases = [...older, current].slice(-KEEP_RELEASES)
  await book.put('/releases', Response.json(releases))

  const used = new Set(releases.flat())
  const cache = await caches.open(SHELL)
  const stale = (await cache.keys()).filter(({ url }) => !used.has(url))
  await Promise.all(stale.map((request) => cache.delete(request)))
}

/** Files of the running release by their revision, hashed files of the one before by their name. */
export const assetDoor: Door = ({ request }, { pathname }) => {
  if (request.method !== 'GET' || request.mode === 'navigate') return undefined
  const key = precache.getCacheKeyForURL(request.url)
  if (!key && !pathname.startsWith('/assets/')) return undefined
  return kept(key ?? request.url).then((response) => response ?? fetch(request))
}

/** Not pages of ours: files, calls, the owner's tools. */
const NOT_PAGES = /^\/(api|media|dev|metrics|\.well-known)(\/|$)/

/**
 * A page comes rendered from the server. Where that takes too long, fails, or there is no network, the bare
 * shell renders it from what this device has seen.
 */
export const navigationDoor: Door = (event, { pathname }) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return undefined
  const network = preloaded(event)
  if (NOT_PAGES.test(pathname)) return network
  return page(network)
}

async function page(network: Promise<Response>): Promise<Response> {
  const response = await withinMs(NAVIGATION_MS, network).catch(() => undefined)
  if (response && response.status < 500) return response
  const shell = await kept(precache.getCacheKeyForURL(SHELL_PAGE) ?? SHELL_PAGE)
  return shell ?? response ?? network
}

async function preloaded(event: Asked): Promise<Response> {
  return (await event.preloadResponse) ?? fetch(event.request)
}

const kept = async (key: string) => (await caches.open(SHELL)).match(key)
