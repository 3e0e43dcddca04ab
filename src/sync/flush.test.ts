import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Place } from '#contract/listening.ts'
import { placesDb } from '#storage/places-db.ts'
import { listTwoPlaces } from '#storage/places.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { putTitle } from '#storage/sound-store.ts'
import { applyAnswerTo, flush } from './flush.ts'
import type { StandingPlace } from './follow-server.ts'
import { countWaiting, keepPlace } from './outbox.ts'

let owner: string
beforeEach(() => {
  owner = crypto.randomUUID()
})

const hear = async (chapter: number, seconds: number) =>
  (await keepPlace(owner, { slug: 'salt', chapter, seconds }))!

const standing = (eventId: string | null, otherPlace: Place | null = null): StandingPlace => ({
  ...{ '@id': '', '@type': 'UserAudioBookTime', id: 'row', audioBook: '/api/audio_books/salt' },
  ...{ chapter: 1, seconds: 30, heardAt: '2026-03-01T08:00:00.000Z', eventId, deviceId: null },
  ...{ fromSeconds: null, serverTime: '2026-03-01T08:00:00.000Z', otherPlace },
})

test('an answer to an event that was sent as its page was hidden confirms the event', async () => {
  const { eventId } = await hear(1, 30)
  await applyAnswerTo(owner, eventId!, standing(eventId))
  expect(await countWaiting(owner)).toBe(0)
  expect(await placesDb.use(owner, (db) => db.server.get('salt'))).toMatchObject({ eventId })
})

test('an answer to an event that a flush has sent meanwhile changes nothing', async () => {
  await hear(1, 30)
  await applyAnswerTo(owner, 'sent by a flush', standing('sent by a flush'))
  expect(await countWaiting(owner)).toBe(1)
  expect(await placesDb.use(owner, (db) => db.server.toArray())).toEqual([])
})

/** In the next chapter: close if the first chapter is short. */
const onTablet: Place = {
  ...{ chapter: 2, seconds: 5, heardAt: '2026-03-01T07:00:00.000Z', eventId: crypto.randomUUID() },
  deviceId: 'tablet',
}
const sendTo = (more: Parameters<typeof flush>[1]) =>
  flush(owner, {
    whoIsHere: async () => owner,
    ask: async () => [],
    serverOffset: async () => 0,
    send: async ({ eventId }) => standing(eventId ?? null, onTablet),
    ...more,
  })

test('PLAY-27: places are compared by the lengths of a downloaded book, unless the caller knows them', async () => {
  const files = [{ chapter: 1, name: 'One', playtime: 60, bytes: 1, sha256: '' }]
  await putTitle(owner, aStoredTitle({ files }))
  await hear(1, 30)
  await sendTo({})
  expect(await listTwoPlaces(owner)).toEqual([])
  await hear(1, 30)
  const lengthsOf = vi.fn(async () => new Map([[1, 600]]))
  await sendTo({ lengthsOf })
  expect(lengthsOf).toHaveBeenCalledWith('salt')
  expect(await listTwoPlaces(owner)).toHaveLength(1)
})
