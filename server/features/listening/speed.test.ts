import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const PHONE = '11111111-1111-4111-8111-111111111111'
const TABLET = '22222222-2222-4222-8222-222222222222'

let shop: TestShop
let nell: TestUser
let headers: { xtoken: string }
let book: TestBook
let id: string

beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  nell = await aUser(shop)
  headers = await signedIn(shop, nell)
  book = await anAudioBook(shop)
  await inLibrary(shop, nell, book)
  id = (await hear()).json().id
})
afterAll(() => shop.close())

type Sent = Record<string, unknown>
const hear = (sent: Sent = {}) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/user_audio_book_times',
    headers,
    payload: { audioBook: `/api/audio_books/${book.slug}`, chapter: 1, seconds: 30, ...sent },
  })
const choose = (sent: Sent, as = headers, row = id) =>
  shop.app.inject({
    method: 'PUT',
    url: `/api/user_audio_book_times/${row}/speed`,
    headers: as,
    payload: sent,
  })
const standing = async () =>
  (await shop.app.inject({ url: '/api/user_audio_book_times', headers })).json()['hydra:member'][0]
const secondsAgo = (seconds: number) => new Date(shop.now().getTime() - seconds * 1000).toISOString()

test('a book’s speed is stored with its place for all devices; places do not change it', async () => {
  expect(await standing()).toMatchObject({ speed: null, speedChosenAt: null })
  const chosen = await choose({ speed: 1.5, deviceId: PHONE, agoSeconds: 2 })
  expect(chosen.json()).toMatchObject({
    audioBook: `/api/audio_books/${book.slug}`,
    speed: 1.5,
    chosenAt: secondsAgo(2),
    serverTime: secondsAgo(0),
  })
  shop.clock.advance(60)
  await hear({ chapter: 2, deviceId: TABLET })
  expect(await standing()).toMatchObject({ chapter: 2, speed: 1.5, speedChosenAt: secondsAgo(62) })
})

test('the speed chosen last wins, in any order of arrival and despite wrong clocks', async () => {
  await choose({ speed: 2, deviceId: PHONE, chosenAt: secondsAgo(10) })
  const late = await choose({ speed: 0.5, deviceId: TABLET, chosenAt: secondsAgo(60) })
  expect(late.json()).toMatchObject({ speed: 2, chosenAt: secondsAgo(10) })
  // A day ahead by its clock, but a minute ago by `agoSeconds`.
  await choose({ speed: 0.5, deviceId: TABLET, chosenAt: secondsAgo(-86_400), agoSeconds: 60 })
  expect(await standing()).toMatchObject({ speed: 2 })
  await choose({ speed: 1.2, deviceId: TABLET, chosenAt: secondsAgo(5) })
  expect(await standing()).toMatchObject({ speed: 1.2 })
})

test('one of two speeds chosen at the same moment wins, in any order', async () => {
  for (const order of [
    [1.5, 2, 1],
    [2, 1, 1.5],
  ]) {
    shop.clock.advance(60)
    await Promise.all(order.map((speed) => choose({ speed, agoSeconds: 0 })))
    expect(await standing()).toMatchObject({ speed: 2 })
  }
})

test('another account’s or an unknown row is 404; a speed has limits', async () => {
  const stranger = await signedIn(shop, await aUser(shop))
  const refusals = [
    await choose({ speed: 2 }, stranger),
    await choose({ speed: 2 }, headers, randomUUID()),
    await choose({ speed: 2 }, headers, 'mine'),
    await choose({ speed: 0.4 }),
    await choose({ speed: 2.1 }),
    await choose({ speed: null }),
  ]
  expect(refusals.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 422, 422, 400])
  expect(await standing()).toMatchObject({ speed: null })
})
