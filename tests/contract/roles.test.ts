import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioBook, EBook } from '#contract/catalogue.ts'
import { aBuyer, type Buyer, fillBag } from '#tests/support/purchases.ts'
import { anAudioBook, anEBook, inLibrary } from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
/** Has no membership. */
let nell: Buyer
let stranger: Buyer

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
  nell = await aBuyer(shop)
  stranger = await aBuyer(shop)
})
afterAll(() => shop.close())

const status = async (url: string, headers = {}) => (await shop.app.inject({ url, headers })).statusCode

test('ROLE-01: without an account the lists, a title with its sample and the search are open', async () => {
  const sampleId = await aStoredFile(shop, Buffer.from('a sample'), 'mp3')
  const book = await anAudioBook(shop, { title: 'Lighthouse', sampleId, edition: true, secondEdition: true })
  const eBook = await anEBook(shop, {})
  const open = [
    'audio_books',
    'audio_books/latest',
    'audio_books/second_editions',
    `audio_books/${book.slug}`,
    `audio_books/${book.slug}/tag_related`,
    'e_books',
    `e_books/${eBook.slug}`,
    'styles',
    'publishers',
    'murmurations',
    'articles',
    'interviews',
    'discussions',
    'homepage_panels',
    'quick_results?keyword=light',
    'searches?keyword=light',
    'search_books?keyword=light',
  ]
  for (const path of open) expect(await status(`/api/${path}`), path).toBe(200)
  const { sample, audioFiles }: AudioBook = (await shop.app.inject(`/api/audio_books/${book.slug}`)).json()
  expect(await status(sample!)).toBe(200)
  expect(audioFiles).toEqual([])
})

test('ROLE-07: a user without a membership has a bag, a library, settings and orders', async () => {
  const own = (await nell.ask('GET', '/api/logged-user')).json()
  expect(own.currentSubscription ?? null).toBeNull()
  const book = await anAudioBook(shop, { priceMinor: 1200 })
  const cart = await fillBag(nell, [{ ...book, kind: 'audio_books' }])
  expect((await nell.ask('GET', '/api/carts/own')).json()).toMatchObject({ uuid: cart, itemCount: 1 })
  await inLibrary(shop, nell.user, await anEBook(shop, {}))
  expect((await nell.ask('GET', '/api/libraries')).json()).toMatchObject({ 'hydra:totalItems': 1 })
  expect((await nell.ask('GET', '/api/order_carts')).json()).toMatchObject({ 'hydra:totalItems': 0 })
  const changed = await nell.ask('PATCH', `/api/users/${nell.user.id}`, { city: 'Whitby' })
  expect(changed.json()).toMatchObject({ city: 'Whitby' })
  for (const path of ['carts/own', 'libraries', 'order_carts'])
    expect(await status(`/api/${path}`), path).toBe(401)
})

test('API-98: another user’s downloads are refused, with any user id in the URL', async () => {
  const book = await aSoundingBook(shop, [{ title: 'One', bytes: Buffer.from('one') }])
  const fileId = await aStoredFile(shop, Buffer.from('an e-book'), 'epub')
  const eBook = await anEBook(shop, { fileId })
  await inLibrary(shop, nell.user, book)
  await inLibrary(shop, nell.user, eBook)
  const heard: AudioBook = (await nell.ask('GET', `/api/audio_books/${book.slug}`)).json()
  const read: EBook = (await nell.ask('GET', `/api/e_books/${eBook.slug}`)).json()
  const own = [heard.audioFiles[0]!.url, heard.download!, read.download!]
  for (const url of own) {
    expect(await status(url), url).toBe(200)
    const [path] = url.split('?')
    for (const forged of [
      path!,
      url.replace(nell.user.id, stranger.user.id),
      url.replace(/sig=.{4}/, 'sig=AAAA'),
      url.replace(/exp=\d+/, 'exp=9999999999'),
    ])
      expect(await status(forged, stranger.headers), forged).toBe(403)
  }
  // The responses to the stranger about the same titles contain no such path.
  const told = [`/api/audio_books/${book.slug}`, `/api/e_books/${eBook.slug}`]
  for (const url of told)
    expect((await stranger.ask('GET', url)).body).not.toMatch(/\/media\/(?:sound|zip|e_books)\//)
})
