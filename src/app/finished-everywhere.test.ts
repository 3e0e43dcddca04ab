// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { progressOf } from '#features/library/model.ts'
import { titleState } from '#features/listening/mark-finished.ts'
import { createEngine } from '#features/player/engine.ts'
import { resumeFrom } from '#features/player/resume.ts'
import { changeWish, useReady } from '#features/ready/keep-ready.ts'
import { becomeUser } from '#session/store.ts'
import { finishedAtMs } from '#features/downloads/make-room.ts'
import { placesDb } from '#storage/places-db.ts'
import { FakeAudio } from '#tests/support/fake-audio.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'

const { files } = vi.hoisted(() => ({
  files: [1, 2].map((chapter) => ({ chapter, name: '', playtime: 60, bytes: 1, sha256: '' })),
}))
vi.mock('#features/downloads/lazy.ts', () => ({
  storedTitle: async () => ({ title: 'Salt', files }),
  openedDownloads: async () => ({
    title: async () => ({ title: 'Salt', files }),
    holdings: () => [],
    prefetch: async () => undefined,
  }),
}))

test.each([
  [4, true],
  [10, false],
])('listening: %i s before its end a book is finished on all screens: %s', async (secondsLeft, finished) => {
  const owner = crypto.randomUUID()
  becomeUser({ uuid: owner, firstName: 'Rosa', fullName: 'Rosa Lind' }, null)
  const place = { chapter: 2, seconds: 60 - secondsLeft }
  const stored = { ...place, slug: 'salt', heardAtMs: 9, eventId: null, deviceId: null, basedOn: null }
  await placesDb.use(owner, (db) => db.places.put(stored))
  const chapters = [1, 2].map((number) => ({ number, title: '', seconds: 60, bytes: 1 }))
  const engine = createEngine(new FakeAudio().asElement(), fakePorts())
  engine.load(aPlayable({ chapters }), place)
  const queryClient = new QueryClient()
  await changeWish(queryClient, owner, { on: true })

  expect({
    onTheShelf: progressOf([60, 60], place)?.finished,
    inTheMenu: (await titleState(queryClient, 'audio/salt')).finished,
    inThePlayer: engine.state().status === 'ended',
    // An unfinished book resumes a little earlier, a finished one at its end.
    whenResumed: resumeFrom(chapters, place)?.seconds === place.seconds,
    forTheTunnel: !useReady.getState().wish.plan.some(({ slug }) => slug === 'salt'),
    forTheDownloads: (await finishedAtMs(owner, aStoredTitle({ files }))) !== null,
  }).toEqual({
    onTheShelf: finished,
    inTheMenu: finished,
    inThePlayer: finished,
    whenResumed: finished,
    forTheTunnel: finished,
    forTheDownloads: finished,
  })
})
