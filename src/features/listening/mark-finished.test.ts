// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepPlace, countWaiting } from '#sync/outbox.ts'
import { placesDb } from '#storage/places-db.ts'
import { resumePlace } from '#storage/places.ts'
import { readingOf, countReadingsWaiting, storeReading } from '#sync/readings.ts'
import { readClock } from '#storage/clock.ts'
import { usePlayer } from '#features/player/store.ts'
import { aPlayable } from '#tests/support/playable-title.ts'
import { playingEngine } from '#tests/support/player-engine.ts'
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

test('listening: a finished book restarts if it is not known where its last session began', async () => {
  await keepPlace(owner, { slug: 'salt', chapter: 1, seconds: 12, fromSeconds: 0 })
  await keepPlace(owner, { slug: 'salt', chapter: 3, seconds: 40 })
  await mark(salt, false)
  expect(await place()).toEqual({ chapter: 1, seconds: 0 })
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

test('listening: undoing the mark of an e-book restores its page, or the first one if it was never opened', async () => {
  const before = { slug: 'weather', locator: 'epubcfi(/6/8)', share: 0.4 }
  await storeReading(owner, { ...before, eventId: crypto.randomUUID(), clock: readClock() })
  await mark(weather, true)
  expect(await readingOf(owner, 'weather')).toMatchObject({ locator: before.locator, share: 1 })
  currentToast()?.action?.onPress()
  await soon(async () => expect(await readingOf(owner, 'weather')).toMatchObject(before))

  const salted = titleKey('ebook', 'salt')
  await mark(salted, true)
  expect(await readingOf(owner, 'salt')).toMatchObject({ locator: 'epubcfi(/6/2)', share: 1 })
  currentToast()?.action?.onPress()
  await soon(async () => expect(await readingOf(owner, 'salt')).toMatchObject({ share: 0 }))
  expect(await readingOf(owner, 'salt')).toMatchObject({ locator: 'epubcfi(/6/2)' })
})

test('listening: a mark pauses and moves the player of this book, not of another, nor in another window', async () => {
  const { engine } = await playingEngine({ chapter: 1, seconds: 12 })
  const pause = vi.spyOn(engine, 'pause')
  const stand = vi.spyOn(engine, 'stand')
  const opened = (slug: string, kind: 'book' | 'sample', isInOtherWindow = false) => {
    pause.mockClear()
    stand.mockClear()
    const title = aPlayable({ slug, kind })
    const state = { ...engine.state(), title }
    usePlayer.setState({ state, isInOtherWindow, controls: { pause } as never, player: { engine } as never })
  }
  const calls = () => [pause.mock.calls.length, stand.mock.calls.length]
  opened('tide', 'book')
  await mark(salt, true)
  expect(calls()).toEqual([0, 0])
  opened('salt', 'sample')
  await mark(salt, false)
  expect(calls()).toEqual([0, 0])
  opened('salt', 'book', true)
  await mark(salt, true)
  expect(calls()).toEqual([1, 0])
  opened('salt', 'book')
  await mark(salt, false)
  expect(calls()).toEqual([1, 1])
  opened('salt', 'book')
  await mark(salt, true)
  expect(stand.mock.calls).toEqual([[{ chapter: 3, seconds: 40 }]])
})

test('listening: for a visitor nothing is finished, and nothing can be marked', async () => {
  await mark(salt, true)
  becomeVisitor()
  expect(await titleState(queryClient, salt)).toEqual({ finished: false, series: undefined })
  dismissToast(currentToast()!.id)
  await mark(salt, false)
  expect(currentToast()).toBeUndefined()
})

test('listening: chapter lengths that this device lacks are fetched, in any order', async () => {
  const chapters = [2, 1].map((number) => ({ chapterOrderNumber: number, playtime: number * 10 }))
  configureNet({
    exchange: async ({ path }) => {
      if (path.startsWith('/api/audio_books/')) return { chapters }
      throw new NetProblem('offline', 0)
    },
  })
  await placesDb.use(owner, (db) => db.ownTitles.update(salt, { chapterSeconds: [] }))
  await markFinished(new QueryClient(), salt, 'It', true)
  expect(await place()).toEqual({ chapter: 2, seconds: 20 })
  // Not among the titles of this device at all.
  await markFinished(new QueryClient(), titleKey('audio', 'tide'), 'Tide', true)
  expect(await resumePlace(owner, 'tide')).toMatchObject({ chapter: 2, seconds: 20 })
})
