import type { CatalogueIndex } from '#contract/catalogue-index.ts'
import { CATALOGUE_INDEX } from '#contract/limits.ts'
import { type Catalogue, openCatalogue } from '#contract/calculations/indexed-catalogue.ts'
import { isFromShop } from '#net/from-shop.ts'
import { CATALOGUE } from '../kept-answers.ts'

const STORE = 'murmur-catalogue-index'
const ADDRESS = '/api/catalogue_index'
/** When the server last confirmed the catalogue. A separate entry, so that a 304 doesn't rewrite megabytes. */
const CHECKED = '/checked'

/** Pages open often; the catalogue changes only a few times a day. */
const CHECK_AFTER_MS = 10 * 60_000
/** Room for two unpacked catalogues, while a new one replaces the old one. */
const NEEDS_BYTES = 12_000_000

export interface StoredCatalogue {
  readonly catalogue: Catalogue
  readonly checkedAt: number
}

let opened: { readonly etag: string; readonly catalogue: Catalogue } | undefined
let checking: Promise<void> | undefined

/** The catalogue on this device; undefined if it is missing, or if another release wrote it. */
export async function storedCatalogue(): Promise<StoredCatalogue | undefined> {
  try {
    if (!(await caches.has(STORE))) return undefined
    const cache = await caches.open(STORE)
    const [kept, checkedAt] = [await cache.match(ADDRESS), await lastCheck(cache)]
    if (!kept) return undefined
    const etag = kept.headers.get('etag') ?? ''
    // Parsing takes 100 ms on a phone, so do it once per worker start.
    if (opened?.etag !== etag || etag === '') {
      const index = readable(await kept.text())
      if (!index) {
        await caches.delete(STORE)
        return undefined
      }
      opened = { etag, catalogue: openCatalogue(index) }
    }
    return { catalogue: opened.catalogue, checkedAt }
  } catch {
    // Treat a failing cache like an empty one.
    return undefined
  }
}

/** Revalidates the catalogue and stores a changed one. Tabs that ask at the same time share one request. */
export const refreshCatalogue = (): Promise<void> =>
  (checking ??= refresh()
    .catch(() => undefined)
    .finally(() => (checking = undefined)))

async function refresh(): Promise<void> {
  const cache = await caches.open(STORE)
  const kept = await cache.match(ADDRESS)
  if (kept && Date.now() - (await lastCheck(cache)) < CHECK_AFTER_MS) return
  const etag = kept && (await storedCatalogue()) ? kept.headers.get('etag') : null
  if (!etag && !(await hasRoom())) return
  const response = await fetch(ADDRESS, {
    // Because the request sets the condition itself, the browser's cache passes the 304 through.
    headers: { accept: 'application/ld+json', ...(etag ? { 'if-none-match': etag } : {}) },
    priority: 'low',
  })
  if (!isFromShop(response)) return
  if (response.status === 304) return noteCheck(cache)
  if (response.status !== 200 || response.type !== 'basic' || response.redirected) return
  const text = await response.text()
  const index = readable(text)
  if (!index) return
  // One write replaces the entry: a full device keeps its old catalogue (trap 12).
  await cache.put(ADDRESS, new Response(text, { headers: response.headers }))
  await noteCheck(cache)
  await dropClosedParts(index)
}

const noteCheck = (cache: Cache) => cache.put(CHECKED, Response.json(Date.now()))

async function lastCheck(cache: Cache): Promise<number> {
  const at: unknown = await (await cache.match(CHECKED))?.json()
  return typeof at === 'number' ? at : 0
}

/** Undefined if this release can't read the data. */
function readable(text: string): CatalogueIndex | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the shop answers here is held to the contract
    const index = JSON.parse(text) as Partial<CatalogueIndex> | null
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same version has the same form
    return index?.version === CATALOGUE_INDEX.version ? (index as CatalogueIndex) : undefined
  } catch {
    return undefined
  }
}

async function hasRoom(): Promise<boolean> {
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate().catch(() => undefined)) ?? {}
  return quota - usage > NEEDS_BYTES
}

const PARTS = {
  audiobooks: /^\/api\/audio_books\b/,
  eBooks: /^\/api\/e_books\b/,
  journal: /^\/api\/(articles|interviews|discussions|murmurations)\b/,
} as const

/** Deletes cached answers of parts that the owner has switched off: no later request would replace them. */
async function dropClosedParts(index: CatalogueIndex): Promise<void> {
  const closed = Object.entries(PARTS).flatMap(([part, pattern]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
    index[part as keyof typeof PARTS] ? [] : [pattern],
  )
  if (closed.length === 0) return
  const cache = await caches.open(CATALOGUE)
  for (const request of await cache.keys())
    if (closed.some((pattern) => pattern.test(new URL(request.url).pathname))) await cache.delete(request)
}
