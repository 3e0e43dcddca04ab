import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  anAudioBook,
  anEBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { fc } from '#tests/support/random.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let nell: TestUser
let headers: { xtoken: string }
let book: TestBook

beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  nell = await aUser(shop)
  headers = await signedIn(shop, nell)
  book = await anAudioBook(shop)
  await inLibrary(shop, nell, book)
})
afterAll(() => shop.close())

type Sent = Record<string, unknown>
const call = (method: 'GET' | 'PUT', url: string, payload?: Sent, as = headers) =>
  shop.app.inject({ method, url, headers: as, ...(payload ? { payload } : {}) })
const put = (id: string, sent: Sent = {}, as = headers) =>
  call(
    'PUT',
    `/api/user_queue/${id}`,
    { audioBook: `/api/audio_books/${book.slug}`, position: 'a0', ...sent },
    as,
  )
const queue = async (as = headers): Promise<Sent[]> =>
  (await call('GET', '/api/user_queue', undefined, as)).json()['hydra:member']
const secondsAgo = (seconds: number) => ({ agoSeconds: seconds, eventId: randomUUID() })

test('listening: all devices see the same queue, in the order of its fractional positions', async () => {
  const positions = ['a1', 'Zz', 'a0V', 'a0']
  const ids = positions.map(() => randomUUID())
  for (const [at, position] of positions.entries())
    expect((await put(ids[at]!, { position })).json()).toMatchObject({ removed: false, position })
  const elsewhere = await queue(await signedIn(shop, nell))
  expect(elsewhere.map(({ position }) => position)).toEqual(['Zz', 'a0', 'a0V', 'a1'])
  expect(elsewhere[0]).toMatchObject({ id: ids[1], audioBook: `/api/audio_books/${book.slug}` })
})

test('listening: the newer change of a queue row wins, also a removal, in any order of arrival', async () => {
  const ACTS: { position: string; removed?: boolean; agoSeconds: number; eventId: string }[] = [
    { position: 'a1', ...secondsAgo(30) },
    { position: 'a2', removed: true, ...secondsAgo(20) },
    { position: 'a3', ...secondsAgo(10) },
    { position: 'a4', removed: true, ...secondsAgo(5) },
  ]
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(ACTS, { minLength: 1 }), async (sent) => {
      const id = randomUUID()
      let last
      // Each is repeated, as if its response was lost.
      for (const act of [...sent, ...sent]) last = (await put(id, act)).json()
      const holds = sent.toSorted((one, other) => one.agoSeconds - other.agoSeconds)[0]!
      expect(last).toMatchObject({ position: holds.position, removed: holds.removed ?? false })
      expect((await queue()).some((row) => row.id === id)).toBe(holds.removed !== true)
    }),
    { numRuns: 8 },
  )
})

test('listening: if two devices write one row at once, the later change wins', async () => {
  const id = randomUUID()
  await Promise.all([3, 1, 2].map((ago) => put(id, { position: `a${ago}`, ...secondsAgo(ago * 10) })))
  expect(await queue()).toMatchObject([{ id, position: 'a1' }])
})

test('listening: only owned titles can be queued, and another listener’s queue cannot be seen or changed', async () => {
  const id = randomUUID()
  await put(id, { position: 'a5' })
  const stranger = await signedIn(shop, await aUser(shop))
  const ebook = await anEBook(shop)
  await inLibrary(shop, nell, ebook)
  const refused = [
    await put(id, {}, stranger),
    await put(randomUUID(), { audioBook: `/api/audio_books/${(await anAudioBook(shop)).slug}` }),
    await put(randomUUID(), { audioBook: `/api/audio_books/${ebook.slug}` }),
    // The id of a row of another kind.
    await call('PUT', `/api/user_shelves/${id}`, { name: 'Winter', position: 'a0' }),
  ]
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
  expect((await put('no-id')).statusCode).toBe(404)
  expect((await put(randomUUID(), { position: 'ä' })).statusCode).toBe(422)
  expect(await queue(stranger)).toEqual([])
  expect(await queue()).toMatchObject([{ id, position: 'a5' }])
})

test('listening: shelves have names and titles of both formats, and are the same on all devices', async () => {
  const shelf = randomUUID()
  const ebook = await anEBook(shop)
  await inLibrary(shop, nell, ebook)
  // The title may arrive before its shelf.
  const placed = await call('PUT', `/api/user_shelf_titles/${randomUUID()}`, {
    ...{ shelf, title: `/api/e_books/${ebook.slug}`, position: 'a0' },
  })
  expect(placed.statusCode).toBe(200)
  for (const [ago, name] of ['For the winter', 'Winter'].entries())
    await call('PUT', `/api/user_shelves/${shelf}`, { name, position: 'a0', ...secondsAgo(ago + 1) })
  const elsewhere = await signedIn(shop, nell)
  const list = async (path: string) => (await call('GET', path, undefined, elsewhere)).json()['hydra:member']
  expect(await list('/api/user_shelves')).toMatchObject([{ id: shelf, name: 'For the winter' }])
  expect(await list('/api/user_shelf_titles')).toMatchObject([{ shelf, title: `/api/e_books/${ebook.slug}` }])
  await call('PUT', `/api/user_shelves/${shelf}`, { name: 'For the winter', position: 'a0', removed: true })
  expect(await list('/api/user_shelves')).toEqual([])
  expect((await call('PUT', `/api/user_shelves/${shelf}`, { name: ' ', position: 'a0' })).statusCode).toBe(
    422,
  )
})
