// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import 'fake-indexeddb/auto'
import { describe, expect, test, vi } from 'vitest'
import { placesDb } from '#storage/places-db.ts'
import { connectivity } from '#net/connectivity.ts'
import { configureNet, settings } from '#net/settings.ts'
import { currentToast, forgetToasts } from '#ui/toast.ts'
import { becomeUser, currentOwner } from '#session/store.ts'
import { aPlayable } from '#tests/support/playable-title.ts'
import { startEngine } from '#tests/support/player-engine.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { followOtherDevices } from './follow-other-devices.ts'
import { useListeningStore } from './store.ts'
import { usePlayer } from '#features/player/store.ts'
import { changePlayerSettings } from '#features/player/settings.ts'
import type { Exchange } from '#net/settings.ts'

const { streams, marksAsked, listsAsked, feed, claims } = vi.hoisted(() => ({
  streams: [] as string[],
  marksAsked: [] as string[],
  listsAsked: [] as string[],
  feed: { tell: (_message: unknown) => {}, open: () => {} },
  claims: {} as { before?: unknown },
}))
vi.mock('./lazy.ts', async (original) => ({
  ...(await original<object>()),
  openedListening: async () => ({
    followBookmarks: async (slug: string) => marksAsked.push(slug),
    followLists: async () => listsAsked.push('lists'),
  }),
}))
vi.mock('#storage/values.ts', async (original) => ({
  ...(await original<object>()),
  deviceId: async () => 'phone',
}))
vi.mock('#features/feed/listen.ts', () => ({
  listenToFeed: (userUuid: string, tell: (message: unknown) => void, { onOpen }: { onOpen: () => void }) => {
    streams.push(userUuid)
    feed.tell = tell
    feed.open = onOpen
    return () => void streams.pop()
  },
}))

test('listening: the account’s stream is open while a book is visible or playing, and never offline', async () => {
  let visibility = 'visible'
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
  const look = (next: string) => {
    visibility = next
    document.dispatchEvent(new Event('visibilitychange'))
  }
  const { engine, audio } = startEngine()
  becomeUser({ uuid: 'rosa' } as never, null)
  await followOtherDevices(engine, new QueryClient(), { handOver: () => undefined })
  // Without a book, or with a sample, there is no place to follow.
  expect(streams).toEqual([])
  engine.load(aPlayable({ kind: 'sample' }), undefined)
  expect(streams).toEqual([])
  engine.load(aPlayable(), undefined)
  expect(streams).toEqual(['rosa'])
  // Another window has the player.
  usePlayer.setState({ isInOtherWindow: true })
  expect(streams).toEqual([])
  usePlayer.setState({ isInOtherWindow: false })
  expect(streams).toEqual(['rosa'])
  look('hidden')
  expect(streams).toEqual([])
  engine.play()
  await audio.arrives(60)
  expect(streams).toEqual(['rosa'])
  connectivity.lost()
  expect([connectivity.snapshot(), streams]).toEqual(['offline', []])
  look('visible')
  expect(streams).toEqual([])
  connectivity.note(true)
  expect(streams).toEqual(['rosa'])
  connectivity.stop()
})

describe('PLAY-06: a place that another browser left', () => {
  const BOOK = aPlayable({
    chapters: [
      { number: 1, title: 'One', seconds: 60, bytes: 1 },
      { number: 2, title: 'Two', seconds: 60, bytes: 1 },
    ],
  })
  const left = (chapter: number, seconds: number, eventId: string = crypto.randomUUID()) => ({
    '@id': '/api/user_audio_book_times/row',
    '@type': 'UserAudioBookTime',
    id: 'row',
    audioBook: `/api/audio_books/${BOOK.slug}`,
    chapter,
    seconds,
    heardAt: '2026-03-01T08:00:00.000Z',
    eventId,
    deviceId: 'laptop',
    device: { id: 'laptop', name: 'Laptop' },
    fromSeconds: null,
  })
  const other = (startedAt: string) => ({
    claimId: crypto.randomUUID(),
    deviceId: 'laptop',
    audioBook: `/api/audio_books/${BOOK.slug}`,
    chapter: 2,
    seconds: 20,
    startedAt,
    device: { id: 'laptop', name: 'Laptop' },
  })

  /** What the server has. */
  let stored: object[] = []
  let requests: Exchange[] = []
  const released = () => requests.filter(({ method }) => method === 'DELETE')

  async function opened(at: { chapter: number; seconds: number }) {
    const listener = crypto.randomUUID()
    configureNet({
      ...settings,
      tokens: { ...settings.tokens, read: async () => ({ token: tokenOf(listener) }) },
      exchange: async (request: Exchange) => {
        const { path, method } = request
        requests.push(request)
        const json = request.json as object
        if (method === 'DELETE') return undefined
        if (method === 'PUT') {
          const claimId = path.split('/').at(-1)
          return { ...json, claimId, startedAt: '2026-03-02T08:00:00.000Z', before: claims.before }
        }
        return { 'hydra:member': stored, 'hydra:totalItems': stored.length }
      },
    } as never)
    becomeUser({ uuid: listener } as never, null)
    let others: Awaited<ReturnType<typeof followOtherDevices>> | undefined
    const { engine, audio } = startEngine({ takeOver: (from) => others?.takeOver(from) })
    engine.load(BOOK, at)
    others = await followOtherDevices(engine, new QueryClient(), { handOver: () => undefined })
    return { engine, audio }
  }

  test('resumes five seconds before it, and a repeated event does not move the player', async () => {
    claims.before = undefined
    const { engine } = await opened({ chapter: 2, seconds: 25 })
    feed.tell({ type: 'place', place: left(2, 30) })
    await expect.poll(() => placesDb.use(currentOwner()!, (db) => db.places.count())).toBe(1)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 25 })
  })

  test('that arrives while the player is open is shown exactly and resumes five seconds before it', async () => {
    claims.before = undefined
    const { engine } = await opened({ chapter: 1, seconds: 10 })
    feed.tell({ type: 'place', place: left(2, 30) })
    await expect.poll(() => engine.place()).toEqual({ chapter: 2, seconds: 30 })
    engine.play()
    await expect.poll(() => engine.place().seconds).toBe(25)
  })

  test('is announced with its chapter and its device, whose name is fetched if the event has none', async () => {
    forgetToasts()
    claims.before = undefined
    const place = left(2, 30)
    await opened({ chapter: 1, seconds: 10 })
    stored = [place]
    feed.tell({ type: 'place', place: { ...place, device: undefined } })
    await expect.poll(() => currentToast()?.text).toBe('Moved to Two, 0:30, heard on Laptop.')
    stored = []
    forgetToasts()
    await opened({ chapter: 1, seconds: 10 })
    feed.tell({ type: 'place', place: { ...left(2, 40), device: undefined } })
    await expect.poll(() => currentToast()?.text).toBe('Moved to Two, 0:40, heard on another device.')
    // No screen waits for any of it.
    expect(requests.filter(({ background }) => !background)).toEqual([])
  })

  test('fetches the name of each device once, and not if it is known or the place has no device', async () => {
    claims.before = undefined
    const { engine } = await opened({ chapter: 1, seconds: 10 })
    await flush()
    const fetched = async (seconds: number, more: object) => {
      requests = []
      feed.tell({ type: 'place', place: { ...left(2, seconds), ...more } })
      await expect.poll(() => engine.place().seconds).toBe(seconds)
      return requests.filter(({ method }) => method === 'GET').length
    }
    expect(await fetched(20, {})).toBe(0)
    expect(await fetched(22, { deviceId: null, device: null })).toBe(0)
    stored = [left(2, 24)]
    expect(await fetched(24, { device: null })).toBe(1)
    expect(await fetched(26, { device: null })).toBe(0)
    stored = []
  })

  test('resumes not before that listening began, and further back after an hour', async () => {
    claims.before = undefined
    const resumesAt = async (more: object) => {
      const { engine } = await opened({ chapter: 1, seconds: 10 })
      feed.tell({ type: 'place', place: { ...left(2, 30), ...more } })
      await expect.poll(() => engine.place()).toEqual({ chapter: 2, seconds: 30 })
      engine.play()
      await expect.poll(() => engine.place().seconds).not.toBe(30)
      return engine.place().seconds
    }
    changePlayerSettings({ rewinds: true })
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    expect(await resumesAt({ heardAt: ago(0) })).toBe(25)
    expect(await resumesAt({ heardAt: ago(90) })).toBe(10)
    expect(await resumesAt({ heardAt: ago(90), fromSeconds: 28 })).toBe(28)
    changePlayerSettings({ rewinds: false })
  })

  test('a hand-over from a device that is still playing is exact', async () => {
    claims.before = other('2026-03-01T07:00:00.000Z')
    const { engine } = await opened({ chapter: 1, seconds: 10 })
    feed.tell({ type: 'place', place: left(2, 30) })
    await expect.poll(() => engine.place()).toEqual({ chapter: 2, seconds: 30 })
    engine.play()
    feed.tell({ type: 'place', place: { ...left(2, 33), heardAt: '2026-03-02T08:00:01.000Z' } })
    await expect.poll(() => engine.place().seconds).toBe(33)
  })

  test('resumes five seconds before it also where no other device was playing, without a wait', async () => {
    claims.before = undefined
    const { engine, audio } = await opened({ chapter: 1, seconds: 10 })
    engine.play()
    await audio.arrives(60)
    await expect.poll(() => engine.state().status).toBe('playing')
    engine.pause()
    feed.tell({ type: 'place', place: left(2, 30) })
    await expect.poll(() => engine.place()).toEqual({ chapter: 2, seconds: 30 })
    engine.play()
    await flush()
    expect(engine.place()).toEqual({ chapter: 2, seconds: 25 })
  })

  test('is ignored if two people listen on one account', async () => {
    claims.before = undefined
    const { engine } = await opened({ chapter: 1, seconds: 10 })
    const moves: number[] = []
    engine.on('load', ({ seconds }) => moves.push(seconds))
    changePlayerSettings({ onePlace: false })
    feed.tell({ type: 'place', place: left(2, 30) })
    await flush()
    changePlayerSettings({ onePlace: true })
    // Places are handled one after the other.
    feed.tell({ type: 'place', place: left(2, 40) })
    await expect.poll(() => moves).toContain(40)
    expect(moves).toEqual([40])
  })

  test('is announced with the device’s name that it contains', async () => {
    forgetToasts()
    claims.before = undefined
    await opened({ chapter: 1, seconds: 10 })
    feed.tell({ type: 'place', place: left(2, 30) })
    await expect.poll(() => currentToast()?.text).toBe('Moved to Two, 0:30, heard on Laptop.')
  })

  test('that arrives when the stream opens is followed like a live one', async () => {
    claims.before = undefined
    const { engine } = await opened({ chapter: 1, seconds: 10 })
    stored = [left(2, 30)]
    feed.open()
    await expect.poll(() => engine.place()).toEqual({ chapter: 2, seconds: 30 })
    stored = []
  })

  describe('listening: another device begins to play', () => {
    const claimed = () => other('2026-03-02T08:00:05.000Z')
    const playing = async () => {
      claims.before = undefined
      forgetToasts()
      requests = []
      usePlayer.setState({ display: 'mini' })
      useListeningStore.setState({ elsewhere: undefined })
      const all = await opened({ chapter: 1, seconds: 10 })
      all.engine.play()
      await all.audio.arrives(60)
      await expect.poll(() => all.engine.state().status).toBe('playing')
      return all
    }

    test('it continues where this one stopped, and this one offers to play here', async () => {
      const { engine } = await playing()
      feed.tell({ type: 'sound', claim: claimed() })
      expect(useListeningStore.getState().elsewhere).toMatchObject({
        ...{ deviceId: 'laptop', slug: BOOK.slug },
        ...engine.place(),
      })
      expect(currentToast()?.text).toBe('Playing on Laptop. Paused here.')
    })

    test('without a name it is another device, and a full player shows it without a notice', async () => {
      await playing()
      feed.tell({ type: 'sound', claim: { ...claimed(), device: null } })
      expect(currentToast()?.text).toBe('Playing on another device. Paused here.')
      await playing()
      usePlayer.setState({ display: 'full' })
      feed.tell({ type: 'sound', claim: claimed() })
      expect(useListeningStore.getState().elsewhere).toMatchObject({ deviceName: 'Laptop' })
      expect(currentToast()).toBeUndefined()
    })

    test('it pauses, and nothing plays elsewhere any more', async () => {
      const { engine } = await playing()
      const claim = claimed()
      feed.tell({ type: 'sound', claim })
      const ended = vi.spyOn(engine, 'endElsewhere')
      feed.tell({ type: 'silence', claimId: 'another claim' })
      expect([useListeningStore.getState().elsewhere?.deviceId, ended.mock.calls.length]).toEqual([
        'laptop',
        0,
      ])
      forgetToasts()
      feed.tell({ type: 'silence', claimId: claim.claimId })
      expect([useListeningStore.getState().elsewhere, ended.mock.calls.length]).toEqual([undefined, 1])
      expect(currentToast()).toBeUndefined()
    })

    test('it moves on, and the place here follows without a question', async () => {
      const { engine } = await playing()
      feed.tell({ type: 'sound', claim: claimed() })
      const here = engine.place()
      feed.tell({ type: 'place', place: { ...left(2, 40), heardAt: '2026-03-02T08:00:30.000Z' } })
      await expect.poll(() => useListeningStore.getState().elsewhere?.seconds).toBe(40)
      // It has not stopped yet.
      expect(engine.place()).toEqual(here)
      engine.pause()
      feed.tell({ type: 'place', place: { ...left(2, 44), heardAt: '2026-03-02T08:01:00.000Z' } })
      await expect.poll(() => engine.place()).toEqual({ chapter: 2, seconds: 44 })
      expect(useListeningStore.getState().elsewhere).toMatchObject({ chapter: 2, seconds: 44 })
      // Of another book, it leaves both alone.
      const tide = { ...left(1, 5), audioBook: '/api/audio_books/tide' }
      feed.tell({ type: 'place', place: { ...tide, heardAt: '2026-03-02T08:02:00.000Z' } })
      await expect.poll(() => placesDb.use(currentOwner()!, (db) => db.places.get('tide'))).toBeDefined()
      expect(engine.place()).toEqual({ chapter: 2, seconds: 44 })
      expect(useListeningStore.getState().elsewhere).toMatchObject({ chapter: 2, seconds: 44 })
    })

    test('it moves on, and another book that was opened here since stays where it is', async () => {
      const { engine } = await playing()
      feed.tell({ type: 'sound', claim: claimed() })
      engine.load(aPlayable({ slug: 'tide' }), { chapter: 1, seconds: 7 })
      feed.tell({ type: 'place', place: { ...left(2, 50), heardAt: '2026-03-02T08:00:30.000Z' } })
      await expect.poll(() => useListeningStore.getState().elsewhere?.seconds).toBe(50)
      expect(engine.place()).toEqual({ chapter: 1, seconds: 7 })
    })

    test('two people who listen on one account, each on a device, don’t stop each other', async () => {
      changePlayerSettings({ onePlace: false })
      const { engine } = await playing()
      engine.pause()
      await flush()
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
      changePlayerSettings({ onePlace: true })
    })

    test('a pause here releases the sound, in a request that a closing page still sends', async () => {
      const { engine } = await playing()
      engine.pause()
      await expect.poll(released).toHaveLength(1)
      expect(released()[0]).toMatchObject({ keepalive: true, background: true })
      connectivity.lost()
      engine.play()
      engine.pause()
      await flush()
      expect(released()).toHaveLength(1)
      connectivity.note(true)
      connectivity.stop()
    })
  })

  test('listening: changes of another device are fetched; this device’s own are not', async () => {
    claims.before = undefined
    await opened({ chapter: 1, seconds: 10 })
    await flush()
    marksAsked.length = 0
    const audioBook = `/api/audio_books/${BOOK.slug}`
    feed.tell({ type: 'bookmarks', audioBook: '/api/audio_books/tide', deviceId: 'phone' })
    feed.tell({ type: 'lists', deviceId: 'phone' })
    feed.tell({ type: 'bookmarks', audioBook, deviceId: 'laptop' })
    await expect.poll(() => marksAsked).toEqual([BOOK.slug])
    expect(listsAsked).toEqual([])
    feed.tell({ type: 'lists', deviceId: null })
    await expect.poll(() => listsAsked).toEqual(['lists'])
    expect(marksAsked).toEqual([BOOK.slug])

    const chosen = { speed: 1.4, speedChosenAt: '2026-03-02T08:00:00.000Z', audioBook }
    feed.tell({ type: 'speed', speed: chosen })
    const speeds = () => placesDb.use(currentOwner()!, (db) => db.speeds.toArray())
    await expect.poll(speeds).toMatchObject([{ slug: BOOK.slug, speed: 1.4, waiting: 0 }])
  })
})

test('listening: opening a book fetches bookmarks from other devices; not for samples, and not offline', async () => {
  marksAsked.length = 0
  const { engine } = startEngine()
  becomeUser({ uuid: 'rosa' } as never, null)
  await followOtherDevices(engine, new QueryClient(), { handOver: () => undefined })
  const opened = async (more: Parameters<typeof aPlayable>[0]) => {
    engine.load(aPlayable(more), undefined)
    await flush()
    return marksAsked.splice(0)
  }
  expect(await opened({ slug: 'heard', kind: 'sample' })).toEqual([])
  expect(await opened({ slug: 'tide' })).toEqual(['tide'])
  connectivity.lost()
  expect(await opened({ slug: 'salt' })).toEqual([])
  connectivity.stop()
})
