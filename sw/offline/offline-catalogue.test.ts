import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CatalogueIndex, IndexedBook } from '#contract/catalogue-index.ts'
import { CATALOGUE_INDEX, SHOP_HEADER } from '#contract/limits.ts'
import { CATALOGUE_CHECKED_HEADER } from '#storage/messages.ts'
import { fakeCaches } from '#tests/support/fake-caches.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import type { FetchCall } from '../request-handler.ts'

const SHOP = 'http://shop.test'
const HOUR_MS = 3_600_000
const book = (id: number, title: string, more: Partial<IndexedBook> = {}): IndexedBook => ({
  id,
  slug: title.toLowerCase().replaceAll(' ', '-'),
  title,
  price: 12.99,
  member: 10.4,
  ...more,
})
const index = (more: Partial<CatalogueIndex> = {}): CatalogueIndex => ({
  version: CATALOGUE_INDEX.version,
  complete: true,
  audiobooks: true,
  eBooks: true,
  journal: true,
  books: [book(2, 'The Quiet Ferry', { edition: true }), book(1, 'Salt Road Letters')],
  people: [],
  series: [],
  tags: [],
  styles: [],
  categories: [],
  locations: [],
  nationalities: [],
  publishers: [],
  types: [],
  articles: [],
  texts: [],
  ...more,
})

let network: (request: Request) => Response | Promise<Response>
let requests: Request[]
let free: number
let worker: {
  refreshCatalogue: () => Promise<void>
  handleCatalogue: (event: FetchCall, address: URL) => Promise<Response> | undefined
}

const ours = (body: unknown, headers: Record<string, string> = {}, status = 200) => {
  const text = status === 304 ? null : JSON.stringify(body)
  const type = { 'content-type': 'application/ld+json; charset=utf-8' }
  const response = fromShop(text, { status, headers: { ...type, ...headers } })
  Object.defineProperty(response, 'type', { value: 'basic' })
  return response
}
const silence = () => Promise.reject(new TypeError('Failed to fetch'))
const shopWith = (body: CatalogueIndex, etag: string) => (request: Request) =>
  request.headers.get('if-none-match') === etag ? ours(null, { etag }, 304) : ours(body, { etag })

/** A newly started worker, with nothing in memory. */
async function startWorker() {
  vi.resetModules()
  worker = {
    ...(await import('./stored-index.ts')),
    ...(await import('../api-answers.ts')),
  }
}

async function ask(path: string) {
  const waits: Promise<unknown>[] = []
  const event = { request: new Request(SHOP + path), waitUntil: (work: Promise<unknown>) => waits.push(work) }
  const response = await worker.handleCatalogue(event as unknown as FetchCall, new URL(SHOP + path))
  await Promise.all(waits)
  return response!
}
const titlesAt = async (path: string) =>
  ((await (await ask(path)).json()) as { 'hydra:member': { title: string }[] })['hydra:member'].map(
    ({ title }) => title,
  )

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T12:00:00Z') })
  vi.stubGlobal('caches', fakeCaches())
  vi.stubGlobal('location', new URL(SHOP))
  free = 1_000_000_000
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota: free, usage: 0 }) } })
  requests = []
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(typeof input === 'string' ? new URL(input, SHOP) : input, init)
    requests.push(request)
    return network(request)
  })
  await startWorker()
})

test('an unvisited page is answered from the catalogue when offline, with its date', async () => {
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  const at = Date.now()
  vi.advanceTimersByTime(HOUR_MS)
  network = silence
  await startWorker()
  expect(await titlesAt('/api/audio_books?page=1')).toEqual(['The Quiet Ferry', 'Salt Road Letters'])
  expect(await titlesAt('/api/audio_books?edition=true')).toEqual(['The Quiet Ferry'])
  const { headers } = await ask('/api/audio_books/salt-road-letters')
  expect(headers.get('x-murmur-kept')).toBe('silence')
  expect(headers.get(SHOP_HEADER)).not.toBeNull()
  expect(headers.get(CATALOGUE_CHECKED_HEADER)).toBe(String(at))
  // A title missing from the index may still exist on the server.
  await expect(ask('/api/audio_books/unheard-of')).rejects.toThrow('Failed to fetch')
})

test('it is revalidated by its ETag, at most once in ten minutes, and once for two tabs', async () => {
  network = shopWith(index(), '"one"')
  await Promise.all([worker.refreshCatalogue(), worker.refreshCatalogue()])
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null])
  vi.advanceTimersByTime(5 * 60_000)
  await worker.refreshCatalogue()
  expect(requests).toHaveLength(1)
  vi.advanceTimersByTime(HOUR_MS)
  await worker.refreshCatalogue()
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"one"'])
  const checkedAt = Date.now()
  network = silence
  expect((await ask('/api/audio_books')).headers.get(CATALOGUE_CHECKED_HEADER)).toBe(String(checkedAt))
})

test('another country’s catalogue, or a changed one, replaces the old one', async () => {
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  vi.advanceTimersByTime(HOUR_MS)
  network = shopWith(index({ books: [book(3, 'Elsewhere', { blocked: true })] }), '"two"')
  await worker.refreshCatalogue()
  network = silence
  expect(await titlesAt('/api/audio_books')).toEqual(['Elsewhere'])
})

test('a catalogue written by another release is deleted and fetched again', async () => {
  network = () => ours(index({ version: CATALOGUE_INDEX.version + 1 }), { etag: '"later"' })
  await worker.refreshCatalogue()
  network = silence
  await expect(ask('/api/audio_books')).rejects.toThrow('Failed to fetch')
  const cache = await caches.open('murmur-catalogue-index')
  await cache.put('/api/catalogue_index', ours({ ...index(), version: 0 }, { etag: '"one"' }))
  await expect(ask('/api/audio_books')).rejects.toThrow('Failed to fetch')
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  expect(requests.at(-1)!.headers.get('if-none-match')).toBeNull()
  network = silence
  expect(await titlesAt('/api/audio_books')).toHaveLength(2)
})

test('a device without room fetches nothing, and one whose write fails keeps its old catalogue', async () => {
  free = 1_000
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  expect(requests).toHaveLength(0)
  free = 1_000_000_000
  await worker.refreshCatalogue()
  vi.advanceTimersByTime(HOUR_MS)
  network = shopWith(index({ books: [] }), '"two"')
  const cache = await caches.open('murmur-catalogue-index')
  vi.spyOn(cache, 'put').mockRejectedValue(new DOMException('Full', 'QuotaExceededError'))
  const isFull = vi.spyOn(caches, 'open').mockResolvedValue(cache)
  await worker.refreshCatalogue()
  isFull.mockRestore()
  network = silence
  expect(await titlesAt('/api/audio_books')).toHaveLength(2)
})

test('after the storage was cleared, the next page fetches the whole catalogue', async () => {
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  await caches.delete('murmur-catalogue-index')
  network = silence
  await expect(ask('/api/audio_books')).rejects.toThrow('Failed to fetch')
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  expect(requests.at(-1)!.headers.get('if-none-match')).toBeNull()
})

test('a part that the owner switched off is removed with its cached pages', async () => {
  network = ({ url }) =>
    url.includes('catalogue_index')
      ? ours(index(), { etag: '"one"' })
      : ours({ 'hydra:member': [{ title: 'Kept' }] })
  await worker.refreshCatalogue()
  await ask('/api/e_books')
  network = shopWith(index({ eBooks: false, journal: false }), '"two"')
  vi.advanceTimersByTime(HOUR_MS)
  await worker.refreshCatalogue()
  network = silence
  await expect(ask('/api/e_books')).rejects.toThrow('Failed to fetch')
  await expect(ask('/api/articles')).rejects.toThrow('Failed to fetch')
  expect(await titlesAt('/api/audio_books')).toHaveLength(2)
})

test('the newer of cache and catalogue wins; a book page keeps its sample', async () => {
  const seen = { title: 'Salt Road Letters', price: 12.99, sample: '/media/sample.mp3', chapters: [{}] }
  network = ({ url }) =>
    url.includes('salt-road') ? ours(seen) : ours({ 'hydra:member': [{ title: 'Seen' }] })
  await ask('/api/audio_books')
  await ask('/api/audio_books/salt-road-letters')
  vi.advanceTimersByTime(HOUR_MS)
  network = shopWith(index({ books: [book(1, 'Salt Road Letters', { price: 9.99 })] }), '"one"')
  await worker.refreshCatalogue()
  vi.advanceTimersByTime(HOUR_MS)
  network = silence
  expect(await titlesAt('/api/audio_books')).toEqual(['Salt Road Letters'])
  expect(await (await ask('/api/audio_books/salt-road-letters')).json()).toMatchObject({
    price: 9.99,
    sample: '/media/sample.mp3',
    chapters: [{}],
  })
  network = () => ours({ 'hydra:member': [{ title: 'Seen later' }] })
  await ask('/api/audio_books')
  vi.advanceTimersByTime(HOUR_MS)
  network = silence
  expect(await titlesAt('/api/audio_books')).toEqual(['Seen later'])
})

test('a server that hangs is treated like no network', async () => {
  network = shopWith(index(), '"one"')
  await worker.refreshCatalogue()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
  let answer: (response: Response) => void = () => undefined
  network = () => new Promise((resolve) => (answer = resolve))
  const waits: Promise<unknown>[] = []
  const event = {
    request: new Request(`${SHOP}/api/audio_books`),
    waitUntil: (work: Promise<unknown>) => waits.push(work),
  }
  const asked = worker.handleCatalogue(event as unknown as FetchCall, new URL(`${SHOP}/api/audio_books`))!
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await asked).headers.get('x-murmur-kept')).toBe('silence')
  answer(ours({}))
  await Promise.all(waits)
})
