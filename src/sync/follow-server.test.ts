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

/** Nobody answered when it was sent first. */
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

describe('a book that moved elsewhere only', () => {
  test('PLAY-18: it goes on from there, and the place left is in the history', async () => {
    await hear(1, 30)
    await sendTo((body) => answer(mine(body), null))
    await followServer(owner, [row({ ...other(3, 200), heardAt: '2026-03-01T10:00:00.000Z' })])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3, seconds: 200 })
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 1, seconds: 30 }])
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('a place of two minutes away is the same one, and none to go back to', async () => {
    await hear(1, 30)
    await sendTo((body) => answer(mine(body), null))
    await followServer(owner, [row({ ...other(1, 150), heardAt: '2026-03-01T10:00:00.000Z' })])
    expect(await listPastPlaces(owner, 'salt')).toEqual([])
    await followServer(owner, [row({ ...other(1, 271), heardAt: '2026-03-01T11:00:00.000Z' })])
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 1, seconds: 150 }])
  })
})

test('a place that the server confirmed is still this device’s, by this device’s clock', async () => {
  await hear(1, 30)
  await sendTo((body) => answer(mine(body), null))
  const place = await resumePlace(owner, 'salt')
  expect(place).toMatchObject({ heardAtMs: 1_000, deviceId: await thisDeviceId() })
  expect(place?.basedOn).toBe(place?.eventId)
})

test('PLAY-06: where the other device’s stretch of listening began comes with its place', async () => {
  const told = row({ ...other(1, 200), heardAt: '2026-03-01T10:00:00.000Z' })
  await followServer(owner, [{ ...told, fromSeconds: 197 }])
  expect((await resumePlace(owner, 'salt'))?.fromSeconds).toBe(197)
})

test('told of its own place again, this device keeps its own date of it; old places without an id are followed', async () => {
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

test('a place that this device was told of is no news, whatever it did since', async () => {
  await hear(1, 30)
  const [sent] = await sendTo((body) => answer(mine(body), null))
  await hear(1, 35)
  const there = row({ ...other(3, 50), heardAt: '2026-03-01T10:00:00.000Z' })
  await followServer(owner, [there])
  expect(await isNews(owner, there)).toBe(false)
  expect(await isNews(owner, row(mine(sent!)))).toBe(false)
  expect(await isNews(owner, row(other(3, 50)))).toBe(true)
})

describe('a book that moved here and elsewhere', () => {
  test('PLAY-27: the answer’s other place becomes a question, and this device stays where it is', async () => {
    const there = other(1, 120)
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), there))
    expect(await listTwoPlaces(owner)).toMatchObject([
      { slug: 'salt', here: { chapter: 2, seconds: 400 }, there: { chapter: 1, seconds: 120 } },
    ])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 2, seconds: 400 })
  })

  test('trap 1: also when the other place stands, nothing of here is lost before the listener chose', async () => {
    const there = other(1, 120)
    await hear(2, 400)
    await sendTo((body) => answer(there, mine(body)))
    await followServer(owner, [row(there)])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 2, seconds: 400 })
    expect(await listTwoPlaces(owner)).toHaveLength(1)
  })

  test('PLAY-27: either can be chosen; the choice is heard now, knows of the other, and the other is kept', async () => {
    const there = other(1, 120)
    await hear(2, 400)
    const [sent] = await sendTo((body) => answer(mine(body), there))

    await choosePlace(owner, 'salt', 'there', clock)
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 1, seconds: 120 })
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 2, seconds: 400 }])
    expect(await listTwoPlaces(owner)).toEqual([])

    const got = await sendTo((body) => answer(mine(body), null))
    // It goes on from what stands at the server, which is not the chosen one.
    expect(got).toMatchObject([{ chapter: 1, seconds: 120, basedOn: sent!.eventId }])
  })

  test('a choice that may have arrived is no question against what another device goes on with', async () => {
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), other(1, 120)))
    await choosePlace(owner, 'salt', 'here', clock)
    await followServer(owner, [row({ ...other(3, 500), heardAt: '2026-03-02T08:00:00.000Z' })])
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('a question answered before the waiting event was sent is not asked again', async () => {
    const there = other(3, 500)
    await hearOffline(2, 400)
    await followServer(owner, [row(there)])
    expect(await listTwoPlaces(owner)).toHaveLength(1)
    await choosePlace(owner, 'salt', 'here', clock)
    const got = await sendTo((body) => answer(mine(body), body.basedOn === null ? there : null))
    expect(got).toHaveLength(2)
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('what may have arrived, though its page was closed before the answer, makes no question of what went on from it', async () => {
    const there = other(3, 500)
    await hear(2, 400)
    await followServer(owner, [row(there)])
    expect(await listTwoPlaces(owner)).toEqual([])
    // The server knows the event: the other device was told of it and listened on.
    await sendTo(() => answer(there, null))
    expect(await listTwoPlaces(owner)).toEqual([])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3, seconds: 500 })
  })

  test('who listens on without answering moves this side of the question', async () => {
    await hearOffline(2, 400)
    await followServer(owner, [row(other(3, 500))])
    await hear(2, 460)
    expect(await listTwoPlaces(owner)).toMatchObject([{ here: { seconds: 460 } }])
  })

  test('PLAY-27: a long way offline is compared as a whole, though each step of it is a short one', async () => {
    const there = other(1, 30)
    for (const chapter of [1, 2, 3, 4, 5]) await hearOffline(chapter, 50)
    // Each step is based on the one before, so the server never finds it far.
    await sendTo((body) => answer(mine(body), null), [row(there)])
    expect(await listTwoPlaces(owner)).toMatchObject([
      { here: { chapter: 5, seconds: 50 }, there: { chapter: 1, seconds: 30 } },
    ])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 5 })
  })

  test('trap 2: an answer that is older than what is known moves nobody back', async () => {
    await followServer(owner, [row({ ...other(3, 200), heardAt: '2026-03-02T08:00:00.000Z' })])
    await followServer(owner, [row({ ...other(1, 10), heardAt: '2026-03-01T08:00:00.000Z' })])
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 3, seconds: 200 })
  })

  test('two places within two minutes are one place, also over a chapter border of known length', async () => {
    await hearOffline(1, 590)
    const lengths = async () => new Map([[1, 600]])
    for (const seconds of [60, 110]) {
      await followServer(owner, [row(other(2, seconds))], lengths)
      expect(await listTwoPlaces(owner)).toEqual([])
    }
    await followServer(owner, [row(other(2, 110.5))], lengths)
    expect(await listTwoPlaces(owner)).toHaveLength(1)
  })

  describe('several waiting events, of which the oldest is sent first', () => {
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

    test('the question offers where this device is now, not where it was first: choosing it takes nobody back', async () => {
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map())
      expect(await listTwoPlaces(owner)).toMatchObject([
        { here: { chapter: 2, seconds: 9 }, there: { chapter: 3, seconds: 50 } },
      ])
      expect(await choosePlace(owner, 'salt', 'here', clock)).toMatchObject({ chapter: 2, seconds: 9 })
    })

    test('also where all of them went on from a place that the server knew', async () => {
      await hear(5, 10)
      await sendTo((body) => answer(mine(body), null))
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map())
      expect(await listTwoPlaces(owner)).toHaveLength(1)
    })

    test('and where the other place is an old one, without an id', async () => {
      there = { ...other(3, 50), eventId: null }
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map())
      expect(await listTwoPlaces(owner)).toHaveLength(1)
    })

    test('it goes away when what was sent since brings both within two minutes', async () => {
      await hear(1, 64)
      await hear(2, 9)
      await send(async () => new Map([[2, 70]]))
      expect(await listTwoPlaces(owner)).toEqual([])
    })
  })

  test('the other device goes on: its side of the question moves, until both are one place', async () => {
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

  test('listening on until both places meet is an answer', async () => {
    await hear(2, 400)
    await sendTo((body) => answer(mine(body), other(2, 600)))
    expect(await listTwoPlaces(owner)).toHaveLength(1)
    await hear(2, 500)
    await sendTo((body) => answer(mine(body), null))
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('who goes there knowingly is asked nothing, and what sounded while the server was asked is dropped', async () => {
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

  test('a place told too late is a question, unless it is the same place', async () => {
    await hear(1, 30)
    await sendTo((body) => answer(mine(body), null))
    await askWhich(owner, row(other(1, 150)))
    expect(await listTwoPlaces(owner)).toEqual([])
    await askWhich(owner, row(other(3, 50)))
    expect(await listTwoPlaces(owner)).toMatchObject([
      { here: { chapter: 1, seconds: 30 }, there: { chapter: 3 } },
    ])
  })

  test('our own event, whose answer was lost, is no other place', async () => {
    await hear(1, 10)
    await hear(2, 900)
    const device = await thisDeviceId()
    await followServer(owner, [row({ ...other(1, 10), deviceId: device })])
    expect(await listTwoPlaces(owner)).toEqual([])
  })
})
