import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookTimes } from '#server/db/schema/listening.ts'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
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

/** A place from the old shop: no event and no device. */
async function imported(): Promise<void> {
  await shop.db
    .insert(bookTimes)
    .values({ userId: nell.id, bookId: book.id, chapter: 1, seconds: 30, heardAt: shop.now() })
  shop.clock.advance(60)
}
const hear = (event: object) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/user_audio_book_times',
    headers,
    payload: { audioBook: `/api/audio_books/${book.slug}`, eventId: randomUUID(), ...event },
  })

test('a place without an event is offered to a device that did not report what it knew', async () => {
  await imported()
  const answer = await hear({ chapter: 3, seconds: 5 })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ chapter: 3, otherPlace: { chapter: 1, seconds: 30, eventId: null } })
})

test('a device that received a place without an event moves on from it, and the history has it', async () => {
  await imported()
  const { id, otherPlace } = (await hear({ chapter: 3, seconds: 5, basedOn: null })).json()
  expect(otherPlace).toBeNull()
  const history = await shop.app.inject({ url: `/api/user_audio_book_times/${id}/history`, headers })
  expect(history.json()['hydra:member']).toMatchObject([{ chapter: 1, seconds: 30, eventId: null }])
})

test('an audiobook without chapters exists, but has no place', async () => {
  book = await anAudioBook(shop, { chapters: [] })
  await inLibrary(shop, nell, book)
  const answer = await hear({ chapter: 1, seconds: 0 })
  expect([answer.statusCode, answer.json().violations[0].propertyPath]).toEqual([422, 'chapter'])
})
