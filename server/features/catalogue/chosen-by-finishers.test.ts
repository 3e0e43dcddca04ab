import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { listChosenByFinishers } from '#contract/catalogue.ts'
import { bookTimes } from '#server/db/schema/listening.ts'
import {
  anAudioBook,
  anEBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let asks: TestUser
beforeAll(async () => {
  shop = await testShop()
  asks = await aUser(shop)
})
afterAll(() => shop.close())

const chosenAfter = async ({ slug }: Pick<TestBook, 'slug'>) => {
  const url = `/api/audio_books/${slug}/chosen_by_finishers`
  return shop.app.inject({ url, headers: await signedIn(shop, asks) })
}
const titlesAfter = async (book: TestBook): Promise<string[]> => {
  const answer = (await chosenAfter(book)).json()
  expect(misfits(listChosenByFinishers.reply, answer)).toEqual([])
  return answer['hydra:member'].map(({ title }: AudioBookCard) => title)
}
/** Accounts that have heard the book up to `seconds` of its last chapter, which has 1,800. */
const listeners = (count: number, book: TestBook, seconds = 1799) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const user = await aUser(shop)
      await inLibrary(shop, user, book)
      const place = { userId: user.id, bookId: book.id, chapter: 3, seconds, heardAt: shop.now() }
      await shop.db.insert(bookTimes).values(place)
      return user
    }),
  )
const choose = (
  users: readonly TestUser[],
  book: TestBook,
  source: 'purchase' | 'credit' | 'gift' = 'purchase',
) => Promise.all(users.map((user) => inLibrary(shop, user, book, { source })))

test('month: others who finished a book chose these: by ten people or more, the most chosen first', async () => {
  const [book, ten, eleven, nine] = await Promise.all(
    ['Finished', 'Ten', 'Eleven', 'Nine'].map((title) => anAudioBook(shop, { title })),
  )
  const users = await listeners(11, book!)
  await choose(users.slice(1), ten!, 'credit')
  await choose(users, eleven!)
  await choose(users.slice(2), nine!)
  expect(await titlesAfter(book!)).toEqual(['Eleven', 'Ten'])
})

test('month: only finishers count, and only audiobooks on sale that they chose themselves', async () => {
  const [book, other, gift, withdrawn] = await Promise.all([
    ...['Finished', 'Other', 'Given'].map((title) => anAudioBook(shop, { title })),
    anAudioBook(shop, { title: 'Draft', published: false }),
  ])
  const text = await anEBook(shop, { title: 'Text' })
  const [halfway, done] = [await listeners(12, book, 900), await listeners(10, book)]
  await choose(halfway, other!)
  await choose(done, gift!, 'gift')
  for (const each of [withdrawn!, text]) await choose(done, each)
  expect(await titlesAfter(book)).toEqual([])
})

test('an unknown book has no such list, and the counts of a day are queried once', async () => {
  expect((await chosenAfter({ slug: 'no-such-book' })).statusCode).toBe(404)
  const [book, ten] = [await anAudioBook(shop), await anAudioBook(shop, { title: 'Ten' })]
  const users = await listeners(10, book)
  expect(await titlesAfter(book)).toEqual([])
  await choose(users, ten)
  expect(await titlesAfter(book)).toEqual([])
})
