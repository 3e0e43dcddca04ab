// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LibraryEntry } from '#contract/library.ts'
import { notePlacesKnown } from '#storage/places.ts'
import { placesDb } from '#storage/places-db.ts'
import { noDownload } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { configureNet, settings } from '#net/settings.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { PATIENCE_MS, useShelf } from './use-shelf.ts'

const anEntry = (slug: string): LibraryEntry =>
  ({ id: slug, audioBook: aTitle({ slug, title: slug }), eBook: null, chapterSeconds: [600] }) as LibraryEntry
const page = (slugs: string[], total = slugs.length) => ({
  'hydra:totalItems': total,
  'hydra:member': slugs.map(anEntry),
})
const heard = (slug: string, heardAtMs: number) => ({
  ...{ slug, chapter: 1, seconds: 60, heardAtMs, eventId: null, deviceId: null, basedOn: null },
})
const EVERYTHING = { q: '', sort: 'added', series: undefined, show: 'all' } as const
const ONLINE = { online: true, isLoaded: true }

let owner: string
let queryClient: QueryClient
/** Answers the request for a single book. */
let answer: () => void

beforeEach(() => {
  owner = crypto.randomUUID()
  queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  useDownloadsStore.setState({ ready: true, byTitle: new Map() })
  const answered = new Promise<void>((resolve) => (answer = resolve))
  configureNet({
    tokens: {
      ...settings.tokens,
      peek: () => undefined,
      read: async () => ({ token: tokenOf(owner), refreshToken: undefined }),
    },
    renew: async () => undefined,
    async exchange({ path }) {
      await answered
      const slug = path.slice(path.lastIndexOf('/') + 1)
      return { ...aTitle({ slug, title: slug }), audioFiles: [{ playtime: 600 }] }
    },
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Otherwise the screen's time limit could expire first on a busy machine. */
function patienceNeverEnds() {
  const real = globalThis.setTimeout
  const isPatience = (ms: unknown) => Object.values(PATIENCE_MS).includes(Number(ms))
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...rest: unknown[]) =>
    isPatience(ms) ? 0 : real(run, ms, ...rest)) as typeof setTimeout)
}

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

/** The result of each render: undefined while waiting, otherwise the books to continue. */
function open(initial: {
  pages?: ReturnType<typeof page>[]
  online?: boolean
  isLoaded?: boolean
  isDeviceRead?: boolean
}) {
  const drawn: (string | undefined)[] = []
  let isLate = false
  const hook = renderHook(
    ({ pages, ...asked }: typeof initial) => {
      const { ready, begun, isBegunLate } = useShelf(owner, pages, EVERYTHING, { ...ONLINE, ...asked })
      isLate = isBegunLate
      drawn.push(ready ? begun.map(({ slug }) => slug).join(' ') : undefined)
      return ready
    },
    { initialProps: initial, wrapper },
  )
  const shown = () => [...new Set(drawn)].filter((words) => words !== undefined)
  return { ...hook, drawn, shown, isLate: () => isLate }
}

const keep = (...places: ReturnType<typeof heard>[]) => placesDb.use(owner, (db) => db.places.bulkPut(places))

test('on a new device the titles wait for the account’s places, and then keep their positions', async () => {
  patienceNeverEnds()
  const { shown, result, isLate } = open({ pages: [page(['ledger', 'winter'])] })
  await keep(heard('ledger', 1))
  await keep(heard('winter', 2))
  await soon(() =>
    expect(queryClient.getQueryData(['own', owner, 'held', 'places'])).toMatchObject({
      places: { size: 2 },
      known: false,
    }),
  )
  expect(result.current).toBe(false)
  await notePlacesKnown(owner)
  await waitFor(() => expect(result.current).toBe(true))
  expect(shown()).toEqual(['winter ledger'])
  expect(isLate()).toBe(false)
})

test('what a new device learns about started titles after these are shown counts as late', async () => {
  const { result, drawn, isLate } = open({ pages: [page(['ledger', 'winter'])] })
  await waitFor(() => expect(result.current).toBe(true), { timeout: 10_000 })
  expect(drawn.at(-1)).toBe('')
  await keep(heard('ledger', 1))
  await notePlacesKnown(owner)
  await waitFor(() => expect(drawn.at(-1)).toBe('ledger'), { timeout: 10_000 })
  expect(isLate()).toBe(true)
})

test('waits for the last played titles of later pages too, and keeps them when the page loads', async () => {
  patienceNeverEnds()
  await keep(heard('ledger', 1), heard('orchard', 3), heard('baker', 2))
  await notePlacesKnown(owner)
  const { shown, result, rerender } = open({ pages: [page(['ledger'], 3)] })
  await soon(() => expect(queryClient.isFetching()).toBe(2))
  expect(result.current).toBe(false)
  answer()
  await waitFor(() => expect(result.current).toBe(true))
  // Of the two titles requested individually, the next page contains one.
  rerender({ pages: [page(['ledger'], 3), page(['orchard'], 3)] })
  await waitFor(() => expect(result.current).toBe(true))
  expect(shown()).toEqual(['orchard baker ledger'])
})

test('a screen shown again has the titles at once', async () => {
  await keep(heard('ledger', 1))
  await notePlacesKnown(owner)
  const pages = [page(['ledger'])]
  const first = open({ pages })
  await waitFor(() => expect(first.result.current).toBe(true))
  first.unmount()
  expect(open({ pages }).drawn[0]).toBe('ledger')
})

test('stored titles wait for the server for at most 300 ms, and not at all while offline', async () => {
  await notePlacesKnown(owner)
  const pages = [page(['ledger'])]
  const away = open({ pages, online: false, isLoaded: false })
  await waitFor(() => expect(away.result.current).toBe(true))
  away.unmount()

  vi.useFakeTimers()
  const nothing = open({ isLoaded: false })
  await vi.advanceTimersByTimeAsync(5_000)
  nothing.rerender({ isLoaded: false })
  expect(nothing.result.current).toBe(false)
  nothing.unmount()

  const silent = open({ pages, isLoaded: false })
  await vi.advanceTimersByTimeAsync(250)
  silent.rerender({ pages, isLoaded: false })
  expect(silent.result.current).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  silent.rerender({ pages, isLoaded: false })
  expect(silent.result.current).toBe(true)
})

test('the titles wait for this device to be read, which needs no network, for at most a second', async () => {
  await placesDb.use(owner, (db) => db.settings.put({ name: 'titlesWhole', value: true }))
  await notePlacesKnown(owner)
  const pages = [page(['ledger'])]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const slow = { pages, isDeviceRead: false }
  const { result, rerender } = open(slow)
  await vi.advanceTimersByTimeAsync(PATIENCE_MS.device - 100)
  rerender(slow)
  expect(result.current).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  rerender(slow)
  expect(result.current).toBe(true)
})

test('listening: titles kept ready open offline, if stored', async () => {
  const plan = ['salt', 'customs'].map((slug) => ({ slug, title: slug, begun: false, chapters: [] }))
  await placesDb.use(owner, (db) => db.settings.put({ name: 'ready', value: { on: true, plan } }))
  const some = { ...noDownload('audio/salt'), stored: new Map([[1, '']]) }
  useDownloadsStore.setState({ byTitle: new Map([['audio/salt', some]]) })
  const pages = [page(['salt', 'customs', 'peat'])]
  const { result } = renderHook(
    () => useShelf(owner, pages, { ...EVERYTHING, show: 'downloaded' }, { online: false, isLoaded: true }),
    { wrapper },
  )
  await soon(() => expect(result.current.items.map(({ slug }) => slug)).toEqual(['salt']))
  expect(result.current.waiting.map(({ slug }) => slug)).toEqual(['customs', 'peat'])
})
