import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookTimes } from '#server/db/schema/listening.ts'
import { eventStore } from '#server/features/listening/service.ts'
import { anAudioBook, aUser, inLibrary, type TestBook, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { bringPlaces } from './bring.ts'
import { matchTitle } from './bring.ts'
import { readPlaces } from './read-places.ts'

let shop: TestShop
let nell: TestUser
let ebb: TestBook
let flow: TestBook
beforeAll(async () => {
  shop = await testShop()
  nell = await aUser(shop)
  ebb = await anAudioBook(shop, { title: 'Ebb: A tale of mud' })
  flow = await anAudioBook(shop, { title: 'Flow' })
  for (const book of [ebb, flow]) await inLibrary(shop, nell, book)
})
afterAll(() => shop.close())

const bring = (file: object) => bringPlaces(shop, readPlaces(JSON.stringify(file)))
const places = async () => {
  const rows = await shop.db.select().from(bookTimes)
  return Object.fromEntries(
    rows.map(({ bookId, chapter, seconds, heardAt }) => [
      bookId === ebb.id ? 'ebb' : 'flow',
      `${chapter} at ${seconds}, ${heardAt.toISOString()}`,
    ]),
  )
}
const HOUR_MS = 3_600_000

test('listening: imports places from Audiobookshelf, matched by title; a later place in the shop stays', async () => {
  const ago = (hours: number) => shop.now().getTime() - hours * HOUR_MS
  const iso = (hours: number) => new Date(ago(hours)).toISOString()
  const progress = (libraryItemId: string, currentTime: number, more: object = {}) => ({
    ...{ libraryItemId, currentTime, duration: 3600, isFinished: false, lastUpdate: ago(2) },
    ...more,
  })
  const item = (id: string, title: string, authorName?: string) => ({
    id,
    media: { metadata: { title, authorName } },
  })
  const file = {
    users: [
      {
        email: nell.email.toUpperCase(),
        mediaProgress: [
          progress('1', 700.5),
          progress('2', 0, { isFinished: true, lastUpdate: ago(3) }),
          progress('3', 5),
          progress('9', 5),
        ],
      },
      { username: 'wren', mediaProgress: [progress('1', 5)] },
    ],
    items: { results: [item('1', 'Ebb', 'Ida Frost'), item('2', 'FLOW'), item('3', 'Nowhere')] },
  }
  const who = nell.email.toUpperCase()
  const left = [
    `${who}: the item 9 is not among "items", so its title is not known.`,
    `${who}, “Nowhere”: no audiobook of this name is in their library here.`,
    'wren, “Ebb”: nobody here has the address wren.',
  ]
  expect(await bring(file)).toEqual({ stand: 2, later: 0, notBegun: 0, unmatched: left })
  const first = { ebb: `2 at 100.5, ${iso(2)}`, flow: `3 at 1800, ${iso(3)}` }
  expect(await places()).toEqual(first)
  expect(await bring(file)).toMatchObject({ stand: 2, later: 0 })
  expect(await places()).toEqual(first)

  await eventStore(shop)(nell.id, flow.slug, { chapter: 1, seconds: 30, heardAt: iso(1) })
  expect(await bring(file)).toMatchObject({ stand: 1, later: 1 })
  expect((await places()).flow).toBe(`1 at 30, ${iso(1)}`)
})

test('listening: imports places from a list of titles for each email address', async () => {
  const now = shop.now()
  const said = await bring({
    [nell.email]: [
      { title: 'Flow', currentTime: 9999, lastUpdate: now.toISOString() },
      { title: 'Flow', currentTime: 12 },
      { title: 'Flow', currentTime: 0, isFinished: false },
      { title: 'Flow', currentTime: 12, duration: 7200, lastUpdate: 1 },
      { currentTime: 12 },
    ],
  })
  expect(said).toEqual({
    ...{ stand: 1, later: 0, notBegun: 1 },
    unmatched: [
      `${nell.email}, line 5: has no title.`,
      `${nell.email}, “Flow”: does not say when it was heard ("lastUpdate").`,
      `${nell.email}, “Flow”: is another recording: 120 minutes there, 60 minutes here.`,
    ],
  })
  expect((await places()).flow).toBe(`3 at 1800, ${now.toISOString()}`)
  for (const other of ['[]', '{}', 'no', '{"a": 1}'])
    expect(() => readPlaces(other)).toThrow('It holds either { "ADDRESS"')
})

test('listening: the author decides between two titles with the same name; without an author nothing matches', () => {
  const own = ['Ida Frost', 'Niall Garvey'].map((name) => ({ slug: name, title: 'Peat', authors: [name] }))
  expect(matchTitle(own, { title: 'peat', author: 'Frost, I.' })).toMatchObject({ slug: 'Ida Frost' })
  expect(matchTitle(own, { title: 'Peat', author: undefined })).toMatch(/^several titles/)
  expect(matchTitle(own.slice(0, 1), { title: 'Peat', author: 'Homer' })).toBe(
    'here it is by Ida Frost, there by Homer',
  )
})
