// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { placesDb } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { ownTitlesQuery } from '#features/library/queries.ts'
import { becomeUser } from '#session/store.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { connectivity } from '#net/connectivity.ts'
import { changeWish, bringReady, openReady, useReady } from './keep-ready.ts'

const { device } = vi.hoisted(() => ({
  device: { stored: new Set<string>(), unknown: new Set<string>(), prefetch: vi.fn() },
}))
vi.mock('#features/downloads/lazy.ts', () => ({
  openedDownloads: async () => ({
    holdings: () =>
      [...device.stored].map((one) => {
        const [slug = '', chapter] = one.split(' ')
        return { title: { key: slug }, files: [{ chapter: Number(chapter) }] }
      }),
    // Two chapters of an hour each.
    title: async (key: string) =>
      device.unknown.has(key)
        ? undefined
        : {
            title: key.slice(key.indexOf('/') + 1),
            files: [1, 2].map((chapter) => ({ chapter, playtime: 3600, bytes: 30_000_000 })),
          },
    prefetch: device.prefetch,
  }),
}))

let owner: string
const queryClient = new QueryClient()
const place = (slug: string, chapter: number, seconds: number, heardAtMs: number) => ({
  ...{ slug, chapter, seconds, heardAtMs, eventId: null, deviceId: null, basedOn: null },
})
const put = (...places: ReturnType<typeof place>[]) => placesDb.use(owner, (db) => db.places.bulkPut(places))
const asked = () =>
  device.prefetch.mock.calls.map(([slug, chapters]) => `${slug} ${chapters.join()}`.replace('audio/', ''))

beforeEach(() => {
  owner = crypto.randomUUID()
  becomeUser({ uuid: owner, firstName: 'Rosa', fullName: 'Rosa Lind' }, null)
  device.stored.clear()
  device.unknown.clear()
  device.prefetch.mockReset()
  device.prefetch.mockImplementation(async (slug: string, chapters: number[]) => {
    for (const chapter of chapters) device.stored.add(`${slug} ${chapter}`)
  })
})

test('listening: downloads the rest of the current book and the next ones, and keeps that up to date', async () => {
  await put(
    place('salt', 2, 1800, 3),
    place('customs', 1, 0, 2),
    place('done', 2, 3600, 4),
    place('peat', 1, 0, 1),
  )
  await bringReady(queryClient, owner)
  expect([asked(), useReady.getState().phase]).toEqual([[], 'off'])

  await changeWish(queryClient, owner, { on: true, hours: 2 })
  // A finished book is skipped.
  expect(asked()).toEqual(['salt 2', 'customs 1', 'customs 2'])
  expect(useReady.getState().phase).toBe('ready')

  await put(place('salt', 2, 3600, 9))
  await bringReady(queryClient, owner)
  expect(asked().slice(3)).toEqual([])
  await changeWish(queryClient, owner, { hours: 4 })
  expect(asked().slice(3)).toEqual(['peat 1', 'peat 2'])
})

test('reports a full device, and retries the failed chapters', async () => {
  await put(place('salt', 1, 0, 1))
  device.prefetch.mockRejectedValueOnce(Object.assign(new Error(), { name: 'NoSpaceLeft' }))
  await changeWish(queryClient, owner, { on: true })
  expect(useReady.getState().phase).toBe('full')
  device.prefetch.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await bringReady(queryClient, owner)
  expect(useReady.getState().phase).toBe('failed')
  await bringReady(queryClient, owner)
  expect(useReady.getState().phase).toBe('ready')
})

test('listening: fetches nothing on a metered network, unless the listener allows it', async () => {
  await put(place('salt', 1, 0, 1))
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  try {
    await changeWish(queryClient, owner, { on: true })
    expect([asked(), useReady.getState().phase]).toEqual([[], 'waiting'])
    await changeWish(queryClient, owner, { anyNetwork: true })
    expect([asked().length, useReady.getState().phase]).toEqual([2, 'ready'])
  } finally {
    Object.defineProperty(navigator, 'connection', { value: undefined, configurable: true })
  }
})

test('listening: retries when the network returns', async () => {
  await put(place('salt', 1, 0, 1))
  await openReady(queryClient, owner)
  connectivity.lost()
  try {
    await changeWish(queryClient, owner, { on: true })
    expect([asked(), useReady.getState().phase]).toEqual([[], 'waiting'])
    connectivity.note(true)
    await soon(() => expect([asked(), useReady.getState().phase]).toEqual([['salt 1', 'salt 2'], 'ready']))
  } finally {
    connectivity.stop()
  }
})

const owns = (...keys: TitleKey[]) =>
  queryClient.setQueryData(ownTitlesQuery(owner).queryKey, {
    titles: keys.map((key) => ({
      ...{ key, addedAtMs: 0, chapterSeconds: key.startsWith('audio/') ? [3600, 3600] : [] },
      book: aTitle({ slug: key.slice(key.indexOf('/') + 1), title: key }),
    })),
    whole: true,
  })

test('listening: offline, it plans from the library stored on this device, and downloads later', async () => {
  owns('audio/salt')
  device.unknown.add('audio/salt')
  await openReady(queryClient, owner)
  connectivity.lost()
  try {
    await changeWish(queryClient, owner, { on: true })
    const { phase, wish } = useReady.getState()
    expect([asked(), phase, wish.plan.map(({ title }) => title)]).toEqual([[], 'waiting', ['audio/salt']])
    device.unknown.clear()
    connectivity.note(true)
    await soon(() => expect([asked(), useReady.getState().phase]).toEqual([['salt 1', 'salt 2'], 'ready']))
  } finally {
    connectivity.stop()
  }
})

test('listening: e-books are prepared too, started ones first and finished ones never', async () => {
  owns('ebook/new', 'ebook/done', 'ebook/begun')
  const reading = (slug: string, share: number) => ({
    ...{ slug, locator: '', share, readAtMs: 1, eventId: null, deviceId: null, waiting: 0 as const },
    ...{ sequence: 1, clock: { page: '', ms: 0 }, offsetMs: null, tries: 0 },
  })
  await placesDb.use(owner, (db) => db.readings.bulkPut([reading('begun', 0.4), reading('done', 1)]))
  await changeWish(queryClient, owner, { on: true })
  expect(asked()).toEqual(['ebook/begun 1', 'ebook/new 1'])
  expect(useReady.getState().phase).toBe('ready')
})
