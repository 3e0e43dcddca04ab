import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChapterTimeAnswer, ListeningEvent } from '#contract/listening.ts'
import { thisDeviceId } from '#sync/outbox.ts'
import type { HeardPlace } from '#storage/place.ts'
import type { LocalPlace } from '#storage/places-db.ts'
import { connectivity } from '#net/connectivity.ts'
import { configureNet, settings } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { soon } from '#tests/support/wait-for.ts'
import { createSendOnClose, type SendOnClose } from './send-on-close.ts'

let owner: string
let drawer: ReturnType<typeof fakeStorage>
let unwritten: HeardPlace[]
let drained: number
let posted: ListeningEvent[]
let respond: () => Promise<Response>
let sendOnClose: SendOnClose
let worker: { told: unknown[]; syncs: string[] }

const noted = (): HeardPlace[] => JSON.parse(drawer.getItem(`murmur.heard.${owner}`) ?? '[]')
const at = (seconds: number) => ({ slug: 'salt', chapter: 1, seconds, fromSeconds: 0, listenedSeconds: 5 })
const stored = (part: Pick<LocalPlace, 'eventId' | 'basedOn'>): LocalPlace => ({
  ...{ slug: 'salt', chapter: 1, seconds: 5, heardAtMs: 0, deviceId: null, fromSeconds: 0 },
  ...part,
})
const answered = async () => {
  const audioBookTime: Partial<ChapterTimeAnswer['audioBookTime']> = {
    eventId: posted.at(-1)!.eventId ?? null,
  }
  return fromShop(JSON.stringify({ audioBookTime, serverTime: '2026-03-01T08:00:00.000Z' }))
}
/** Earlier places have reached the server. */
const caughtUp = () => sendOnClose.whileSending(async () => 'empty')

beforeEach(async () => {
  owner = crypto.randomUUID()
  drawer = fakeStorage()
  vi.stubGlobal('localStorage', drawer)
  worker = { told: [], syncs: [] }
  vi.stubGlobal('navigator', {
    serviceWorker: {
      controller: { postMessage: (message: unknown) => worker.told.push(message) },
      ready: Promise.resolve({ sync: { register: async (tag: string) => void worker.syncs.push(tag) } }),
    },
  })
  unwritten = []
  drained = 0
  posted = []
  respond = answered
  configureNet({
    origin: 'http://shop.test',
    tokens: { ...settings.tokens, peek: () => ({ token: tokenOf(owner), refreshToken: undefined }) },
    async fetch(_input, init) {
      posted.push(JSON.parse(init?.body as string))
      return respond()
    },
  })
  sendOnClose = createSendOnClose(owner, {
    keep: async () => undefined,
    drain: async () => void (drained += 1),
    unwritten: () => unwritten,
    stuck: () => false,
  })
  await thisDeviceId()
})
afterEach(() => void vi.restoreAllMocks())

test('sends nothing if nothing was heard', async () => {
  await caughtUp()
  expect(sendOnClose.leave('going')).toBeUndefined()
  expect([posted, worker.told, noted()]).toEqual([[], [], []])
})

test('sends the last place synchronously with its age, and nothing more once confirmed', async () => {
  await caughtUp()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const heard = sendOnClose.heard(at(9))
  clock.mockReturnValue(3_500)
  const sent = sendOnClose.leave('hidden')
  // Not after an await: by then the page may be gone.
  expect(posted).toMatchObject([
    { eventId: heard.eventId, seconds: 9, agoSeconds: 2.5, basedOn: null, deviceId: await thisDeviceId() },
  ])
  expect(await sent).toBe(true)
  expect(drained).toBe(1)
  expect(sendOnClose.leave('hidden')).toBeUndefined()
  expect([worker.told, worker.syncs]).toEqual([[], []])
})

test('a clock that moves back yields an age of 0', async () => {
  await caughtUp()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(3_000)
  sendOnClose.heard(at(9))
  clock.mockReturnValue(1_000)
  await sendOnClose.leave('hidden')
  expect(posted).toMatchObject([{ agoSeconds: 0 }])
})

test('does not send a pending place twice, and sends a newer one after it', async () => {
  await caughtUp()
  sendOnClose.heard(at(9))
  const first = sendOnClose.leave('hidden')
  const second = sendOnClose.leave('hidden')
  const later = sendOnClose.heard(at(12))
  expect([await first, await second]).toEqual([true, true])
  expect(posted).toHaveLength(1)
  await sendOnClose.leave('hidden')
  expect(posted[1]?.eventId).toBe(later.eventId)
})

test.each<[string, () => void]>([
  ['a captive portal takes it', () => (respond = async () => new Response((await answered()).body))],
  ['the server refuses', () => (respond = async () => fromShop('', { status: 500 }))],
  ['nobody answers', () => (respond = () => Promise.reject(new TypeError('offline')))],
])('sends the place again if %s', async (_what, fails) => {
  await caughtUp()
  sendOnClose.heard(at(9))
  fails()
  expect(await sendOnClose.leave('hidden')).toBe(false)
  respond = answered
  expect(await sendOnClose.leave('hidden')).toBe(true)
  expect(posted).toHaveLength(2)
})

test('PLAY-27: sends nothing on close before the backlog was compared, or while the server is unreachable', async () => {
  sendOnClose.heard(at(9))
  expect(await sendOnClose.leave('hidden')).toBe(false)
  await sendOnClose.whileSending(async () => 'waiting')
  expect(await sendOnClose.leave('hidden')).toBe(false)
  await sendOnClose.whileSending(async () => 'signed-out')
  const reached = vi.spyOn(connectivity, 'snapshot').mockReturnValue('offline')
  expect(await sendOnClose.leave('hidden')).toBe(false)
  expect(posted).toEqual([])
  reached.mockRestore()
  expect(await sendOnClose.leave('hidden')).toBe(true)
})

test('sends nothing without a token of this user', async () => {
  await caughtUp()
  configureNet({ tokens: { ...settings.tokens, peek: () => undefined } })
  sendOnClose.heard(at(9))
  expect(await sendOnClose.leave('hidden')).toBe(false)
  expect(posted).toEqual([])
})

test('a closing page stashes its unstored place and messages the worker; storing it drops the stash', async () => {
  const heard = sendOnClose.heard(at(9))
  unwritten = [heard, { ...at(3), slug: 'ferry', eventId: 'another' }]
  await sendOnClose.leave('hidden')
  expect(worker.told).toEqual([])
  await sendOnClose.leave('going')
  expect(noted().map(({ seconds }) => seconds)).toEqual([9, 3])
  expect(worker.told).toMatchObject([{ type: 'HEARD', ownerUuid: owner, heard: { eventId: heard.eventId } }])
  await soon(() => expect(worker.syncs).toHaveLength(1))
  sendOnClose.stored(undefined)
  sendOnClose.stored(stored({ eventId: heard.eventId, basedOn: 'the one before' }))
  expect(noted().map(({ seconds }) => seconds)).toEqual([3])
})

test('bases an event on the database’s, or on the last one the server confirmed', async () => {
  await caughtUp()
  sendOnClose.stored(stored({ eventId: 'one', basedOn: 'the one before' }))
  const first = sendOnClose.heard(at(9))
  await sendOnClose.leave('hidden')
  expect(posted[0]?.basedOn).toBe('the one before')

  const second = sendOnClose.heard(at(12))
  await caughtUp()
  expect(sendOnClose.leave('hidden')).toBeUndefined()
  sendOnClose.heard(at(15))
  await sendOnClose.leave('hidden')
  expect(posted[1]?.basedOn).toBe(second.eventId)
  expect(posted[1]?.basedOn).not.toBe(first.eventId)
})

test('an unstored place, or one heard during a flush, remains unsent after the flush', async () => {
  await caughtUp()
  unwritten = [sendOnClose.heard(at(9))]
  await caughtUp()
  unwritten = []
  expect(await sendOnClose.leave('hidden')).toBe(true)

  sendOnClose.heard(at(12))
  let during: HeardPlace | undefined
  await sendOnClose.whileSending(async () => {
    during = sendOnClose.heard(at(15))
    return 'empty'
  })
  await sendOnClose.leave('hidden')
  expect(posted.at(-1)?.eventId).toBe(during?.eventId)
})

test('a flush waits for the pending request of `leave`', async () => {
  await caughtUp()
  sendOnClose.heard(at(9))
  const order: string[] = []
  let answer: (() => void) | undefined
  respond = async () => {
    await new Promise<void>((resolve) => (answer = resolve))
    order.push('answered')
    return answered()
  }
  void sendOnClose.leave('hidden')
  const flushed = sendOnClose.whileSending(async () => (order.push('flushes'), 'empty'))
  answer!()
  await flushed
  expect(order).toEqual(['answered', 'flushes'])
})
