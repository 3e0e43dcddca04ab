// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AudioBookTime, ListeningEvent, Place } from '#contract/listening.ts'
import { resumePlace } from '#storage/places.ts'
import { type MarkChange, placesDb } from '#storage/places-db.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange, settings } from '#net/settings.ts'
import { useSession } from '#session/store.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { soon } from '#tests/support/wait-for.ts'
import { openedListening, openListeningOf } from './lazy.ts'
import { openListening, type Listening } from './listening.ts'
import { historyQuery } from './queries.ts'
import { useListeningStore } from './store.ts'

let owner: string
let listening: Listening
let nowMs: number
let problem: NetProblem | undefined
/** The server's places from other devices. */
let rows: AudioBookTime[]
let otherPlace: Place | null
let asked: number
let posted: ListeningEvent[]
let paths: Set<string>
/** Counts token requests: one for each flush that has nothing to send. */
let lent: number
let syncs: string[]
/** The books whose bookmarks were requested. */
let marksAsked: string[]
let listsAsked: number
/** Delays the answers of the server. */
let slow: Promise<void> | undefined

const elsewhere = (chapter: number, seconds: number): AudioBookTime => ({
  ...{ '@id': '', '@type': 'UserAudioBookTime', id: 'row', audioBook: '/api/audio_books/salt' },
  ...{ chapter, seconds, heardAt: '2026-03-01T08:00:00.000Z', eventId: crypto.randomUUID() },
  deviceId: '00000000-0000-4000-8000-000000000001',
  fromSeconds: 190,
})
const heard = (chapter: number, seconds: number) => ({
  ...{ slug: 'salt', chapter, seconds, fromSeconds: 10, listenedSeconds: 5 },
})

beforeEach(async () => {
  owner = crypto.randomUUID()
  nowMs = Date.parse('2026-03-02T08:00:00.000Z')
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  problem = undefined
  rows = []
  otherPlace = null
  asked = 0
  posted = []
  paths = new Set()
  lent = 0
  syncs = []
  marksAsked = []
  listsAsked = 0
  slow = undefined
  const sync = { register: async (tag: string) => void syncs.push(tag) }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { controller: null, ready: Promise.resolve({ sync }) },
  })
  configureNet({
    tokens: {
      ...settings.tokens,
      peek: () => undefined,
      lend: async () => void (lent += 1),
      async read() {
        return { token: tokenOf(owner), refreshToken: undefined }
      },
    },
    renew: async () => undefined,
    async exchange({ method, path, search, json }) {
      if (path.endsWith('user_bookmarks') && search) marksAsked.push(search.toString())
      if (path.endsWith('user_queue')) listsAsked += 1
      if (problem) throw problem
      if (/user_(?:bookmarks|highlights|queue|shelves|shelf_titles)$/.test(path))
        return { 'hydra:member': [] }
      if (method === 'GET') {
        asked += 1
        await slow
        return { 'hydra:member': rows }
      }
      const body = json as ListeningEvent
      posted.push(body)
      paths.add(path)
      const heardAt = new Date(nowMs).toISOString()
      const place = { id: 'row', fromSeconds: null, ...body, heardAt }
      return { ...place, serverTime: heardAt, audioBookTime: { ...place, otherPlace } }
    },
  })
  useSession.setState({ status: 'ended' })
  listening = await openListening(owner)
  // The page's first request ends here.
  await vi.waitUntil(() => asked === 1)
  await listening.lastPlace('none')
})
afterEach(() => {
  listening.stop()
  vi.restoreAllMocks()
})

test('sends a heard place, and resumes there', async () => {
  listening.keep(heard(2, 30))
  expect(await listening.sendNow()).toBe('empty')
  expect(posted).toMatchObject([{ chapter: 2, seconds: 30, fromSeconds: 10 }])
  expect([...paths]).toEqual(['/api/user_chapter_times'])
  expect(await listening.lastPlace('salt')).toMatchObject({ chapter: 2, seconds: 30, fromSeconds: 10 })
  expect(await listening.lastPlace('none')).toBeUndefined()
  expect(syncs).toEqual([])
})

test('PLAY-18: requests the place to resume at most every ten seconds', async () => {
  rows = [elsewhere(3, 200)]
  nowMs += 9_999
  expect(await listening.lastPlace('salt')).toBeUndefined()
  expect(asked).toBe(1)
  nowMs += 1
  expect(await listening.lastPlace('salt')).toMatchObject({ chapter: 3, seconds: 200, fromSeconds: 190 })
  expect(asked).toBe(2)
})

test('concurrent callers share one request', async () => {
  nowMs += 10_000
  rows = [elsewhere(3, 200)]
  let answers = () => undefined as void
  slow = new Promise((resolve) => (answers = resolve))
  const places = [listening.lastPlace('salt'), listening.lastPlace('salt')]
  await vi.waitUntil(() => asked === 2)
  await listening.sendNow()
  answers()
  for (const place of places) expect(await place).toMatchObject({ chapter: 3, seconds: 200 })
  expect(asked).toBe(2)
})

test('several changes of one book’s bookmarks on another device are one request', async () => {
  const requests = (slug: string) => marksAsked.filter((query) => query.includes(slug)).length
  const salt = [listening.followBookmarks('salt'), listening.followBookmarks('salt')]
  await Promise.all([...salt, listening.followBookmarks('pepper')])
  expect([requests('salt'), requests('pepper')]).toEqual([1, 1])
  await listening.followBookmarks('salt')
  expect(requests('salt')).toBe(2)
})

test('pulls other devices’ places every five minutes at most, after sending its own', async () => {
  nowMs += 5 * 60_000 - 1
  await listening.sendNow()
  expect(asked).toBe(1)
  nowMs += 1
  problem = new NetProblem('refused', 401)
  listening.keep(heard(2, 30))
  expect(await listening.sendNow()).toBe('signed-out')
  problem = undefined
  expect(asked).toBe(1)
  await listening.sendNow()
  await soon(() => expect(asked).toBe(2))
})

test('PLAY-11: on a hidden page a save is one transaction; a visible page shows the pending places again', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const modes = () => begun.mock.calls.map(([, mode]) => mode)
  // Count the transactions of databases opened from now on.
  listening.stop()
  owner = crypto.randomUUID()
  listening = await openListening(owner)
  await vi.waitUntil(() => asked === 2)
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  await listening.sendNow()
  begun.mockClear()
  for (let save = 1; save <= 3; save += 1) {
    listening.keep(heard(2, 30 + 5 * save))
    await soon(() => expect(modes().filter((mode) => mode === 'readwrite')).toHaveLength(save))
  }
  // One read by the test itself.
  expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 45 })
  expect(modes()).toEqual(['readwrite', 'readwrite', 'readwrite', 'readonly'])
  expect(useListeningStore.getState().waiting).toBe(0)
  problem = new NetProblem('refused', 401)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await soon(() => expect(useListeningStore.getState().waiting).toBe(1))
})

test('a hidden page does not pull other devices’ places', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  nowMs += 5 * 60_000
  for (let twice = 0; twice < 2; twice += 1) await listening.sendNow()
  visibility.mockReturnValue('visible')
  rows = [elsewhere(3, 200)]
  // Less than five minutes later, so that only this request can be the first one.
  nowMs += 4 * 60_000
  await listening.sendNow()
  await soon(async () => expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3 }))
  expect(asked).toBe(2)
})

test('fetches all bookmarks and lists once, and again if that failed', async () => {
  const whole = () => [marksAsked.filter((query) => !query.includes('audioBook')).length, listsAsked]
  await listening.sendNow()
  await soon(() => expect(whole()).toEqual([1, 1]))
  listening.stop()
  problem = new NetProblem('refused', 404)
  listening = await openListening(owner)
  await soon(() => expect(whole()).toEqual([2, 2]))
  problem = undefined
  for (let times = 0; times < 3; times += 1) await listening.sendNow()
  await soon(() => expect(whole()).toEqual([3, 3]))
})

test('lends the worker the session, to send what a closing page can’t', () => {
  expect(lent).toBe(1)
})

test('sends no request while offline', async () => {
  vi.spyOn(connectivity, 'snapshot').mockReturnValue('offline')
  nowMs += 60_000
  await listening.lastPlace('salt')
  expect(asked).toBe(1)
})

test('leaves failed requests to background sync too', async () => {
  problem = new NetProblem('server', 500)
  listening.keep(heard(2, 30))
  expect(await listening.sendNow()).toBe('waiting')
  await soon(() => expect(syncs).not.toEqual([]))
  await soon(() => expect(useListeningStore.getState().waiting).toBe(1))
})

test('counts the bookmarks and highlights that the server refused too often, not those that wait', async () => {
  problem = new NetProblem('offline', 0)
  const changes = (refused: number, waiting: number) =>
    Array.from({ length: refused + waiting }, (_, place): MarkChange => {
      const change = { id: crypto.randomUUID(), kind: 'removed', eventId: crypto.randomUUID() } as const
      const time = { changedAtMs: nowMs, clock: { page: '', ms: 0 }, offsetMs: null }
      return { ...change, ...time, sequence: place, tries: 0, setAside: place < refused ? 1 : 0 }
    })
  await placesDb.use(owner, async (db) => {
    await db.bookmarkChanges.bulkPut(changes(1, 2))
    await db.highlightChanges.bulkPut(changes(3, 6))
  })
  await soon(() =>
    expect(useListeningStore.getState()).toMatchObject({ marksRefused: 4, bookmarksWaiting: 2 }),
  )
})

test('trap 19: sends pending places when their listener logs in again', async () => {
  problem = new NetProblem('refused', 401)
  listening.keep(heard(2, 30))
  expect(await listening.sendNow()).toBe('signed-out')
  problem = undefined
  void listening.sendNow()
  await soon(() => expect(posted).toHaveLength(1))
})

test('sends through the flush loop what can’t be sent on hide', async () => {
  problem = new NetProblem('refused', 401)
  listening.keep(heard(2, 30))
  await listening.sendNow()
  problem = undefined
  listening.leave('hidden')
  await soon(() => expect(posted).toHaveLength(1))
})

test('returning to a place of the history makes it the current place', async () => {
  await listening.returnTo('salt', { chapter: 1, seconds: 40 })
  await listening.sendNow()
  expect(posted).toMatchObject([{ chapter: 1, seconds: 40, fromSeconds: 40 }])
})

test('PLAY-27: asks about two places and sends the answer; a closed instance no longer asks', async () => {
  otherPlace = elsewhere(1, 120)
  listening.keep(heard(2, 400))
  await listening.sendNow()
  await soon(() => expect(useListeningStore.getState().twoPlaces).toHaveLength(1))
  otherPlace = null
  expect(await listening.choose('salt', 'there')).toMatchObject({ chapter: 1, seconds: 120 })
  await soon(() => expect(posted.at(-1)).toMatchObject({ chapter: 1, seconds: 120 }))
  listening.stop()
  expect(useListeningStore.getState()).toMatchObject({ twoPlaces: [], receipt: undefined, waiting: 0 })
})

test('listening stays open for the same user, is replaced for another, and is closed for a visitor', async () => {
  expect(openListeningOf(undefined)).toBeUndefined()
  const first = openListeningOf(owner)
  expect(await first).toMatchObject({ ownerUuid: owner })
  expect(openListeningOf(owner)).toBe(first)
  expect(openedListening()).toBe(first)
  const stopped = vi.spyOn((await first)!, 'stop')
  const other = crypto.randomUUID()
  expect(await openListeningOf(other)).toMatchObject({ ownerUuid: other })
  expect(stopped).toHaveBeenCalledOnce()
  expect(openListeningOf(undefined)).toBeUndefined()
  expect(openedListening()).toBeUndefined()
})

test('the history marks the places of this device', async () => {
  for (const seconds of [30, 400]) {
    listening.keep(heard(2, seconds))
    await listening.sendNow()
  }
  rows = [elsewhere(1, 120)]
  const client = new QueryClient()
  const places = await client.fetchQuery(historyQuery(owner, 'salt'))
  expect(
    places.map(({ chapter, seconds, heardOnThisDevice }) => [chapter, seconds, heardOnThisDevice]),
  ).toEqual([
    [2, 30, true],
    [1, 120, false],
  ])
  client.clear()
})

test('after the session has ended the history shows the device’s places, without a redirect to the login', async () => {
  for (const seconds of [30, 400]) {
    listening.keep(heard(2, seconds))
    await listening.sendNow()
  }
  const sent: Exchange[] = []
  configureNet({
    exchange: async (request) => {
      sent.push(request)
      throw new NetProblem('refused', 401)
    },
  })
  const client = new QueryClient()
  expect(await client.fetchQuery(historyQuery(owner, 'salt'))).toMatchObject([{ seconds: 30 }])
  expect(sent).toMatchObject([{ background: true }])
  client.clear()
})
