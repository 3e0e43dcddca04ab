import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AudioBookTimeAnswer, ListeningEvent } from '#contract/listening.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import { askForPlaces, flush, type FlushPorts, lastReceipt } from './flush.ts'
import { followServer } from './follow-server.ts'
import { listPastPlaces, countWaiting, keepPlace, listSetAside, thisDeviceId } from './outbox.ts'
import { removeConfirmed } from './leave.ts'
import { placesDb } from '#storage/places-db.ts'
import { resumePlace } from '#storage/places.ts'
import { placeStash } from './stash.ts'

let owner: string
const at = (wallMs: number, page = 'p') => ({ wallMs, pageMs: wallMs, page })
const hear = (chapter: number, seconds: number, wallMs = 1_000, slug = 'salt') =>
  keepPlace(owner, { slug, chapter, seconds, listenedSeconds: 5, clock: at(wallMs) })

/** A fake server that makes the last event current, as the real one does for events in order. */
function shop() {
  const got: ListeningEvent[] = []
  const answer = (body: ListeningEvent): AudioBookTimeAnswer => ({
    '@context': '',
    '@id': '',
    '@type': 'UserAudioBookTime',
    id: 'row',
    audioBook: body.audioBook,
    chapter: body.chapter,
    seconds: body.seconds,
    heardAt: new Date(2_000).toISOString(),
    eventId: body.eventId ?? null,
    deviceId: body.deviceId ?? null,
    fromSeconds: body.fromSeconds ?? null,
    serverTime: new Date(2_000).toISOString(),
    otherPlace: null,
  })
  const send = async (body: ListeningEvent) => {
    got.push(body)
    return answer(body)
  }
  return { got, send, answer }
}

const sendAll = (ports: Partial<FlushPorts>) =>
  flush(owner, {
    whoIsHere: async () => owner,
    ask: async () => [],
    serverOffset: async () => 0,
    readClock: () => at(2_000),
    ...ports,
  })

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage())
  owner = crypto.randomUUID()
})

describe('storing a position', () => {
  test('unsent events of one chapter merge into the last, with the listened seconds added up', async () => {
    await hear(1, 5)
    await hear(1, 10)
    await hear(1, 15)
    await hear(2, 3)
    expect(await countWaiting(owner)).toBe(2)
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 2, seconds: 3 })

    const { got, send } = shop()
    await expect(sendAll({ send })).resolves.toBe('empty')
    expect(got.map(({ chapter, seconds }) => [chapter, seconds])).toEqual([
      [1, 15],
      [2, 3],
    ])
    expect(got[0]?.sequence).toBeLessThan(got[1]?.sequence ?? 0)
  })

  test('trap 19: a later event has the higher sequence number and is sent later', async () => {
    await hear(2, 5)
    await hear(1, 5)
    const events = await placesDb.use(owner, (db) => db.outbox.orderBy('sequence').toArray())
    expect(events.map(({ chapter, sequence }) => [chapter, sequence])).toEqual([
      [2, 1],
      [1, 2],
    ])
    const { got, send } = shop()
    await sendAll({ send })
    await hear(3, 5)
    await sendAll({ send })
    expect(got.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  test("the browser's device name is determined once, and again only after a failure", async () => {
    const [first, second] = [thisDeviceId(), thisDeviceId()]
    expect(second).toBe(first)
    expect(await first).toBe(await thisDeviceId())
  })

  test('position and event are written together or not at all', async () => {
    await hear(1, 5)
    await placesDb.use(owner, async (db) => {
      db.outbox.hook('creating', () => {
        throw new Error('the disk broke')
      })
    })
    await expect(hear(1, 500)).rejects.toThrow()
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 5 })
    expect(await countWaiting(owner)).toBe(1)
  })
})

test('a jump of more than two minutes adds the previous position to the history', async () => {
  await hear(1, 5)
  await hear(1, 125)
  expect(await listPastPlaces(owner, 'salt')).toEqual([])
  await hear(1, 245.5)
  expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 1, seconds: 125 }])
})

describe('an event that is delivered in several ways', () => {
  const left = (seconds: number, wallMs: number) => ({
    slug: 'salt',
    chapter: 1,
    seconds,
    clock: at(wallMs),
    eventId: crypto.randomUUID(),
  })

  test('PLAY-24: is stored as one event, whichever way arrives first', async () => {
    const heard = left(9, 1_000)
    await keepPlace(owner, heard)
    const { got, send } = shop()
    await sendAll({ send })
    await keepPlace(owner, heard, { late: true })
    expect(await countWaiting(owner)).toBe(0)
    expect(got[0]?.eventId).toBe(heard.eventId)
  })

  test('a late event never wins over a later position', async () => {
    await keepPlace(owner, left(30, 5_000))
    await keepPlace(owner, left(9, 4_000), { late: true })
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 30 })
    await keepPlace(owner, left(32, 6_000), { late: true })
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 32 })
  })

  test('for the same moment, the stored position stays', async () => {
    await keepPlace(owner, left(30, 5_000))
    await keepPlace(owner, left(9, 5_000), { late: true })
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 30 })
  })

  test('trap 2: another device’s position is dated by the server’s clock, here 1 s ahead', async () => {
    await hear(1, 5)
    await sendAll({ ...shop(), readClock: () => at(1_000) })
    const elsewhere = { chapter: 1, seconds: 20, heardAt: new Date(4_500).toISOString() }
    const row = { '@id': '', '@type': 'UserAudioBookTime', id: 'row', fromSeconds: null } as const
    const ids = { eventId: crypto.randomUUID(), deviceId: crypto.randomUUID() }
    await followServer(owner, [{ ...row, ...elsewhere, ...ids, audioBook: '/api/audio_books/salt' }])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 20 })
    // By the server's clock 4,300: earlier than that position, though later than this device's last one.
    await keepPlace(owner, left(11, 3_300), { late: true })
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 20 })
    // By the server's clock 5,000: later than that position.
    await keepPlace(owner, left(9, 4_000), { late: true })
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 9 })
    // Both come from this device, so its own clock is enough.
    await keepPlace(owner, left(7, 3_500), { late: true })
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 9 })
  })

  test('a position that a closed page only stashed is stored by the next page, once', async () => {
    placeStash.add(owner, [left(9, 1_000)])
    placeStash.add(owner, [left(12, 2_000)])
    await placeStash.restore(owner)
    expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 12 })
    expect(await countWaiting(owner)).toBe(1)
    await sendAll(shop())
    await placeStash.restore(owner)
    expect(await countWaiting(owner)).toBe(0)
  })

  test('PLAY-29: a stashed position survives the removal of everything else', async () => {
    placeStash.add(owner, [left(9, 1_000)])
    await expect(removeConfirmed(owner)).resolves.toBe(false)
    expect(await countWaiting(owner)).toBe(1)
  })

  test('a browser that blocks its storage loses only the stash', async () => {
    vi.stubGlobal('localStorage', undefined)
    placeStash.add(owner, [left(9, 1_000)])
    await expect(placeStash.restore(owner)).resolves.toBeUndefined()
  })
})

describe('sending', () => {
  test('PLAY-24: each event has its own id and is based on the last confirmed one', async () => {
    const { got, send } = shop()
    await hear(1, 5)
    await sendAll({ send })
    await hear(1, 900)
    await sendAll({ send })
    expect(got[0]).toMatchObject({ basedOn: null, deviceId: await thisDeviceId() })
    expect(got[1]?.basedOn).toBe(got[0]?.eventId)
    expect(got[1]?.eventId).not.toBe(got[0]?.eventId)
  })

  test('PLAY-06: the start of a listening stretch is sent, as far as it is known', async () => {
    const heard = { slug: 'salt', chapter: 1, seconds: 9, clock: at(1_000) }
    const { got, send } = shop()
    await keepPlace(owner, { ...heard, fromSeconds: 4 })
    await sendAll({ send })
    await keepPlace(owner, heard)
    await sendAll({ send })
    expect(got[0]).toMatchObject({ fromSeconds: 4 })
    expect(got[1]).not.toHaveProperty('fromSeconds')
  })

  test('the file of the chapter is sent with a place, as far as it is known, because the owner may move the chapter', async () => {
    const sound = 'a'.repeat(64)
    const { got, send } = shop()
    await keepPlace(owner, { slug: 'salt', chapter: 2, seconds: 9, clock: at(1_000), sound })
    await sendAll({ send })
    await keepPlace(owner, { slug: 'salt', chapter: 2, seconds: 12, clock: at(2_000) })
    await sendAll({ send })
    expect(got[0]).toMatchObject({ chapter: 2, sound })
    expect(got[1]).not.toHaveProperty('sound')
  })

  test('PLAY-24: an event whose answer was lost is sent again with the same id', async () => {
    const { got, send } = shop()
    await hear(1, 5)
    const lossy = async (body: ListeningEvent): Promise<AudioBookTimeAnswer> => {
      await send(body)
      throw new NetProblem('offline', 0)
    }
    await expect(sendAll({ send: lossy })).resolves.toBe('waiting')
    await expect(sendAll({ send })).resolves.toBe('empty')
    expect(got.map(({ eventId }) => eventId)).toEqual([got[0]?.eventId, got[0]?.eventId])
  })

  test('trap 19: two tabs that flush five entries make five POST requests, oldest first', async () => {
    for (const chapter of [3, 1, 4, 2, 5]) await hear(chapter, 9)
    const { got, send } = shop()
    const slow = async (body: ListeningEvent) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return send(body)
    }
    await Promise.all([sendAll({ send: slow }), sendAll({ send: slow })])
    expect(got.map(({ chapter }) => chapter)).toEqual([3, 1, 4, 2, 5])
  })

  test('trap 19: a 401 keeps the queue until its user is back; no other user’s token sends it', async () => {
    await hear(1, 5)
    const refused = async () => Promise.reject(new NetProblem('refused', 401))
    await expect(sendAll({ send: refused })).resolves.toBe('signed-out')

    const { got, send } = shop()
    await expect(sendAll({ send, whoIsHere: async () => 'somebody else' })).resolves.toBe('signed-out')
    expect(got).toEqual([])
    expect(await countWaiting(owner)).toBe(1)
    await expect(sendAll({ send })).resolves.toBe('empty')
  })

  test.each([
    ['500', new NetProblem('server', 500)],
    ['503', new NetProblem('server', 503)],
    ['429', new NetProblem('refused', 429)],
    ['silence', new NetProblem('offline', 0)],
  ])('trap 19: %s loses no event, however often', async (_what, problem) => {
    await hear(1, 5)
    for (let round = 0; round < 6; round++) {
      await expect(sendAll({ send: () => Promise.reject(problem) })).resolves.toBe('waiting')
    }
    await expect(sendAll(shop())).resolves.toBe('empty')
  })

  test('trap 19: an event refused three times is set aside but stays stored', async () => {
    await hear(1, 5, 1_000, 'gone')
    await hear(1, 5, 1_000, 'salt')
    const { got, send } = shop()
    const picky = (body: ListeningEvent) =>
      body.audioBook.endsWith('gone') ? Promise.reject(new NetProblem('refused', 422)) : send(body)
    for (let round = 0; round < 5; round++) await sendAll({ send: picky })
    expect(got).toHaveLength(1)
    expect(await countWaiting(owner)).toBe(0)
    expect(await listSetAside(owner)).toMatchObject([{ slug: 'gone', tries: 3 }])
  })

  test('trap 2: the age of an event is measured when it is sent, not when it was written', async () => {
    await hear(1, 5, 1_000)
    const { got, send } = shop()
    await sendAll({ send, readClock: () => at(43_000) })
    expect(got[0]).toMatchObject({ agoSeconds: 42, heardAt: new Date(1_000).toISOString() })
  })

  test('a position stored while the previous one is being sent is not removed with it', async () => {
    await hear(1, 5)
    const { got, send } = shop()
    await sendAll({
      send: async (body) => {
        if (got.length === 0) await hear(1, 700)
        return send(body)
      },
    })
    expect(got.map(({ seconds }) => seconds)).toEqual([5, 700])
    expect(got[1]?.basedOn).toBe(got[0]?.eventId)
    expect(await countWaiting(owner)).toBe(0)
  })

  test('the server’s clock is fetched once per run, and only for an earlier page’s events', async () => {
    const serverOffset = vi.fn(async () => 0)
    await hear(1, 5)
    await hear(2, 5)
    await sendAll({ ...shop(), serverOffset })
    expect(serverOffset).not.toHaveBeenCalled()
    await hear(3, 5)
    await hear(4, 5)
    await sendAll({ ...shop(), serverOffset, readClock: () => at(9_000, 'the next page') })
    expect(serverOffset).toHaveBeenCalledOnce()
  })

  test.each([
    ['of a moment ago', 'p', 3_000, 0],
    ['of a minute ago', 'p', 61_000, 0],
    ['of longer ago', 'p', 61_001, 1],
    ['that another page left behind', 'the next page', 3_000, 1],
  ])(
    'PLAY-27: before one place %s is sent, the account’s places are looked at or not',
    async (_when, page, nowMs, times) => {
      const ask = vi.fn(async () => [])
      await hear(1, 5)
      await sendAll({ ...shop(), ask, readClock: () => at(nowMs, page) })
      expect(ask).toHaveBeenCalledTimes(times)
    },
  )

  test('PLAY-27: fetches resume points if several positions are unsent or one got no answer', async () => {
    const ask = vi.fn(async () => [])
    await hear(1, 5)
    await hear(2, 5)
    await sendAll({ ...shop(), ask })
    expect(ask).toHaveBeenCalledOnce()
    await hear(3, 5)
    await sendAll({ ask, send: () => Promise.reject(new NetProblem('offline', 0)) })
    expect(ask).toHaveBeenCalledOnce()
    await sendAll({ ...shop(), ask })
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('each event is sent with keepalive, and without redirecting to the log-in', async () => {
    const posts: Exchange[] = []
    configureNet({
      exchange: async (request) => {
        posts.push(request)
        throw new NetProblem('refused', 401)
      },
    })
    await hear(1, 5)
    const ports = { whoIsHere: async () => owner, ask: async () => [], readClock: () => at(2_000) }
    expect(await flush(owner, ports)).toBe('signed-out')
    expect(posts).toMatchObject([{ method: 'POST', keepalive: true, background: true }])
  })

  test('a late save leaves a receipt, an immediate one does not', async () => {
    await hear(1, 5, 1_000)
    await sendAll({ ...shop(), readClock: () => at(61_000) })
    expect(await lastReceipt(owner)).toBeUndefined()

    await hear(1, 10, 3_000)
    // One late event makes the whole run worth a receipt.
    await hear(2, 10, 899_000)
    await sendAll({ ...shop(), readClock: () => at(900_000) })
    expect(await lastReceipt(owner)).toMatchObject({
      heardFromMs: -2_000,
      savedAtMs: 900_000,
      listenedSeconds: 10,
      slugs: ['salt'],
    })
  })

  test('an event that could not be sent at once leaves a receipt, however short the outage', async () => {
    await hear(1, 5, 1_000)
    await sendAll({ send: () => Promise.reject(new NetProblem('offline', 0)) })
    await hear(1, 10, 2_000)
    await sendAll({ ...shop(), readClock: () => at(3_000) })
    expect(await lastReceipt(owner)).toMatchObject({
      heardFromMs: -8_000,
      savedAtMs: 3_000,
      listenedSeconds: 10,
    })
  })
})

test('the last twenty receipts are stored', async () => {
  for (let trip = 1; trip <= 23; trip += 1) {
    await hear(1, trip, trip * 1_000)
    await sendAll({ ...shop(), readClock: () => at(trip * 1_000 + 90_000) })
  }
  const saved = await placesDb.use(owner, (db) => db.receipts.toArray())
  expect([saved.length, saved[0]?.savedAtMs, saved.at(-1)?.savedAtMs]).toEqual([20, 94_000, 113_000])
})

describe('events that the server cannot accept', () => {
  test('one event that causes a 5xx doesn’t block the others', async () => {
    for (const slug of ['salt', 'winters', 'ferry']) await hear(1, 5, 1_000, slug)
    const { got, send } = shop()
    const outcome = await sendAll({
      send: (body) =>
        body.audioBook.endsWith('salt') ? Promise.reject(new NetProblem('server', 500)) : send(body),
    })
    expect(outcome).toBe('waiting')
    expect(got.map(({ audioBook }) => audioBook.split('/').pop())).toEqual(['winters', 'ferry'])
  })

  test('after two 5xx the flush stops; two refusals block nothing', async () => {
    for (const slug of ['salt', 'winters', 'ferry']) await hear(1, 5, 1_000, slug)
    const asked = async (problem: NetProblem) => {
      const send = vi.fn(() => Promise.reject(problem))
      await sendAll({ send })
      return send.mock.calls.length
    }
    expect(await asked(new NetProblem('server', 500))).toBe(2)
    expect(await asked(new NetProblem('refused', 422))).toBe(3)
  })

  test('an expired session during a flush doesn’t redirect the page', async () => {
    const sent: Exchange[] = []
    configureNet({
      exchange: async (request) => {
        sent.push(request)
        throw new NetProblem('refused', 401)
      },
    })
    await expect(askForPlaces(owner)).rejects.toThrow(NetProblem)
    expect(sent).toMatchObject([{ background: true }])
  })
})

describe("removing a device's data", () => {
  test('PLAY-29: unsent positions stay when everything else is removed', async () => {
    await hear(1, 5)
    await expect(removeConfirmed(owner)).resolves.toBe(false)
    const { got, send } = shop()
    await sendAll({ send })
    expect(got).toHaveLength(1)

    const mark = {
      id: 'b',
      slug: 'salt',
      chapter: 1,
      seconds: 2,
      note: '',
      madeAtMs: 0,
      confirmed: 1 as const,
    }
    await placesDb.use(owner, (db) => db.bookmarks.put(mark))
    await expect(removeConfirmed(owner)).resolves.toBe(true)
    expect(await resumePlace(owner, 'salt')).toBeUndefined()
    // The sequence numbers continue: the server has seen the earlier ones.
    await hear(1, 8)
    await sendAll({ send })
    expect(got[1]?.sequence).toBeGreaterThan(got[0]?.sequence ?? Number.POSITIVE_INFINITY)
  })
})
