import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeDrawer } from '#tests/support/fake-drawer.ts'
import { keepPlace, type HeardPlace } from './outbox.ts'
import { placesDb } from './places-db.ts'
import { listPlaces } from './places.ts'
import { landSlip, leaveSlip, strikeSlip } from './slips.ts'

let drawer: ReturnType<typeof fakeDrawer>
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
  drawer = fakeDrawer()
  vi.stubGlobal('localStorage', drawer)
  owner = crypto.randomUUID()
})

test('a book’s later note takes the place of its earlier ones, and leaves those of other books', () => {
  leaveSlip(owner, [heard('salt', 1), heard('salt', 2)])
  leaveSlip(owner, [heard('ferry', 3)])
  leaveSlip(owner, [heard('salt', 4)])
  expect(noted()).toEqual([
    ['ferry', 3],
    ['salt', 4],
  ])
  leaveSlip(owner, [])
  expect(noted()).toHaveLength(2)
})

test('what was written after all is struck out, and an empty note goes away', () => {
  const [salt, ferry] = [heard('salt', 1), heard('ferry', 2)]
  leaveSlip(owner, [salt, ferry])
  const writing = vi.spyOn(drawer, 'setItem')
  strikeSlip(owner, ({ slug }) => slug === 'winters')
  expect(writing).not.toHaveBeenCalled()
  strikeSlip(owner, ({ eventId }) => eventId === salt.eventId)
  expect(noted()).toEqual([['ferry', 2]])
  strikeSlip(owner, () => true)
  expect(drawer.getItem(`murmur.heard.${owner}`)).toBeNull()
})

test('the next page takes over all of it, and nobody else’s', async () => {
  leaveSlip(owner, [heard('salt', 1), heard('ferry', 2)])
  leaveSlip(crypto.randomUUID(), [heard('winters', 3)])
  await landSlip(owner)
  expect((await listPlaces(owner)).map(({ slug }) => slug)).toEqual(['ferry', 'salt'])
  expect(noted()).toEqual([])
})

test('of what cannot all be written, the rest stays noted for the next page', async () => {
  leaveSlip(owner, [heard('salt', 1), heard('ferry', 2), heard('winters', 3)])
  await placesDb.use(owner, async (db) => {
    db.outbox.hook('creating', (_id, { slug }) => {
      if (slug === 'ferry') throw new Error('the disk broke')
    })
  })
  await expect(landSlip(owner)).rejects.toThrow()
  expect(noted()).toEqual([
    ['ferry', 2],
    ['winters', 3],
  ])
})

test('a note never wins over what was heard after it', async () => {
  leaveSlip(owner, [heard('salt', 1)])
  await keepPlace(owner, heard('salt', 9))
  await landSlip(owner)
  expect(await listPlaces(owner)).toMatchObject([{ slug: 'salt', seconds: 9 }])
})
