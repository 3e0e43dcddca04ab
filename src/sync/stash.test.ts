import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import { keepPlace } from './outbox.ts'
import type { HeardPlace } from '#storage/place.ts'
import { placesDb } from '#storage/places-db.ts'
import { listPlaces } from '#storage/places.ts'
import { bar } from '#storage/removals.ts'
import { readingOf } from './readings.ts'
import { placeStash, readingStash } from './stash.ts'

let drawer: ReturnType<typeof fakeStorage>
let owner: string
const heard = (slug: string, seconds: number): HeardPlace & { eventId: string } => ({
  ...{ slug, chapter: 1, seconds, eventId: crypto.randomUUID() },
  clock: { wallMs: seconds, pageMs: seconds, page: 'p' },
})
const noted = (): [string, number][] =>
  JSON.parse(drawer.getItem(`murmur.heard.${owner}`) ?? '[]').map(({ slug, seconds }: HeardPlace) => [
    slug,
    seconds,
  ])

beforeEach(() => {
  drawer = fakeStorage()
  vi.stubGlobal('localStorage', drawer)
  owner = crypto.randomUUID()
})

test('a book’s later position replaces its earlier ones, and leaves those of other books', () => {
  placeStash.add(owner, [heard('salt', 1), heard('salt', 2)])
  placeStash.add(owner, [heard('ferry', 3)])
  placeStash.add(owner, [heard('salt', 4)])
  expect(noted()).toEqual([
    ['ferry', 3],
    ['salt', 4],
  ])
  placeStash.add(owner, [])
  expect(noted()).toHaveLength(2)
})

test('a position that was written after all is removed, and an empty stash is deleted', () => {
  const [salt, ferry] = [heard('salt', 1), heard('ferry', 2)]
  placeStash.add(owner, [salt, ferry])
  const writing = vi.spyOn(drawer, 'setItem')
  placeStash.clear(owner, ({ slug }) => slug === 'winters')
  expect(writing).not.toHaveBeenCalled()
  placeStash.clear(owner, ({ eventId }) => eventId === salt.eventId)
  expect(noted()).toEqual([['ferry', 2]])
  placeStash.clear(owner, () => true)
  expect(drawer.getItem(`murmur.heard.${owner}`)).toBeNull()
})

test("the next page restores all of the user's stash, and no other user’s", async () => {
  placeStash.add(owner, [heard('salt', 1), heard('ferry', 2)])
  placeStash.add(crypto.randomUUID(), [heard('winters', 3)])
  await placeStash.restore(owner)
  expect((await listPlaces(owner)).map(({ slug }) => slug)).toEqual(['ferry', 'salt'])
  expect(noted()).toEqual([])
})

test('nothing is stashed for a user whose data is being removed from the device', () => {
  bar(owner)
  placeStash.add(owner, [heard('salt', 1)])
  expect(noted()).toEqual([])
})

test('positions that cannot be written stay stashed for the next page', async () => {
  placeStash.add(owner, [heard('salt', 1), heard('ferry', 2), heard('winters', 3)])
  await placesDb.use(owner, async (db) => {
    db.outbox.hook('creating', (_id, { slug }) => {
      if (slug === 'ferry') throw new Error('the disk broke')
    })
  })
  await expect(placeStash.restore(owner)).rejects.toThrow()
  expect(noted()).toEqual([
    ['ferry', 2],
    ['winters', 3],
  ])
})

test('a stashed position never wins over a later one', async () => {
  placeStash.add(owner, [heard('salt', 1)])
  await keepPlace(owner, heard('salt', 9))
  await placeStash.restore(owner)
  expect(await listPlaces(owner)).toMatchObject([{ slug: 'salt', seconds: 9 }])
})

test('a stashed page of an e-book is dropped if the book was read on since', async () => {
  const turnedTo = (locator: string, wallMs: number) => ({
    ...{ slug: 'salt', locator, share: 0.5, eventId: crypto.randomUUID() },
    clock: { wallMs, pageMs: wallMs, page: 'p' },
  })
  const restored = async (locator: string, wallMs: number) => {
    readingStash.add(owner, [turnedTo(locator, wallMs)])
    await readingStash.restore(owner)
    return (await readingOf(owner, 'salt'))?.locator
  }
  expect(await restored('first', 2)).toBe('first')
  expect(await restored('earlier', 1)).toBe('first')
  // Of the same moment, the page that the database has counts.
  expect(await restored('same moment', 2)).toBe('first')
  expect(await restored('later', 3)).toBe('later')
})
