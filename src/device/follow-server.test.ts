import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AudioBookTime, AudioBookTimeAnswer, ListeningEvent, Place } from '#contract/listening.ts'
import { flush } from './flush.ts'
import { choosePlace, followServer } from './follow-server.ts'
import { listPastPlaces } from './history.ts'
import { keepPlace, thisDevice } from './outbox.ts'
import { listTwoPlaces, resumePlace } from './places.ts'

let owner: string
const clock = { wallMs: 1_000, pageMs: 1_000, page: 'p' }
const hear = (chapter: number, seconds: number) => keepPlace(owner, { slug: 'salt', chapter, seconds, clock })

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
    await sendTo((body) => answer(mine(body), there))

    await choosePlace(owner, 'salt', 'there', clock)
    expect(await resumePlace(owner, 'salt')).toMatchObject({ chapter: 1, seconds: 120 })
    expect(await listPastPlaces(owner, 'salt')).toMatchObject([{ chapter: 2, seconds: 400 }])
    expect(await listTwoPlaces(owner)).toEqual([])

    const got = await sendTo((body) => answer(mine(body), null))
    expect(got).toMatchObject([{ chapter: 1, seconds: 120 }])
    expect(got[0]?.basedOn).toBeTruthy()
  })

  test('a question answered before the waiting event was sent is not asked again', async () => {
    const there = other(3, 500)
    await hear(2, 400)
    await followServer(owner, [row(there)])
    expect(await listTwoPlaces(owner)).toHaveLength(1)
    await choosePlace(owner, 'salt', 'here', clock)
    const got = await sendTo((body) => answer(mine(body), body.basedOn === null ? there : null))
    expect(got).toHaveLength(2)
    expect(await listTwoPlaces(owner)).toEqual([])
  })

  test('who listens on without answering moves this side of the question', async () => {
    await hear(2, 400)
    await followServer(owner, [row(other(3, 500))])
    await hear(2, 460)
    expect(await listTwoPlaces(owner)).toMatchObject([{ here: { seconds: 460 } }])
  })

  test('PLAY-27: a long way offline is compared as a whole, though each step of it is a short one', async () => {
    const there = other(1, 30)
    for (const chapter of [1, 2, 3, 4, 5]) await hear(chapter, 50)
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
    await hear(1, 590)
    const lengths = async () => new Map([[1, 600]])
    await followServer(owner, [row(other(2, 60))], lengths)
    expect(await listTwoPlaces(owner)).toEqual([])
    await followServer(owner, [row(other(2, 200))], lengths)
    expect(await listTwoPlaces(owner)).toHaveLength(1)
  })

  test('our own event, whose answer was lost, is no other place', async () => {
    await hear(1, 10)
    await hear(2, 900)
    const device = await thisDevice()
    await followServer(owner, [row({ ...other(1, 10), deviceId: device })])
    expect(await listTwoPlaces(owner)).toEqual([])
  })
})
