import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioBookCard } from '#contract/catalogue.ts'
import * as contract from '#contract/catalogue.ts'
import { languages, locations, styles } from '#server/db/schema/catalogue.ts'
import { nationalities } from '#server/db/schema/people.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { heardStatements } from '#tests/support/statement-log.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aCategory, aPerson, aPublisher, linked, named } from '#tests/support/catalogue-builders.ts'
import { soon } from '#tests/support/wait-for.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let ids: Record<'storm' | 'calm' | 'harbour' | 'norway' | 'chile' | 'memoir' | 'lantern', number>

// Thirty audiobooks, each an hour newer than the one before, and two e-books.
beforeAll(async () => {
  shop = await testShop()
  ids = {
    storm: await named(shop, styles, 'Storm'),
    calm: await named(shop, styles, 'Calm'),
    harbour: await named(shop, locations, 'Harbour'),
    norway: await named(shop, nationalities, 'Norwegian'),
    chile: await named(shop, nationalities, 'Chilean'),
    memoir: await aCategory(shop, 'Memoir'),
    lantern: await aPublisher(shop, 'lantern-row', 'Lantern Row'),
  }
  await named(shop, languages, 'English')
  const sigrid = await aPerson(shop, 'Sigrid', 'Dahl', 'Norwegian')
  const pablo = await aPerson(shop, 'Pablo', 'Rojas', 'Chilean')
  const start = shop.now().getTime()
  for (let n = 1; n <= 30; n += 1) {
    const book = await anAudioBook(shop, {
      slug: `book-${n}`,
      title: `Book ${n}`,
      listedAt: new Date(start + n * 3_600_000),
      lengthMinutes: n * 30,
      published: n !== 29,
      secondEdition: n % 10 === 0,
      availableAsCard: n === 4 || n === 5,
      styleId: n <= 10 ? ids.storm : ids.calm,
      categoryId: n % 2 ? ids.memoir : null,
      publisherId: n > 25 ? ids.lantern : null,
      embargoed: n === 28,
      blockedCountries: n === 30 ? ['US'] : [],
      featuredPosition: [3, 1, 2][[7, 8, 29].indexOf(n)] ?? null,
      ...(n === 4 ? { spiSin: '9001000000017' } : {}),
      chapters: [],
    })
    await linked(shop, book, {
      authors: [n === 3 ? sigrid : pablo],
      narrators: [sigrid],
      locations: n === 6 || n === 7 ? ['Harbour'] : [],
      tags: n <= 3 || n >= 28 ? ['sea', ...(n === 2 ? ['salt'] : []), ...(n === 1 ? ['salt'] : [])] : [],
    })
  }
  await anEBook(shop, { slug: 'thin', pages: 90, styleId: ids.storm })
  const thick = await anEBook(shop, { slug: 'thick', pages: 500 })
  await linked(shop, thick, { authors: [sigrid], tags: ['sea'] })
})
afterAll(() => shop.close())

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await shop.app.inject({ url, headers })
  return { status: answer.statusCode, body: answer.json() }
}
async function slugs(url: string, headers?: Record<string, string>): Promise<string[]> {
  const { body } = await get(url, headers)
  return body['hydra:member'].map(({ slug }: AudioBookCard) => slug)
}
const books = (...numbers: number[]) => numbers.map((n) => `book-${n}`)
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `book-${from - index}`)
/** Newest first, down to `to`. 29 is not published, so it comes last; 28 is embargoed and not listed. */
const shelf = (to: number) => [...books(30), ...down(27, to), ...books(29)]

test('API-26 API-04: lists audiobooks newest first, 12 per page, with the total and links to the neighbouring pages', async () => {
  const { status, body } = await get('/api/audio_books')
  expect(status).toBe(200)
  expect(body['hydra:member'].map((card: AudioBookCard) => card.slug)).toEqual(shelf(1).slice(0, 12))
  expect(body['hydra:totalItems']).toBe(29)
  expect(body['hydra:view']).toMatchObject({
    'hydra:next': '/api/audio_books?page=2',
    'hydra:last': '/api/audio_books?page=3',
  })
  expect(misfits(contract.listAudioBooks.reply, body)).toEqual([])
})

test('API-26: the pages follow on from each other, up to the last and beyond', async () => {
  expect(await slugs('/api/audio_books?page=2')).toEqual(down(16, 5))
  expect(await slugs('/api/audio_books?_page=3')).toEqual([...down(4, 1), ...books(29)])
  expect(await slugs('/api/audio_books?page=4')).toEqual([])
  expect(await slugs('/api/audio_books?itemsPerPage=7&page=4')).toEqual(down(7, 1))
  expect(await slugs('/api/audio_books?itemsPerPage=200')).toEqual(shelf(1))
})

test('books that cannot be bought come last in a list; embargoed books are not listed', async () => {
  expect((await slugs('/api/audio_books?itemsPerPage=200')).slice(-2)).toEqual(books(1, 29))
  expect(await slugs('/api/audio_books?itemsPerPage=4&page=8')).toEqual(books(29))
  expect(await slugs(`/api/audio_books?publishers[]=${ids.lantern}&itemsPerPage=2&page=2`)).toEqual(
    books(26, 29),
  )
})

test.each([
  ['page=0', 400],
  ['itemsPerPage=201', 400],
  ['styles[]=storm', 400],
])('API-26: %s is refused', async (query, status) => {
  expect((await get(`/api/audio_books?${query}`)).status).toBe(status)
})

test('API-26: each filter finds its own books', async () => {
  const found = (query: string) => slugs(`/api/audio_books?itemsPerPage=200&${query}`)
  expect(await found(`styles[]=${ids.storm}`)).toEqual(down(10, 1))
  expect(await found(`styles[]=${ids.storm},${ids.calm}`)).toHaveLength(29)
  expect(await found(`styles[]=${ids.storm}&styles[]=${ids.calm}`)).toHaveLength(29)
  expect(await found('styles[]=4711')).toEqual([])
  expect(await found(`categories[]=${ids.memoir}`)).toHaveLength(15)
  expect(await found(`locations[]=${ids.harbour}`)).toEqual(books(7, 6))
  expect(await found(`publishers[]=${ids.lantern}`)).toEqual(shelf(26))
})

test('API-26: the nationality filter applies to authors, not narrators', async () => {
  expect(await slugs(`/api/audio_books?nationalities[]=${ids.norway}`)).toEqual(['book-3'])
  expect(await slugs(`/api/audio_books?itemsPerPage=200&nationalities[]=${ids.chile}`)).toHaveLength(28)
  expect(await slugs(`/api/e_books?nationalities[]=${ids.norway}`)).toEqual(['thick'])
})

test('API-26: the length filter compares the whole hours shown on a card; the pages filter is a minimum', async () => {
  const found = (query: string) => slugs(`/api/audio_books?itemsPerPage=200&${query}`)
  expect(await found('lengthHours[gte]=8')).toEqual(shelf(16))
  expect(await found('lengthHours[lte]=9')).toEqual(down(19, 1))
  expect(await found('lengthHours[gte]=1&lengthHours[lte]=1')).toEqual(books(3, 2))
  expect(await slugs('/api/e_books?pages[gte]=100')).toEqual(['thick'])
  expect(await slugs('/api/e_books?pages[gte]=90')).toHaveLength(2)
})

test('API-26: several filters are combined', async () => {
  expect(
    await slugs(
      `/api/audio_books?styles[]=${ids.storm}&locations[]=${ids.harbour}&categories[]=${ids.memoir}`,
    ),
  ).toEqual(['book-7'])
})

test('API-50 API-96: finds an audiobook by its spiSIN as the first member, and lists the titles available as cards', async () => {
  expect(await slugs('/api/audio_books?spiSIN=9001000000017')).toEqual(['book-4'])
  expect(await slugs('/api/audio_books?spiSIN=9001000000000')).toEqual([])
  expect(await slugs('/api/audio_books?availableAsCard=true')).toEqual(books(5, 4))
  expect(await slugs('/api/audio_books?availableAsCard=false&itemsPerPage=200')).toHaveLength(27)
})

test('API-29: the highlights are the second editions, filtered by a style if given', async () => {
  const { body } = await get('/api/audio_books/second_editions')
  expect(body['hydra:member'].map((card: AudioBookCard) => card.slug)).toEqual(books(30, 20, 10))
  expect(body['hydra:member'].every((card: AudioBookCard) => card.currentlyHighlighted)).toBe(true)
  expect(await slugs(`/api/audio_books/second_editions?styles[]=${ids.storm}`)).toEqual(['book-10'])
  expect(await slugs('/api/audio_books/second_editions?page=2&itemsPerPage=2')).toEqual(['book-10'])
})

test('API-30: the latest titles are the newest published ones, without embargoed ones', async () => {
  expect(await slugs('/api/audio_books/latest?itemsPerPage=4')).toEqual(books(30, 27, 26, 25))
})

test('API-28: related books are published books with shared tags, most tags first, without the book itself', async () => {
  expect(await slugs('/api/audio_books/book-1/tag_related')).toEqual(books(2, 30, 3))
  const { body } = await get('/api/audio_books/book-1/tag_related?itemsPerPage=2&page=2')
  expect(body['hydra:totalItems']).toBe(3)
  expect(body['hydra:member'].map((card: AudioBookCard) => card.slug)).toEqual(['book-3'])
  expect(await slugs('/api/e_books/thick/tag_related')).toEqual([])
  expect((await get('/api/audio_books/no-such-book/tag_related')).status).toBe(404)
})

test('featured audiobooks are in the owner’s order, published ones only', async () => {
  expect(await slugs('/api/home_panels_featured_audio_books')).toEqual(books(8, 7))
})

test('API-31: returns id and title of all styles in one page', async () => {
  const { body } = await get('/api/styles?itemsPerPage=200')
  expect(body['hydra:member']).toEqual([
    { '@id': `/api/styles/${ids.calm}`, '@type': 'Style', id: ids.calm, title: 'Calm' },
    { '@id': `/api/styles/${ids.storm}`, '@type': 'Style', id: ids.storm, title: 'Storm' },
  ])
})

test('API-34: returns up to 50 publishers with their slugs', async () => {
  for (let n = 0; n < 51; n += 1) await aPublisher(shop, `press-${n}`, `Press ${n}`)
  const { body } = await get('/api/publishers')
  expect(body['hydra:member']).toHaveLength(50)
  expect(body['hydra:totalItems']).toBe(52)
  expect(body['hydra:member'][0]).toMatchObject({ name: 'Lantern Row', slug: 'lantern-row' })
})

test('marks what each country cannot buy, also in cached lists', async () => {
  const blocked = async (country: string) => {
    const { body } = await get('/api/audio_books?itemsPerPage=1', { 'cf-ipcountry': country })
    return body['hydra:member'][0].geoBlocked
  }
  for (let round = 0; round < 2; round += 1) {
    expect(await blocked('US')).toBe(true)
    expect(await blocked('GB')).toBe(false)
  }
})

test('marks what the reader owns and what is blocked in their country, and the response is not shared', async () => {
  const user = await aUser(shop, { countryCode: 'US' })
  const [card] = (await get('/api/audio_books?spiSIN=9001000000017')).body['hydra:member']
  await inLibrary(shop, user, card)
  const answer = await shop.app.inject({
    url: '/api/audio_books?itemsPerPage=200',
    headers: await signedIn(shop, user),
  })
  const cards: AudioBookCard[] = answer.json()['hydra:member']
  expect(cards.filter(({ inLibrary: owned }) => owned).map(({ slug }) => slug)).toEqual(['book-4'])
  expect(cards.filter(({ geoBlocked }) => geoBlocked).map(({ slug }) => slug)).toEqual(['book-30'])
  expect(answer.headers['cache-control']).toBe('private, no-store')
})

test('paging through a list queries one page at a time, and from the fourth page on the ids are cached', async () => {
  const page = (n: number) => `/api/audio_books?styles[]=${ids.calm}&itemsPerPage=1&page=${n}`
  const alone: string[][] = []
  for (let n = 1; n <= 18; n += 1) {
    shop.answers.clear()
    alone.push(await slugs(page(n)))
  }
  shop.answers.clear()
  const costs = async (n: number) => {
    let walked: string[] = []
    const heard = await heardStatements(async () => (walked = await slugs(page(n))))
    expect(walked).toEqual(alone[n - 1])
    return heard.filter((text) => !text.includes('cover_alt')).length
  }
  // The count and a page; two single pages; the fourth page and the whole list.
  expect([await costs(15), await costs(1), await costs(3), await costs(4)]).toEqual([2, 1, 1, 2])
  let n = 4
  await soon(async () => expect(await costs((n += 1))).toBe(0))
  expect([await costs(18), await costs(2)]).toEqual([0, 0])
})

test('counts and lists a new title once the catalogue has changed', async () => {
  expect((await get('/api/e_books')).body['hydra:totalItems']).toBe(2)
  await anEBook(shop, { slug: 'brand-new', listedAt: new Date(shop.now().getTime() + 3_600_000) })
  shop.answers.clear()
  const { body } = await get('/api/e_books')
  expect(body['hydra:totalItems']).toBe(3)
  expect(body['hydra:member'][0].slug).toBe('brand-new')
  expect(misfits(contract.listEBooks.reply, body)).toEqual([])
})
