import { afterAll, beforeAll, expect, test } from 'vitest'
import { listLibraries, type LibraryEntry } from '#contract/library.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn, type TestUser } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { grantTitle } from './service.ts'
import { ownsBook } from './queries.ts'

let shop: TestShop
let reader: TestUser
beforeAll(async () => {
  shop = await testShop()
  reader = await aUser(shop)
})
afterAll(() => shop.close())

const list = async (user: TestUser, query = '') =>
  (await shop.app.inject({ url: `/api/libraries${query}`, headers: await signedIn(shop, user) })).json()

const slugs = (answer: { 'hydra:member': LibraryEntry[] }) =>
  answer['hydra:member'].map(({ audioBook, eBook }) => (audioBook ?? eBook)?.slug)

test('API-49 ENT-28: lists the caller’s own titles newest first, 10 per page, with the total', async () => {
  for (let n = 1; n <= 12; n += 1) {
    const book = await (n % 2 ? anAudioBook : anEBook)(shop, { slug: `owned-${n}`, published: n !== 3 })
    await inLibrary(shop, reader, book, { addedAt: new Date(Date.UTC(2026, 0, n)) })
  }
  await inLibrary(shop, await aUser(shop), await anAudioBook(shop, { slug: 'somebody-else’s' }))

  const first = await list(reader)
  expect(misfits(listLibraries.reply, first)).toEqual([])
  expect(first['hydra:totalItems']).toBe(12)
  expect(slugs(first)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `owned-${n}`))
  expect(slugs(await list(reader, '?page=2'))).toEqual(['owned-2', 'owned-1'])
  expect(slugs(await list(reader, '?page=3'))).toEqual([])
})

test('API-49: each entry has its book as an audiobook or e-book, marked as owned', async () => {
  const [eBook, audioBook]: LibraryEntry[] = (await list(reader))['hydra:member']
  expect(eBook).toMatchObject({
    addedAt: '2026-01-12T00:00:00.000Z',
    audioBook: null,
    eBook: { slug: 'owned-12', inLibrary: true },
  })
  expect(audioBook).toMatchObject({ eBook: null, audioBook: { slug: 'owned-11', inLibrary: true } })
})

test('API-49: requires a token', async () => {
  expect((await shop.app.inject({ url: '/api/libraries' })).statusCode).toBe(401)
})

test('a title is added to a library only once, however often it is granted', async () => {
  const user = await aUser(shop)
  const book = await anAudioBook(shop)
  const title = { userId: user.id, bookId: book.id, source: 'purchase', addedAt: shop.now() } as const
  expect(await ownsBook(shop.db, user.id, book.id)).toBe(false)
  const granted = await Promise.all([grantTitle(shop.db, title), grantTitle(shop.db, title)])
  expect(granted.filter((entryId) => entryId !== null)).toHaveLength(1)
  expect(await grantTitle(shop.db, { ...title, source: 'gift' })).toBeNull()
  expect(await ownsBook(shop.db, user.id, book.id)).toBe(true)
  expect((await list(user))['hydra:totalItems']).toBe(1)
})
