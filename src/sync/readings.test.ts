import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { readClock } from '#storage/clock.ts'
import { flush, type FlushPorts } from './flush.ts'
import { removeConfirmed } from './leave.ts'
import { knownOffset } from './outbox.ts'
import { placesDb } from '#storage/places-db.ts'
import {
  countReadingsWaiting,
  followReadings,
  storeReading,
  readingOf,
  type SendReading,
} from './readings.ts'

type Sent = Parameters<SendReading>[0]
const NOBODY_ANSWERS = new NetProblem('offline', 0)

let owner: string
let sent: Sent[]
/** The server's position after each request; by default the one that was sent. */
let standing: Partial<Sent> & { readAt?: string }

beforeEach(() => {
  owner = crypto.randomUUID()
  sent = []
  standing = {}
})

const answer: SendReading = async (body) => {
  sent.push(body)
  const now = new Date().toISOString()
  const {
    eBook,
    locator,
    share,
    eventId = null,
    deviceId = null,
    readAt,
  } = { ...body, readAt: now, ...standing }
  return {
    '@context': '',
    '@id': '',
    '@type': 'UserEBookPlace',
    id: crypto.randomUUID(),
    ...{ eBook, locator, share, eventId, deviceId, readAt },
    serverTime: now,
  }
}
const send = (ports: Partial<FlushPorts> = {}) =>
  flush(owner, {
    sendReading: answer,
    serverOffset: async () => 0,
    whoIsHere: async () => owner,
    ...ports,
  })
const turnedTo = (share: number, clock = readClock()) => ({
  ...{ slug: 'ordinary-weather', locator: `epubcfi(/6/${share})`, share },
  ...{ eventId: crypto.randomUUID(), clock },
})
const read = (share: number, clock = readClock()) => storeReading(owner, turnedTo(share, clock))
const row = (share: number, readAt: string) => ({
  '@id': '',
  '@type': 'UserEBookPlace' as const,
  id: crypto.randomUUID(),
  eBook: '/api/e_books/ordinary-weather',
  locator: 'epubcfi(/6/20)',
  share,
  readAt,
  eventId: crypto.randomUUID(),
  deviceId: crypto.randomUUID(),
})

test('only the last position of a book is sent, once, and stays here', async () => {
  await read(0.1)
  const clock = readClock()
  await read(0.2, clock)
  const threeSecondsLater = { ...clock, wallMs: clock.wallMs + 3000, pageMs: clock.pageMs + 3000 }
  expect(await send({ readClock: () => threeSecondsLater })).toBe('empty')
  expect(await send()).toBe('empty')
  expect(sent).toMatchObject([{ eBook: '/api/e_books/ordinary-weather', share: 0.2, agoSeconds: 3 }])
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.2, waiting: 0 })
})

test("another device's later position is adopted", async () => {
  await read(0.1)
  standing = { share: 0.7, eventId: crypto.randomUUID(), readAt: new Date(Date.now() + 1000).toISOString() }
  await send()
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.7, waiting: 0 })
})

test('a position read during a request is not lost', async () => {
  await read(0.1)
  await send({
    sendReading: async (body) => {
      await read(0.3)
      return answer(body)
    },
  })
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.3, waiting: 1 })
})

test("the server's position is adopted, unless there is an unsent one or it is older", async () => {
  const later = new Date(Date.now() + 60_000).toISOString()
  await followReadings(owner, [row(0.5, later)])
  await followReadings(owner, [row(0.4, new Date().toISOString())])
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.5 })
  await read(0.1)
  await followReadings(owner, [row(0.9, later)])
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.1, waiting: 1 })
})

test('trap 2: a device whose clock is an hour fast syncs both ways, by the server’s clock', async () => {
  const real = readClock()
  const fast = { ...real, wallMs: real.wallMs + 3_600_000 }
  await read(0.1, fast)
  await send({ readClock: () => fast })
  expect(Math.round((await placesDb.use(owner, knownOffset))! / 60_000)).toBe(-60)
  await followReadings(owner, [row(0.5, new Date(Date.now() + 60_000).toISOString())])
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.5 })
})

test('PLAY-29: unconfirmed positions survive a log-out on this device', async () => {
  await read(0.1)
  expect(await removeConfirmed(owner)).toBe(false)
  expect(await countReadingsWaiting(owner)).toBe(1)
  await send()
  expect(await removeConfirmed(owner)).toBe(true)
  expect(await readingOf(owner, 'ordinary-weather')).toBeUndefined()
})

test('waits if there is no answer', async () => {
  await read(0.1)
  expect(await send({ sendReading: () => Promise.reject(NOBODY_ANSWERS) })).toBe('waiting')
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ waiting: 1, tries: 0 })
})

test('a position refused three times is no longer sent, and stays here', async () => {
  await read(0.1)
  const refuse = () => Promise.reject(new NetProblem('refused', 422))
  for (const waiting of [1, 1, 0]) {
    expect(await send({ sendReading: refuse })).toBe('waiting')
    expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.1, waiting })
  }
  expect(await send()).toBe('empty')
  expect(sent).toEqual([])
})

test.each([
  ['too many at once', new NetProblem('refused', 429), 'waiting'],
  ['a server that is down', new NetProblem('server', 500), 'waiting'],
  ['a session that has ended', new NetProblem('refused', 401), 'signed-out'],
])('%s loses no place, however often', async (_what, problem, outcome) => {
  await read(0.1)
  for (let round = 0; round < 4; round += 1)
    expect(await send({ sendReading: () => Promise.reject(problem) })).toBe(outcome)
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ waiting: 1 })
})

test("a programming error doesn't count as a refusal", async () => {
  await read(0.1)
  const mistake = new TypeError('of ours')
  await expect(send({ sendReading: () => Promise.reject(mistake) })).rejects.toBe(mistake)
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ waiting: 1, tries: 0 })
})

test('of two positions from the same moment the server’s wins', async () => {
  const at = new Date().toISOString()
  await followReadings(owner, [row(0.5, at)])
  await followReadings(owner, [row(0.6, at)])
  expect(await readingOf(owner, 'ordinary-weather')).toMatchObject({ share: 0.6 })
})
