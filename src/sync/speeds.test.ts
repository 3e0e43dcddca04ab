import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AudioBookTime } from '#contract/listening.ts'
import { NetProblem } from '#net/problem.ts'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import { flush } from './flush.ts'
import { followServer } from './follow-server.ts'
import { placesDb } from '#storage/places-db.ts'
import { writeSetting } from '#storage/places.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import {
  chooseSpeed,
  countSpeedsWaiting,
  followSpeeds,
  storeBegunSpeed,
  type SendSpeed,
  speedCall,
  speedOf,
  speedsIn,
} from './speeds.ts'

let owner: string
beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage())
  owner = crypto.randomUUID()
})

const at = (wallMs: number) => ({ wallMs, pageMs: wallMs, page: 'p' })
const iso = (ms: number) => new Date(ms).toISOString()
const row = (slug: string, part: Partial<AudioBookTime> = {}): AudioBookTime => ({
  ...{
    '@id': '',
    '@type': 'UserAudioBookTime' as const,
    id: `row-${slug}`,
    audioBook: `/api/audio_books/${slug}`,
  },
  ...{ chapter: 1, seconds: 5, heardAt: iso(1_000), eventId: null, deviceId: null, fromSeconds: null },
  ...part,
})
const echo: SendSpeed = async (_id, { speed, chosenAt = '' }) => ({
  ...{
    '@context': '',
    '@id': '',
    '@type': 'UserAudioBookSpeed' as const,
    audioBook: '/api/audio_books/salt',
  },
  ...{ speed, chosenAt, deviceId: null, serverTime: iso(2_000) },
})
const sendAll = (sendSpeed: SendSpeed) =>
  flush(owner, {
    whoIsHere: async () => owner,
    serverOffset: async () => 0,
    readClock: () => at(2_000),
    sendSpeed,
  })

test('a new book uses the last chosen speed, a started one its own', async () => {
  expect(await speedOf(owner, 'salt')).toBeUndefined()
  await chooseSpeed(owner, 'salt', 1.5, at(1_000))
  await chooseSpeed(owner, 'ferry', 1.2, at(2_000))
  await followServer(owner, [row('winters')])
  expect([await speedOf(owner, 'salt'), await speedOf(owner, 'ferry')]).toEqual([1.5, 1.2])
  expect(await speedOf(owner, 'new')).toBe(1.2)
  expect(await speedOf(owner, 'winters')).toBeUndefined()
})

test('the speed chosen last is the last by the server’s clock, whichever device chose it', async () => {
  await writeSetting(owner, 'clockOffset', -5_000)
  await followSpeeds(owner, speedsIn([row('ferry', { speed: 1.2, speedChosenAt: iso(3_000) })]))
  await chooseSpeed(owner, 'salt', 1.5, at(6_000))
  expect(await speedOf(owner, 'new')).toBe(1.2)
  await chooseSpeed(owner, 'winters', 2, at(9_000))
  expect(await speedOf(owner, 'new')).toBe(2)
})

test("a book that started at another book's speed stays at that speed", async () => {
  await chooseSpeed(owner, 'ferry', 1.2, at(1_000))
  await storeBegunSpeed(owner, 'salt', 1.2)
  await chooseSpeed(owner, 'ferry', 2, at(2_000))
  await storeBegunSpeed(owner, 'salt', 2)
  await storeBegunSpeed(owner, 'winters', 1)
  expect(await speedOf(owner, 'salt')).toBe(1.2)
  expect(await placesDb.use(owner, (db) => db.speeds.count())).toBe(2)
})

test('a choice waits for the book’s row and is sent once; the same speed is no choice', async () => {
  const send = vi.fn(echo)
  await chooseSpeed(owner, 'salt', 1.5, at(1_000))
  await expect(sendAll(send)).resolves.toBe('empty')
  expect(send).not.toHaveBeenCalled()
  await followServer(owner, [row('salt')])
  await expect(sendAll(async () => Promise.reject(new NetProblem('offline', 0)))).resolves.toBe('waiting')
  await sendAll(send)
  await chooseSpeed(owner, 'salt', 1.5, at(3_000))
  await sendAll(send)
  expect(send.mock.calls).toMatchObject([['row-salt', { speed: 1.5, agoSeconds: 1, chosenAt: iso(1_000) }]])
})

test('of two devices, the later choice wins', async () => {
  await followServer(owner, [row('salt')])
  await chooseSpeed(owner, 'salt', 1.5, at(1_000))
  await followSpeeds(owner, speedsIn([row('salt', { speed: 2, speedChosenAt: iso(1_500) })]))
  // The choice is unsent: the server's answer decides.
  expect(await speedOf(owner, 'salt')).toBe(1.5)
  await sendAll(async (id, body) => ({ ...(await echo(id, body)), speed: 2, chosenAt: iso(1_500) }))
  expect(await speedOf(owner, 'salt')).toBe(2)
  await followSpeeds(owner, speedsIn([row('salt', { speed: 0.5, speedChosenAt: iso(1_400) })]))
  expect(await speedOf(owner, 'salt')).toBe(2)
  await followSpeeds(owner, speedsIn([row('salt', { speed: 0.5, speedChosenAt: iso(1_600) })]))
  expect(await speedOf(owner, 'salt')).toBe(0.5)
})

test('a speed chosen while an earlier choice is sent stays and waits, even if it is the same speed again', async () => {
  await followServer(owner, [row('salt')])
  await chooseSpeed(owner, 'salt', 1.5, at(1_000))
  await sendAll(async (id, body) => {
    await chooseSpeed(owner, 'salt', 2, at(1_200))
    await chooseSpeed(owner, 'salt', 1.5, at(1_400))
    return echo(id, body)
  })
  expect(await countSpeedsWaiting(owner)).toBe(1)
  const send = vi.fn(echo)
  await sendAll(send)
  expect(send.mock.calls).toMatchObject([['row-salt', { speed: 1.5, chosenAt: iso(1_400) }]])
})

test('only a speed with the time of its choice counts as chosen', () => {
  expect(speedsIn([row('salt', { speed: null, speedChosenAt: null }), row('ferry', { speed: 2 })])).toEqual(
    [],
  )
})

test('a speed stored by an earlier release is synced, and yields to every dated choice', async () => {
  const send = vi.fn(echo)
  await writeSetting(owner, 'speed/salt', 1.7)
  await followServer(owner, [row('salt')])
  expect(await speedOf(owner, 'salt')).toBe(1.7)
  await sendAll(send)
  await sendAll(send)
  expect(send.mock.calls).toMatchObject([['row-salt', { speed: 1.7, chosenAt: iso(0) }]])
  expect(send.mock.calls[0]![1]).not.toHaveProperty('agoSeconds')
})

test('a refused choice stays on this device', async () => {
  const send = vi.fn(async () => Promise.reject(new NetProblem('refused', 404)))
  await followServer(owner, [row('salt')])
  await chooseSpeed(owner, 'salt', 1.5)
  for (let times = 0; times < 5; times += 1) await sendAll(send)
  expect(send).toHaveBeenCalledTimes(3)
  expect(await speedOf(owner, 'salt')).toBe(1.5)
})

test('a speed is sent for its listener, also by a closing page, and without redirecting to the log-in', async () => {
  const sent: Exchange[] = []
  configureNet({
    exchange: async (request) => {
      sent.push(request)
      throw new NetProblem('refused', 401)
    },
  })
  const choice = { speed: 1.5, deviceId: null } as never
  await expect(speedCall(owner)('row-salt', choice)).rejects.toThrow(NetProblem)
  expect(sent).toMatchObject([{ as: owner, keepalive: true, background: true, json: choice }])
})
