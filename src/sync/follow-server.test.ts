import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AudioBookTime, AudioBookTimeAnswer, ListeningEvent, Place } from '#contract/listening.ts'
import { NetProblem } from '#net/problem.ts'
import { flush } from './flush.ts'
import { askWhich, choosePlace, followServer, goThere, isNews } from './follow-server.ts'
import { listPastPlaces, keepPlace, thisDeviceId } from './outbox.ts'
import { listTwoPlaces, resumePlace } from '#storage/places.ts'

let owner: string
const clock = { wallMs: 1_000, pageMs: 1_000, page: 'p' }
const hear = (chapter: number, seconds: number) => keepPlace(owner, { slug: 'salt', chapter, seconds, clock })

/** The first attempt to send it gets no answer. */
const hearOffline = async (chapter: number, seconds: number) => {
  await hear(chapter, seconds)
  const nobody = () => Promise.reject(new NetProblem('offline', 0))
  await flush(owner, { whoIsHere: async () => owner, ask: nobody, send: nobody, readClock: () => clock })
}

const other = (chapter: number, seconds: number): Place => ({
  chapter,
  seconds,
  heardAt: '2026-03-01T08:00:00.000Z',
  eventId: crypto.randomUUID(),
  deviceId: '00000000-0000-4000-8000-000000000001',
})
const row = (place: Place): AudioBookTime => ({
  '@id': '',
  '@type': 'UserAudioBookTime',
  id: 'row',
  audioBook: '/api/audio_books/salt',
  ...place,
  fromSeconds: null,
})
const answer = (place: Place, otherPlace: Place | null): AudioBookTimeAnswer => ({
  '@context': '',
  ...row(place),
  serverTime: '2026-03-01T08:00:00.000Z',
  otherPlace,
})
const mine = (body: ListeningEvent): Place => ({
  chapter: body.chapter,
  seconds: body.seconds,
  heardAt: '2026-03-01T09:00:00.000Z',
  eventId: body.eventId ?? null,
  deviceId: body.deviceId ?? null,
})
const sendTo = (reply: (body: ListeningEvent) => AudioBookTimeAnswer, standing: AudioBookTime[] = []) => {
  const got: ListeningEvent[] = []
  return flush(owner, {
    whoIsHere: async () => owner,
    ask: async () => standing,
    serverOffset: async () => 0,
    readClock: () => clock,
    send: async (body) => {
      got.push(body)
      return reply(body)
    },
  }).then(() => got)
}

beforeEach(() => {
  owner = crypto.randomUUID()
})

describe('a book that moved only on another device', () => {
  test('PLAY-18: continues from there, and the previous position is in the history', async () => {
    await hear(1, 30)
    await sendTo((body) => answer(mine(body), null))
    await followServer(owner, [row({ ...other(3, 200), heardAt: '2026-03-01T10:00:00.000Z' })])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3, seconds: 200 })
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 1, seconds: 30 }])
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('a position within two minutes counts as the same and is not added to the history', async () => {
    await hear(1, 30)
    await sendTo((body) => answer(mine(body), null))
    await followServer(owner, [row({ ...other(1, 150), heardAt: '2026-03-01T10:00:00.000Z' })])
    expect(await listPastPlaces(owner, 'salt')).toEqual([])
    await followServer(owner, [row({ ...other(1, 271), heardAt: '2026-03-01T11:00:00.000Z' })])
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 1, seconds: 150 }])
  })
})

test('a confirmed position still belongs to this device, dated by its clock', async () => {
  await hear(1, 30)
  await sendTo((body) => answer(mine(body), null))
  const place = await resumePlace(owner, 'salt')
  expect(place).toMatchObject({ heardAtMs: 1_000, deviceId: await thisDeviceId() })
  expect(place?.basedOn).toBe(place?.eventId)
})

test('PLAY-06: the start of the other device’s listening stretch is stored with its position', async () => {
  const told = row({ ...other(1, 200), heardAt: '2026-03-01T10:00:00.000Z' })
  await followServer(owner, [{ ...told, fromSeconds: 197 }])
  expect((await resumePlace(owner, 'salt'))?.fromSeconds).toBe(197)
})

test('keeps its own time for its own position; follows old positions without an id', async () => {
  await hear(1, 30)
  const [sent] = await sendTo((body) => answer(mine(body), null))
  await followServer(owner, [row(mine(sent!))])
  expect(await resumePlace(owner, 'salt')).toMatchObject({ heardAtMs: 1_000 })
  const old = (seconds: number, day: number) =>
    row({ ...other(1, seconds), eventId: null, heardAt: `2026-03-0${day}T08:00:00.000Z` })
  await followServer(owner, [old(40, 2)])
  await followServer(owner, [old(60, 3)])
  expect(await resumePlace(owner, 'salt')).toMatchObject({ seconds: 60 })
})

test('a position that the server already reported is not news', async () => {
  await hear(1, 30)
  const [sent] = await sendTo((body) => answer(mine(body), null))
  await hear(1, 35)
  const there = row({ ...other(3, 50), heardAt: '2026-03-01T10:00:00.000Z' })
  await followServer(owner, [there])
  expect(await isNews(owner, there)).toBe(false)
  expect(await isNews(owner, row(mine(sent!)))).toBe(false)
  expect(await isNews(owner, row(other(3, 50)))).toBe(true)
})

describe('a book that moved here and on another device', () => {
  test('PLAY-27: the answer’s other place opens the question; this device doesn’t move', async () => {
    const there = other(1, 120)
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), there))
    expect(await listTwoPlaces(owner)).toMatchObject([
      { slug: 'salt', here: { chapter: 2, seconds: 400 }, there: { chapter: 1, seconds: 120 } },
    ])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 2, seconds: 400 })
  })

  test('trap 1: nothing from this device is lost before the listener chooses', async () => {
    const there = other(1, 120)
    await hear(2, 400)
    await sendTo((body) => answer(there, mine(body)))
    await followServer(owner, [row(there)])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 2, seconds: 400 })
    expect(await listTwoPlaces(owner)).toHaveLength(1)
  })

  test('PLAY-27: either can be chosen; the choice is a new event, the other is stored', async () => {
    const there = other(1, 120)
    await hear(2, 400)
    const [sent] = await sendTo((body) => answer(mine(body), there))

    await choosePlace(owner, 'salt', 'there', clock)
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 1, seconds: 120 })
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 2, seconds: 400 }])
    expect(await listTwoPlaces(owner)).toEqual([])

    const got = await sendTo((body) => answer(mine(body), null))
    // It is based on the server's current position, which is not the chosen one.
    expect(got).toMatchObject([{ chapter: 1, seconds: 120, basedOn: sent!.eventId }])
  })

  test('a choice that may have arrived opens no question when another device continues from it', async () => {
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), other(1, 120)))
    await choosePlace(owner, 'salt', 'here', clock)
    await followServer(owner, [row({ ...other(3, 500), heardAt: '2026-03-02T08:00:00.000Z' })])
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('a question answered before the unsent event was sent is not asked again', async () => {
    const there = other(3, 500)
    await hearOffline(2, 400)
    await followServer(owner, [row(there)])
    expect(await listTwoPlaces(owner)).toHaveLength(1)
    await choosePlace(owner, 'salt', 'here', clock)
    const got = await sendTo((body) => answer(mine(body), body.basedOn === null ? there : null))
    expect(got).toHaveLength(2)
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('an event that may have arrived opens no question against its successor', async () => {
    const there = other(3, 500)
    await hear(2, 400)
    await followServer(owner, [row(there)])
    expect(await listTwoPlaces(owner)).toEqual([])
    // The server has the event: the other device received it and listened on.
    await sendTo(() => answer(there, null))
    expect(await listTwoPlaces(owner)).toEqual([])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3, seconds: 500 })
  })

  test('listening on without answering moves this side of the question', async () => {
    await hearOffline(2, 400)
    await followServer(owner, [row(other(3, 500))])
    await hear(2, 460)
    expect(await listTwoPlaces(owner)).toMatchObject([{ here: { seconds: 460 } }])
  })

  test('PLAY-27: a long offline stretch is compared as a whole, though its steps are short', async () => {
    const there = other(1, 30)
    for (const chapter of [1, 2, 3, 4, 5]) await hearOffline(chapter, 50)
    // Each step is based on the previous one, so the server never finds it far away.
    await sendTo((body) => answer(mine(body), null), [row(there)])
    expect(await listTwoPlaces(owner)).toMatchObject([
      { here: { chapter: 5, seconds: 50 }, there: { chapter: 1, seconds: 30 } },
    ])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 5 })
  })

  test("trap 2: an answer older than the known position doesn't move the listener back", async () => {
    await followServer(owner, [row({ ...other(3, 200), heardAt: '2026-03-02T08:00:00.000Z' })])
    await followServer(owner, [row({ ...other(1, 10), heardAt: '2026-03-01T08:00:00.000Z' })])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3, seconds: 200 })
  })

  test('positions within two minutes are one place, also across a known chapter border', async () => {
    await hearOffline(1, 590)
    const lengths = async () => new Map([[1, 600]])
    for (const seconds of [60, 110]) {
      await followServer(owner, [row(other(2, seconds))], lengths)
      expect(await listTwoPlaces(owner)).toEqual([])
    }
    await followServer(owner, [row(other(2, 110.5))], lengths)
    expect(await listTwoPlaces(owner)).toHaveLength(1)
  })

  describe('several unsent events, sent oldest first', () => {
    let there = other(3, 50)
    const send = (lengthsOf: () => Promise<ReadonlyMap<number, number>>) =>
      flush(owner, {
        whoIsHere: async () => owner,
        ask: async () => [],
        serverOffset: async () => 0,
        readClock: () => clock,
        lengthsOf,
        send: async (body) => answer(mine(body), body.chapter === 1 ? there : null),
      })

    test('the question offers this device’s latest position, not its first', async () => {
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map())
      expect(await listTwoPlaces(owner)).toMatchObject([
        { here: { chapter: 2, seconds: 9 }, there: { chapter: 3, seconds: 50 } },
      ])
      expect(await choosePlace(owner, 'salt', 'here', clock)).toMatchObject({ chapter: 2, seconds: 9 })
    })

    test('also when all of them are based on a position that the server knew', async () => {
      await hear(5, 10)
      await sendTo((body) => answer(mine(body), null))
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map())
      expect(await listTwoPlaces(owner)).toHaveLength(1)
    })

    test('and when the other place is an old one without an id', async () => {
      there = { ...other(3, 50), eventId: null }
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map())
      expect(await listTwoPlaces(owner)).toHaveLength(1)
    })

    test('the question closes when later events bring both places within two minutes', async () => {
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map([[2, 70]]))
      expect(await listTwoPlaces(owner)).toEqual([])
    })
  })

  test('when the other device listens on, its side moves until both are one place', async () => {
    const lengths = async () => new Map([[2, 600]])
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), other(1, 30)))
    const later = (chapter: number, seconds: number, hour: string) =>
      followServer(
        owner,
        [row({ ...other(chapter, seconds), heardAt: `2026-03-02T${hour}:00:00.000Z` })],
        lengths,
      )
    await later(2, 20, '10')
    expect(await listTwoPlaces(owner)).toMatchObject([
      { here: { seconds: 400 }, there: { chapter: 2, seconds: 20 } },
    ])
    await later(2, 350, '11')
    expect(await listTwoPlaces(owner)).toEqual([])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 2, seconds: 350 })
  })

  test('listening on until both places meet answers the question', async () => {
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), other(2, 600)))
    expect(await listTwoPlaces(owner)).toHaveLength(1)
    await hear(2, 500)
    await sendTo((body) => answer(mine(body), null))
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('going there deliberately opens no question and discards what played meanwhile', async () => {
    await hear(1, 30)
    const there = other(3, 50)
    await goThere(owner, row(there), clock.wallMs)
    expect(await resumePlace(owner, 'salt')).toMatchObject({
      chapter: 3,
      seconds: 50,
      basedOn: there.eventId,
    })
    expect(await isNews(owner, row(there))).toBe(false)
    expect(await isNews(owner, row(other(3, 50)))).toBe(true)
    await hear(3, 51)
    const got = await sendTo((body) => answer(mine(body), null), [row(there)])
    expect(got).toMatchObject([{ chapter: 3, basedOn: there.eventId }])
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('a place reported too late opens a question, unless it is the same place', async () => {
    await hear(1, 30)
    await sendTo((body) => answer(mine(body), null))
    await askWhich(owner, row(other(1, 150)))
    expect(await listTwoPlaces(owner)).toEqual([])
    await askWhich(owner, row(other(3, 50)))
    expect(await listTwoPlaces(owner)).toMatchObject([
      { here: { chapter: 1, seconds: 30 }, there: { chapter: 3 } },
    ])
  })

  test("this device's own event, whose answer was lost, is not another place", async () => {
    await hear(1, 10)
    await hear(2, 900)
    const device = await thisDeviceId()
    await followServer(owner, [row({ ...other(1, 10), deviceId: device })])
    expect(await listTwoPlaces(owner)).toEqual([])
  })
})
