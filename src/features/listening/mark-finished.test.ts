// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPlace, countWaiting } from '#sync/outbox.ts'
import { placesDb } from '#storage/places-db.ts'
import { resumePlace } from '#storage/places.ts'
import { readingOf, countReadingsWaiting } from '#sync/readings.ts'
import { titleKey } from '#storage/title-key.ts'
import { progressOf } from '#features/library/model.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { tokensOfWhoIsIn } from '#tests/support/token-store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { openListeningOf } from './lazy.ts'
import { markFinished, titleState } from './mark-finished.ts'

const salt = titleKey('audio', 'salt')
const weather = titleKey('ebook', 'weather')
const LENGTHS = [60, 30, 40]
const queryClient = new QueryClient()
let owner: string

beforeEach(async () => {
  owner = crypto.randomUUID()
  configureNet({ tokens: tokensOfWhoIsIn, exchange: () => Promise.reject(new NetProblem('offline', 0)) })
  becomeUser({ uuid: owner } as never, null)
  connectivity.lost()
  await openListeningOf(owner)
  await placesDb.use(owner, (db) =>
    db.ownTitles.put({ key: salt, addedAtMs: 1, book: { slug: 'salt' } as never, chapterSeconds: LENGTHS }),
  )
})
afterEach(() => {
  const shown = currentToast()
  if (shown) dismissToast(shown.id)
  void openListeningOf(undefined)
  becomeVisitor()
  connectivity.note(true)
  connectivity.stop()
})

const mark = (key: typeof salt, finished: boolean) => markFinished(queryClient, key, 'It', finished)
const place = async () => {
  const { chapter, seconds } = (await resumePlace(owner, 'salt'))!
  return { chapter, seconds }
}
const undo = async () => {
  const before = await place()
  currentToast()?.action?.onPress()
  await soon(async () => expect(await place()).not.toEqual(before))
}

test('listening: a title marked as finished offline is finished here at once, and the mark is sent later', async () => {
  await keepPlace(owner, { slug: 'salt', chapter: 2, seconds: 12, fromSeconds: 0 })
  expect((await titleState(queryClient, salt)).finished).toBe(false)
  await mark(salt, true)
  expect(await place()).toEqual({ chapter: 3, seconds: 40 })
  expect(progressOf(LENGTHS, await place())?.finished).toBe(true)
  expect((await titleState(queryClient, salt)).finished).toBe(true)
  expect(await countWaiting(owner)).toBeGreaterThan(0)
  await undo()
  expect(await place()).toEqual({ chapter: 2, seconds: 12 })
})

test('listening: removing the mark returns to the place before it, even a day later', async () => {
  await keepPlace(owner, { slug: 'salt', chapter: 1, seconds: 12, fromSeconds: 0 })
  await mark(salt, true)
  await mark(salt, false)
  expect(await place()).toEqual({ chapter: 1, seconds: 12 })
})

test('listening: a finished book marked as not finished restarts, and counts as not started', async () => {
  await keepPlace(owner, { slug: 'salt', chapter: 3, seconds: 39, fromSeconds: 0 })
  expect((await titleState(queryClient, salt)).finished).toBe(true)
  await mark(salt, false)
  expect(await place()).toEqual({ chapter: 1, seconds: 0 })
  expect(progressOf(LENGTHS, await place())).toBeUndefined()
  await undo()
  expect(await place()).toEqual({ chapter: 3, seconds: 39 })
})

test('listening: a book that was never opened can be marked and unmarked', async () => {
  await mark(salt, true)
  expect(await place()).toEqual({ chapter: 3, seconds: 40 })
  await undo()
  expect(progressOf(LENGTHS, await place())).toBeUndefined()
})

test('listening: an e-book is marked by setting the share that was read, and the mark is sent later', async () => {
  await mark(weather, true)
  expect(await readingOf(owner, 'weather')).toMatchObject({ share: 1 })
  expect((await titleState(queryClient, weather)).finished).toBe(true)
  expect(await countReadingsWaiting(owner)).toBe(1)
  await mark(weather, false)
  expect((await titleState(queryClient, weather)).finished).toBe(false)
})
