import { type SQL, sql } from 'drizzle-orm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogueIndex } from '#contract/catalogue-index.ts'
import { openCatalogue } from '#contract/calculations/indexed-catalogue.ts'
import { CATALOGUE_INDEX } from '#contract/limits.ts'
import { indexOf } from '#server/features/catalogue-index/service.ts'
import { readerOf } from '#server/features/catalogue/service.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import { namePeople } from '#server/features/catalogue/name-people-queries.ts'
import { anAudioBook, anEBook, aUser, signedIn } from '#tests/support/builders.ts'
import { fc } from '#tests/support/random.ts'
import { aPerson, aSeries, linked } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { aMurmurationType, anAuthor, anItem } from '#tests/support/editorial-builders.ts'
import { seedCatalogue } from '../../bench/seed.ts'
import { answerOf } from '../../sw/offline/offline-answer.ts'

const TITLES = 240

let shop: TestShop
let words: string[]
let people: string[]

// The shop has the benchmark's titles, plus one of every kind that those lack.
beforeAll(async () => {
  shop = await testShop()
  await seedCatalogue(shop.db, TITLES)
  const author = await aPerson(shop, 'Ada', 'Reed', 'Nationality 1')
  const made = []
  for (const [n, title] of ['The Quiet Ferry', 'The Quiet Shore', 'A Quiet Winter'].entries()) {
    const other = await anEBook(shop, { slug: `quiet-${n}`, title, priceMinor: 799 })
    const book = await anAudioBook(shop, {
      slug: `quiet-${n}`,
      title,
      counterpartId: other.id,
      memoir: n === 0,
      writersDilemma: n === 1,
      violence: n === 1,
      spiSin: `978000000000${n}`,
      featuredPosition: n,
      blockedCountries: n === 2 ? ['DE'] : [],
      metaKeywords: 'lighthouse, boats',
      summary: `<p>By the water &amp; the ${title}.</p>`,
    })
    // Credited twice, as for a story and its foreword; it still counts as one title.
    const authors = n === 0 ? [author, author] : [author]
    await linked(shop, book, { authors, tags: ['sea', 'tag 1'], locations: ['Cove'] })
    await linked(shop, other, { authors: [author], tags: ['sea'] })
    made.push(book, other)
  }
  await shop.db.execute(
    sql`update books e set counterpart_id = b.id from books b where b.counterpart_id = e.id`,
  )
  const announced = await anAudioBook(shop, {
    slug: 'not-yet',
    title: 'Not Yet a Ferry',
    state: 'listed',
    preorder: '2027-01-01',
    chapters: [],
  })
  await anAudioBook(shop, { slug: 'held-back', title: 'Held Back', embargoed: true, chapters: [] })
  await aSeries(shop, 'The Quiet Years', [
    { books: [made[0]!, made[1]!], number: '1', story: 2 },
    { books: [made[2]!], number: '2', story: 1 },
    { title: 'A Quiet End', number: '3' },
  ])
  const [essays, writer] = [await aMurmurationType(shop, 'Essays'), await anAuthor(shop, 'Mina', 'Tallis')]
  for (let n = 0; n < 12; n += 1)
    await anItem(shop, {
      kind: (['article', 'interview', 'discussion'] as const)[n % 3]!,
      slug: `piece-${n}`,
      title: `${['Rooms', 'Harbours', 'Letters'][n % 3]} of ${n}`,
      shortDescription: 'A ferry, seen from the pier.',
      main: '<p>Lanterns and water.</p>',
      typeId: n % 2 ? essays : null,
      authorId: writer,
      hideAuthor: n === 3,
      memberOnly: n === 4,
      ...(n === 2 && {
        startsAt: new Date('2100-05-01T17:00:00Z'),
        place: 'The swing bridge',
        seats: 12,
        goodToKnow: ['No steps.'],
      }),
      publishedAt: new Date(shop.now().getTime() - n * 3_600_000),
      about: n < 4 ? [made[0]!, announced] : [],
    })
  await shop.db.execute(
    sql`update books set bookseller_words = 'Go by boat.', bookseller_name = 'Hana' where slug = 'quiet-0'`,
  )
  await shop.db.execute(sql`update people set about = 'She writes at night.' where last_name = 'Reed'`)
  await namePeople(shop.db)
  await refreshSearch(shop.db)
  await countListedWordsOnce()
  shop.answers.clear()
  const named = await shop.db.execute<{ title: string }>(sql`select title from books order by id`)
  words = [...new Set(named.rows.flatMap(({ title }) => title.split(' ')).filter((word) => word.length > 3))]
  const persons = await shop.db.execute<{ slug: string }>(
    sql`select slug from people p where exists (select from book_people bp join books b on b.id = bp.book_id
      where bp.person_id = p.id and b.sellable is not null) order by id`,
  )
  people = persons.rows.map(({ slug }) => slug)
})
afterAll(() => shop.close())

/**
 * Removes an expected difference: the server's word list includes unlisted titles, and counts a title's words again
 * on every change, which decides between equally close corrections (decision 35).
 */
async function countListedWordsOnce() {
  const idsOf = async (table: SQL) =>
    (await shop.db.execute<{ id: number }>(sql`select id from ${table}`)).rows.map(({ id }) => id)
  const bookIds = await idsOf(sql`books where sellable is not null`)
  const itemIds = await idsOf(sql`editorial_items where published`)
  await shop.db.execute(sql`delete from search_words`)
  await refreshSearch(shop.db, { bookIds, itemIds })
}

const inJson = async (url: string, headers: Record<string, string> = {}) =>
  (await shop.app.inject({ url, headers })).json<unknown>()
const theIndex = async (headers: Record<string, string> = {}) =>
  (await inJson('/api/catalogue_index', headers)) as CatalogueIndex

/** The responses of the server and the device to the same URL. */
async function bothAnswers(catalogue: ReturnType<typeof openCatalogue>, url: string) {
  const device = await answerOf(catalogue, new URL(url, 'http://shop'))
  return { server: await inJson(url), device: JSON.parse(JSON.stringify(device ?? null)) as unknown }
}

const some = (most: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 3 })
const query = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record(fields, { requiredKeys: [] })
    .map((chosen) =>
      new URLSearchParams(Object.entries(chosen).map(([name, value]) => [name, String(value)])).toString(),
    )
const paging = {
  page: fc.integer({ min: 1, max: 6 }),
  itemsPerPage: fc.constantFrom(1, 5, 12, 30),
}
/** Combines only a few filters at once, so that most queries find something. */
const filters = {
  'styles[]': some(6),
  'categories[]': some(6),
  'locations[]': some(5),
  'publishers[]': fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 40, maxLength: 80 }),
  'nationalities[]': some(8),
  'authors[]': some(40),
  'narrators[]': some(40),
  'series[]': some(1),
  'lengthHours[gte]': fc.integer({ min: 0, max: 12 }),
  'lengthHours[lte]': fc.integer({ min: 0, max: 12 }),
  'pages[gte]': fc.integer({ min: 0, max: 1000 }),
  availableAsCard: fc.boolean(),
  edition: fc.boolean(),
  memoir: fc.boolean(),
  writersDilemma: fc.boolean(),
}
const listing = fc
  .tuple(
    fc.constantFrom('audio_books', 'e_books'),
    fc
      .subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 2 })
      .chain((names) =>
        query({ ...paging, ...Object.fromEntries(names.map((name) => [name, filters[name]])) }),
      ),
  )
  .map(([kind, search]) => `/api/${kind}${search && `?${search}`}`)

test('an offline device lists the catalogue as the server does, by every filter and page', async () => {
  const catalogue = openCatalogue(await theIndex())
  expect(catalogue).toMatchObject({ complete: true, version: CATALOGUE_INDEX.version })
  await fc.assert(
    fc.asyncProperty(listing, async (url) => {
      const { server, device } = await bothAnswers(catalogue, url)
      expect(device, url).toEqual(server)
    }),
    { numRuns: 150 },
  )
})

test('lookups, shelves, people, series, publishers and the journal are the same on an offline device', async () => {
  const catalogue = openCatalogue(await theIndex())
  const addresses = [
    '/api/audio_books/second_editions?page=1&itemsPerPage=8',
    '/api/audio_books/latest?styles[]=1,2',
    '/api/home_panels_featured_audio_books',
    '/api/styles?itemsPerPage=200',
    '/api/categories?itemsPerPage=200',
    '/api/locations?itemsPerPage=200',
    '/api/nationalities?itemsPerPage=200',
    '/api/publishers?itemsPerPage=50',
    '/api/publishers?itemsPerPage=50&withBooks=true',
    '/api/publishers/publisher-3',
    '/api/publishers/publisher-3/audio_books?page=1&itemsPerPage=12',
    '/api/series',
    '/api/series/the-quiet-years',
    '/api/audio_books/quiet-0/tag_related?page=1&itemsPerPage=8',
    '/api/e_books/quiet-1/tag_related?page=1&itemsPerPage=8',
    ...['ada-reed', ...people.slice(0, 6)].map((slug) => `/api/people/${slug}`),
    '/api/articles?_page=1&itemsPerPage=5',
    '/api/interviews?_page=1&itemsPerPage=5',
    '/api/discussions',
    '/api/articles/piece-0',
    '/api/interviews/piece-4',
    '/api/discussions/piece-2',
    '/api/types/murmurations',
    '/api/murmurations?_page=2&itemsPerPage=5&sort=publishedAt&direction=desc',
    '/api/murmurations?sort=title',
    '/api/murmurations?sort=title&direction=desc&types=1',
    '/api/murmurations?keyword=ferry&search[]=articles',
    '/api/murmurations?keyword=lanterns&sort=title&direction=asc',
  ]
  for (const url of addresses) {
    const { server, device } = await bothAnswers(catalogue, url)
    expect(device, url).toEqual(server)
  }
})

test('a book’s page on an offline device has the index’s data, and nothing wrong', async () => {
  const catalogue = openCatalogue(await theIndex())
  for (const url of ['/api/audio_books/quiet-1', '/api/e_books/quiet-0', '/api/audio_books/title-number-1']) {
    const { server, device } = await bothAnswers(catalogue, url)
    const without = {
      chapters: [],
      sample: null,
      sampleSeconds: null,
      metaDescription: null,
      publisherBookLink: null,
      publisherBookName: null,
    }
    expect(device, url).toEqual({ ...(server as object), ...without })
  }
  expect(await answerOf(catalogue, new URL('http://shop/api/audio_books/held-back'))).toBeUndefined()
  expect(await answerOf(catalogue, new URL('http://shop/api/audio_books/unheard-of'))).toBeUndefined()
})

test('an offline device finds what the server finds, in the same order', async () => {
  const catalogue = openCatalogue(await theIndex())
  const typed = fc
    .tuple(
      fc.constantFrom(...words),
      fc.constantFrom(...words, '', '', 'ferry', 'quiet', 'Ada Reed'),
      fc.nat(12),
    )
    .map(([one, two, cut]) => `${one} ${two}`.trim().slice(0, Math.max(3, 14 - cut)))
  const asked = fc.oneof(
    fc.tuple(fc.constant('quick_results'), query({ together: fc.boolean() }), typed),
    fc.tuple(fc.constant('searches'), query(paging), typed),
    fc.tuple(
      fc.constant('search_books'),
      query({
        ...paging,
        sort: fc.constantFrom('relevance', 'name'),
        direction: fc.constantFrom('asc', 'desc'),
        styles: some(6),
        lengthHours: fc.integer({ min: 1, max: 9 }),
        together: fc.boolean(),
      }),
      typed,
    ),
  )
  await fc.assert(
    fc.asyncProperty(asked, async ([call, search, keyword]) => {
      const url = `/api/${call}?keyword=${encodeURIComponent(keyword)}${search && `&${search}`}`
      const { server, device } = await bothAnswers(catalogue, url)
      expect(device, url).toEqual(server)
    }),
    { numRuns: 100 },
  )
  const together = await bothAnswers(catalogue, '/api/search_books?keyword=quiet&together=true&sort=name')
  expect(together.device).toEqual(together.server)
  expect(together.device).toMatchObject({
    'hydra:member': [{ entityType: 'audioBook', eBook: { slug: 'quiet-2' } }, {}, {}],
    'hydra:totalItems': 3,
  })
  const panel = await bothAnswers(catalogue, '/api/quick_results?keyword=quiet&together=true')
  expect(panel.device).toEqual(panel.server)
  expect(panel.device).toMatchObject({ booksTotal: 3 })
  for (const keyword of [
    'quiet fery',
    'The Quiet Ferry',
    'lighthouse',
    'reed ada',
    'water',
    'ferries',
    'zzzz',
  ]) {
    const { server, device } = await bothAnswers(catalogue, `/api/searches?keyword=${keyword}`)
    expect(device, keyword).toEqual(server)
  }
})

test('the index is built for visitors: the same for all users in a country, cached, and revalidated by its ETag', async () => {
  const first = await shop.app.inject('/api/catalogue_index')
  expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
  const etag = first.headers.etag as string
  const again = await shop.app.inject({ url: '/api/catalogue_index', headers: { 'if-none-match': etag } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  // Building it again from the same catalogue gives the same ETag.
  shop.answers.clear()
  expect((await shop.app.inject('/api/catalogue_index')).headers.etag).toBe(etag)
  const nell = await signedIn(shop, await aUser(shop))
  expect(await theIndex(nell)).toEqual(first.json())
  const book = first.json<CatalogueIndex>().books.find(({ slug }) => slug === 'quiet-2')!
  expect(book).toMatchObject({ member: expect.any(Number) as number })
  expect(book.blocked).toBeUndefined()
})

test('the blocked titles depend on the country', async () => {
  const reader = await readerOf(shop, { caller: null, countries: ['DE'] })
  const { books } = await indexOf(shop, reader)
  expect(books.filter(({ blocked }) => blocked).map(({ slug }) => slug)).toEqual(['quiet-2'])
})

test('an index over its limit drops summaries first, then titles; titles in the shop window stay', async () => {
  const reader = await readerOf(shop, { caller: null, countries: ['GB'] })
  const bytesOf = (index: CatalogueIndex) => gzipSync(JSON.stringify(index)).length
  const whole = await indexOf(shop, reader)
  const some = await indexOf(shop, reader, { titles: 2_000, gzipBytes: bytesOf(whole) - 500 })
  expect(some.books).toHaveLength(whole.books.length)
  expect(some.books.filter(({ summary }) => summary).length).toBeLessThan(whole.books.length)
  expect(bytesOf(some)).toBeLessThanOrEqual(bytesOf(whole) - 500)
  const few = await indexOf(shop, reader, { titles: 40, gzipBytes: 400_000 })
  expect(few).toMatchObject({ complete: false })
  expect(few.books).toHaveLength(40)
  const inWindow = (index: CatalogueIndex) =>
    index.books
      .filter(({ highlighted, edition, featured }) => highlighted ?? edition ?? featured !== undefined)
      .map(({ id }) => id)
  expect(inWindow(few)).toEqual(inWindow(whole))
  const least = await indexOf(shop, reader, { titles: 2_000, gzipBytes: 12_000 })
  for (const index of [few, least]) {
    // Person pages count all titles, including those that the index leaves out.
    const catalogue = openCatalogue(index)
    const missing = whole.books.filter(({ id }) => !catalogue.bookBy.has(id))
    const authors = new Set(missing.flatMap((book) => book.authors ?? []))
    const known = index.people.filter(({ id, slug }) => slug !== null && authors.has(id)).slice(0, 5)
    expect(known.length).toBeGreaterThan(0)
    for (const { slug } of known) {
      const { server, device } = await bothAnswers(catalogue, `/api/people/${slug}`)
      expect(device, slug!).toEqual(server)
    }
  }
  expect(whole.people.filter(({ counts }) => counts)).toEqual([])
  expect(least.books.length).toBeLessThan(whole.books.length)
  expect(least.complete).toBe(false)
  expect(bytesOf(least)).toBeLessThanOrEqual(12_000)
})
