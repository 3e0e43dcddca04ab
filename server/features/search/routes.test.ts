import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookCard } from '#contract/catalogue.ts'
import type { Murmuration } from '#contract/editorial.ts'
import * as contract from '#contract/search.ts'
import { locations, styles } from '#server/db/schema/catalogue.ts'
import { editorialAuthors, editorialItems, murmurationTypes } from '#server/db/schema/editorial.ts'
import { nationalities } from '#server/db/schema/people.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aCategory, aPerson, aPublisher, aSeries, linked, named } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { refreshSearch } from './refresh.ts'
import { fc } from '#tests/support/random.ts'

let shop: TestShop
let ids: Record<'storm' | 'memoir' | 'cove' | 'lantern' | 'norway' | 'event', number>

interface Title {
  readonly title: string
  readonly by?: readonly [string, string]
  readonly tags?: readonly string[]
  readonly fields?: Partial<Parameters<typeof anAudioBook>[1]>
}

beforeAll(async () => {
  shop = await testShop()
  ids = {
    storm: await named(shop, styles, 'Storm'),
    memoir: await aCategory(shop, 'Memoir'),
    cove: await named(shop, locations, 'Cove'),
    lantern: await aPublisher(shop, 'lantern-row', 'Lantern Row'),
    norway: await named(shop, nationalities, 'Norwegian'),
    event: 0,
  }
  const known = new Map<string, ReturnType<typeof aPerson>>()
  const personCalled = (first: string, last: string) => {
    const person = known.get(last) ?? aPerson(shop, first, last, last === 'Dahl' ? 'Norwegian' : undefined)
    known.set(last, person)
    return person
  }
  let hour = 0
  const add = async ({ title, by, tags, fields }: Title, make: typeof anAudioBook = anAudioBook) => {
    hour += 1
    const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
    const listedAt = new Date(shop.now().getTime() + hour * 3_600_000)
    const book = await make(shop, { title, slug, chapters: [], listedAt, ...fields })
    const author = by && (await personCalled(...by))
    await linked(shop, book, {
      ...(author ? { authors: [author] } : {}),
      ...(tags ? { tags: [...tags] } : {}),
    })
    return book
  }
  await add({ title: 'Emma', by: ['Jane', 'Austen'] })
  await add({ title: 'Emma of the Marshes', by: ['Sigrid', 'Dahl'] })
  await add({ title: 'A Letter to Emma', by: ['Pablo', 'Rojas'] })
  await add({ title: 'Emmanuel at Sea', by: ['Pablo', 'Rojas'] })
  await add({ title: 'The Grey Gull', by: ['Emma', 'Stone'] })
  await add({ title: 'Quiet Rooms', tags: ['emma'] })
  await add({ title: 'Night Ferry', fields: { summary: '<p>Nobody told Emma of the tide.</p>' } })
  await add({ title: 'Persuasion', by: ['Jane', 'Austen'], fields: { lengthMinutes: 650 } })
  await add({ title: 'Les Misérables', by: ['Étienne', 'Brontë'] })
  await add({ title: 'Four Keys', fields: { summary: '<p>To the doors of 11 houses.</p>' } })
  await add({ title: 'The Blue Hour' })
  await add({ title: 'Emma Withdrawn', fields: { published: false } })
  await add({ title: 'Emma Withheld', fields: { embargoed: true } })
  for (let n = 1; n <= 14; n += 1)
    await add({
      title: `Harbour Tale ${String.fromCharCode(64 + n)}`,
      by: n <= 2 ? ['Sigrid', 'Dahl'] : ['Pablo', 'Rojas'],
      fields: {
        lengthMinutes: n * 60 + 30,
        styleId: n <= 3 ? ids.storm : null,
        categoryId: n <= 4 ? ids.memoir : null,
        publisherId: n <= 5 ? ids.lantern : null,
      },
    })
  const cove = await add({ title: 'Harbour in Winter', fields: { pages: 320 } }, anEBook)
  await linked(shop, cove, { locations: ['Cove'] })

  const [event] = await shop.db.insert(murmurationTypes).values({ title: 'Evenings' }).returning()
  ids.event = event!.id
  const [writer] = await shop.db
    .insert(editorialAuthors)
    .values({ nameKey: 'ines calder', firstName: 'Inés', lastName: 'Calder' })
    .returning()
  for (let n = 1; n <= 7; n += 1)
    await shop.db.insert(editorialItems).values({
      kind: n <= 3 ? 'article' : n <= 5 ? 'interview' : 'discussion',
      slug: `item-${n}`,
      title: n === 4 ? 'Harbour' : n === 5 ? 'A walk' : `Piece ${n}`,
      main: '<p>All about the harbour.</p>',
      authorId: writer!.id,
      hideAuthor: n === 1,
      typeId: n >= 6 ? ids.event : null,
      publishedAt: new Date(shop.now().getTime() + n * 3_600_000),
    })
  await shop.db
    .insert(editorialItems)
    .values({ kind: 'article', slug: 'draft', title: 'Harbour draft', published: false })
  await refreshSearch(shop.db)
})
afterAll(() => shop.close())

async function get(path: string, query: Record<string, string | number> = {}, headers = {}) {
  const url = `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
  const answer = await shop.app.inject({ url, headers })
  expect(answer.statusCode, url).toBe(200)
  return answer.json()
}
const searchFor = (keyword: string, more: Record<string, string | number> = {}) =>
  get('/api/search_books', { keyword, itemsPerPage: 50, ...more })
const titles = (body: { 'hydra:member': BookCard[] }) => body['hydra:member'].map(({ title }) => title)
const titlesFor = async (keyword: string, more?: Record<string, string | number>) =>
  titles(await searchFor(keyword, more))
const slugOf = ({ article, interview, discussion }: Murmuration) => (article ?? interview ?? discussion)!.slug

test('API-37: the best match comes first: the title, its beginning, its words, the author, tags, then the summary', async () => {
  expect(await titlesFor('emma')).toEqual([
    'Emma',
    'Emma of the Marshes',
    'A Letter to Emma',
    'Emmanuel at Sea',
    'The Grey Gull',
    'Quiet Rooms',
    'Night Ferry',
  ])
})

test('search results whose title doesn’t have the keyword have the part of their text that does', async () => {
  const { 'hydra:member': books, excerpts } = await searchFor('emma')
  const ferry = books.find(({ title }: BookCard) => title === 'Night Ferry').id
  expect(excerpts).toEqual({ [ferry]: 'Nobody told Emma of the tide.' })
  // The other article has the word in its title.
  const quick = await get('/api/quick_results', { keyword: 'harbuor' })
  expect(Object.values(quick.excerpts)).toEqual(['All about the harbour.'])
  const all = await get('/api/murmurations', { keyword: 'harbour', itemsPerPage: 20 })
  expect(Object.keys(all.excerpts)).toHaveLength(6)
  expect(await get('/api/murmurations')).not.toHaveProperty('excerpts')
})

test('accents, case and word order do not matter, and words can be incomplete', async () => {
  expect(await titlesFor('MISERABLES')).toEqual(['Les Misérables'])
  expect(await titlesFor('misérables les')).toEqual(['Les Misérables'])
  expect(await titlesFor('bronte etie')).toEqual(['Les Misérables'])
  expect(await titlesFor('the grey gu')).toEqual(['The Grey Gull'])
})

test('singular and plural find each other, also irregular plurals', async () => {
  expect(await titlesFor('marsh')).toEqual(['Emma of the Marshes'])
  expect(await titlesFor('ferries')).toEqual(['Night Ferry'])
  expect(await titlesFor('quiet room')).toEqual(['Quiet Rooms'])
  expect(await titlesFor('emmas letters')).toEqual(['A Letter to Emma'])
})

test('“audiobook” and “ebook” are ignored if there is another word', async () => {
  expect(await titlesFor('persuasion audiobook')).toEqual(['Persuasion'])
  expect(await titlesFor('night ferry ebook')).toEqual(['Night Ferry'])
})

test('finds authors and narrators as well as titles', async () => {
  expect(await titlesFor('sigrid dahl')).toContain('Emma of the Marshes')
  const heard = await anAudioBook(shop, { title: 'The Long Tide', slug: 'the-long-tide', chapters: [] })
  await linked(shop, heard, { narrators: [await aPerson(shop, 'Wilhelmina', 'Quayle')] })
  expect(await titlesFor('wilhelmina quayle')).toEqual(['The Long Tide'])
})

test('finds the book by author and title together', async () => {
  expect(await titlesFor('austen emma')).toEqual(['Emma'])
  expect(await titlesFor('persuasion by jane austen')).toEqual(['Persuasion'])
})

test.each([
  ['perusasion', 'persuasion', 'Persuasion'],
  ['persuation', 'persuasion', 'Persuasion'],
  ['grey gul austin emma', null, null],
  ['austin persuasion', 'austen persuasion', 'Persuasion'],
  // Both words are known, but not together.
  ['stone persuasion', null, null],
  ['emmanuel persuation', null, null],
  ['marshas emma', 'marshes emma', 'Emma of the Marshes'],
  ['fery', 'ferry', 'Night Ferry'],
  ['zzyzx', null, null],
  // A missing space, and an extra one.
  ['nightferry', 'night ferry', 'Night Ferry'],
  ['greygull stone', 'grey gull stone', 'The Grey Gull'],
  ['persu asion', 'persuasion', 'Persuasion'],
  ['ro om quiet', 'room quiet', 'Quiet Rooms'],
  // Neither half of the word is intact.
  ['gery gull', 'grey gull', 'The Grey Gull'],
  // One typo away from the singular of a word in a title.
  ['roim', 'rooms', 'Quiet Rooms'],
  // A short known word is not corrected: a search for 11 hours does not mean “four”.
  ['11 hour', null, null],
])('a slip of the hand in “%s” is mended: %s', async (typed, meant, title) => {
  const body = await searchFor(typed)
  expect(body.didYouMean).toBe(meant)
  expect(titles(body)).toEqual(title === null ? [] : [title])
})

test('words with results are not corrected', async () => {
  expect((await searchFor('emma')).didYouMean).toBeNull()
  // Only the filter has no results; the words do.
  const body = await searchFor('emma', { publishers: ids.lantern })
  expect(body).toMatchObject({ didYouMean: null, 'hydra:totalItems': 0 })
})

test('SEARCH-18 API-37: books can be filtered by style, category, location, publisher, nationality, length and pages', async () => {
  expect(await titlesFor('harbour')).toHaveLength(15)
  expect(await titlesFor('harbour', { styles: ids.storm })).toHaveLength(3)
  expect(await titlesFor('harbour', { categories: ids.memoir })).toHaveLength(4)
  expect(await titlesFor('harbour', { publishers: ids.lantern })).toHaveLength(5)
  expect(await titlesFor('harbour', { locations: ids.cove })).toEqual(['Harbour in Winter'])
  expect(await titlesFor('harbour', { authorsNationality: ids.norway })).toHaveLength(2)
  expect(await titlesFor('harbour', { lengthHours: 9 })).toHaveLength(9)
  expect(await titlesFor('harbour', { lengthHours: 8 })).toHaveLength(7)
  expect(await titlesFor('harbour', { pagesMinimum: 300 })).toEqual(['Harbour in Winter'])
})

test('SEARCH-09 SEARCH-08 API-37: the book search can be sorted by name, twelve per page with the total', async () => {
  const first = await get('/api/search_books', { keyword: 'harbour', sort: 'name', direction: 'asc' })
  expect(titles(first)).toHaveLength(12)
  expect(titles(first).slice(0, 2)).toEqual(['Harbour in Winter', 'Harbour Tale A'])
  expect(first['hydra:totalItems']).toBe(15)
  const second = await get('/api/search_books', { keyword: 'harbour', sort: 'name', page: 2 })
  expect(titles(second)).toEqual(['Harbour Tale L', 'Harbour Tale M', 'Harbour Tale N'])
  const beyond = await get('/api/search_books', { keyword: 'harbour', page: 9 })
  expect(beyond).toMatchObject({ 'hydra:member': [], 'hydra:totalItems': 15 })
  expect((await titlesFor('harbour', { sort: 'name', direction: 'desc' }))[0]).toBe('Harbour Tale N')
})

test('a title in two formats is one result if both are found, and its audiobook names the e-book', async () => {
  const eBook = await anEBook(shop, { slug: 'two-zephyrs', title: 'Two Zephyrs', pages: 212 })
  const audioBook = await anAudioBook(shop, {
    slug: 'two-zephyrs',
    title: 'Two Zephyrs',
    counterpartId: eBook.id,
    lengthMinutes: 200,
  })
  await shop.db.execute(sql`update books set counterpart_id = ${audioBook.id} where id = ${eBook.id}`)
  await refreshSearch(shop.db)
  shop.answers.clear()
  const found = (more = {}) => searchFor('zephyrs', { together: 'true', ...more })
  const kinds = ({ 'hydra:member': all }: { 'hydra:member': BookCard[] }) =>
    all.map(({ entityType }) => entityType)
  const both = await found()
  expect(misfits(contract.searchBooks.reply, both)).toEqual([])
  expect([kinds(both), both['hydra:totalItems']]).toEqual([['audioBook'], 1])
  expect(both['hydra:member'][0].eBook).toMatchObject({ slug: 'two-zephyrs', pages: 212 })
  // The audiobook doesn't fit this filter.
  expect(kinds(await found({ pagesMinimum: 200 }))).toEqual(['eBook'])
  expect(kinds(await searchFor('zephyrs'))).toHaveLength(2)
  const quick = async (more = {}) =>
    (await get('/api/quick_results', { keyword: 'zephyrs', ...more })).booksTotal as number
  expect([await quick(), await quick({ together: 'true' })]).toEqual([2, 1])
  // An e-book that isn't sold yet has a row of its own: the audiobook couldn't name it.
  await shop.db.execute(
    sql`update books set state = 'listed', preorder = '2027-01-01' where id = ${eBook.id}`,
  )
  shop.answers.clear()
  expect(kinds(await found({ sort: 'name' })).sort()).toEqual(['audioBook', 'eBook'])
})

test('API-38 SEARCH-03 SEARCH-15: the quick search returns at most 4 books and 2 articles, with both totals', async () => {
  const found = await get('/api/quick_results', { keyword: 'harbour' })
  expect(misfits(contract.quickResults.reply, found)).toEqual([])
  expect(found.books).toHaveLength(4)
  expect(found.booksTotal).toBe(15)
  expect(found.articles.map(slugOf)).toEqual(['item-4', 'item-7'])
  expect(found.articlesTotal).toBe(7)
  expect((await get('/api/quick_results', { keyword: 'ha' })).booksTotal).toBe(0)
  expect((await get('/api/quick_results')).booksTotal).toBe(0)
})

test('API-36 ENT-32: one search returns books and articles with their totals, from three characters on', async () => {
  const found = await get('/api/searches', { keyword: 'harbour' })
  expect(misfits(contract.searches.reply, found)).toEqual([])
  expect(found).toMatchObject({ booksTotal: 15, articlesTotal: 7, didYouMean: null })
  expect([found.books.length, found.articles.length]).toEqual([12, 7])
  expect(await get('/api/searches', { keyword: 'ha' })).toMatchObject({ books: [], articles: [] })
  expect((await get('/api/searches', { keyword: 'har' })).booksTotal).toBe(15)
})

test('API-40: finds articles by keyword, kind and type, sorted by relevance, date or name', async () => {
  const slugs = async (query: Record<string, string | number>) =>
    (await get('/api/murmurations', { keyword: 'harbour', itemsPerPage: 20, ...query }))['hydra:member'].map(
      slugOf,
    )
  expect(await slugs({})).toEqual(['item-4', 'item-7', 'item-6', 'item-5', 'item-3', 'item-2', 'item-1'])
  expect(await slugs({ sort: 'publishedAt', direction: 'asc' })).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((n) => `item-${n}`),
  )
  expect((await slugs({ sort: 'title' })).slice(0, 2)).toEqual(['item-5', 'item-4'])
  expect(await slugs({ 'search[]': 'interviews' })).toEqual(['item-4', 'item-5'])
  expect(await slugs({ types: ids.event })).toEqual(['item-7', 'item-6'])
  expect(await slugs({ _page: 2, itemsPerPage: 5 })).toEqual(['item-2', 'item-1'])
  expect(await slugs({ keyword: 'ha' })).toEqual([])
  expect(await get('/api/murmurations', { keyword: 'harbuor' })).toMatchObject({
    didYouMean: 'harbour',
    'hydra:totalItems': 7,
  })
  expect(await get('/api/murmurations', { keyword: 'harbour' })).toMatchObject({ didYouMean: null })
  expect(await get('/api/murmurations')).not.toHaveProperty('didYouMean')
  // A hidden author must not be found by searching.
  expect(await slugs({ keyword: 'ines calder' })).not.toContain('item-1')
  expect(await slugs({ keyword: 'ines calder' })).toHaveLength(6)
})

test('marks the listener’s own books in the results', async () => {
  const user = await aUser(shop)
  const { rows } = await shop.db.execute<{ id: number }>(sql`select id from books where slug = 'persuasion'`)
  await inLibrary(shop, user, { id: rows[0]!.id, slug: 'persuasion' })
  const body = await get('/api/search_books', { keyword: 'persuasion' }, await signedIn(shop, user))
  expect(body['hydra:member'][0].inLibrary).toBe(true)
})

test('a changed title is found by its new words only', async () => {
  const book = await anAudioBook(shop, { title: 'Cinnabar', chapters: [] })
  expect(await refreshSearch(shop.db)).toBe(1)
  expect(await titlesFor('cinnabar')).toEqual(['Cinnabar'])
  await shop.db.execute(sql`update books set title = 'Vermilion' where id = ${book.id}`)
  expect(await refreshSearch(shop.db, { bookIds: [book.id] })).toBe(1)
  shop.answers.clear()
  expect(await titlesFor('cinnabar')).toEqual([])
  expect(await titlesFor('vermilion')).toEqual(['Vermilion'])
  expect(await refreshSearch(shop.db)).toBe(0)
})

test('a title of any characters can be stored and found, and no keyword fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ maxLength: 60 }),
        fc.constantFrom("a'b:*&!", '((', '\\', "'':A | x"),
      ),
      async (text) => {
        const answer = await shop.app.inject({
          url: `/api/searches?${new URLSearchParams({ keyword: text })}`,
        })
        // An invalid character is refused everywhere, before any search.
        const isText = !text.includes('\0')
        const isShort = Array.from(text).length <= 200
        expect(isShort ? [isText ? 200 : 400] : [200, 400, 422]).toContain(answer.statusCode)
      },
    ),
    { numRuns: 60 },
  )
  const strange = await anAudioBook(shop, {
    title: '“Наталья” \\ ’ŉ 東京 :*A’ & ½',
    summary: '<p>a\\b</p>',
    chapters: [],
  })
  await refreshSearch(shop.db, { bookIds: [strange.id] })
  expect((await searchFor('наталья'))['hydra:totalItems']).toBe(1)
})

test('limits searches per IP address above any typing speed; cached results do not count', async () => {
  const open = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '127.0.0.1' }, database: shop.database })
  const search = async (url: string, address: string) =>
    (await open.app.inject({ url, headers: { 'x-forwarded-for': address } })).statusCode
  const from = '2001:db8::1'
  const paths = ['/api/quick_results', '/api/searches', '/api/search_books']
  for (let turn = 0; turn < 120; turn++)
    expect(await search(`${paths[turn % 3]}?keyword=word-${turn}`, from)).toBe(200)
  for (const path of paths) expect(await search(`${path}?keyword=again`, '2001:db8::2')).toBe(429)
  expect(await search('/api/searches?keyword=again', '2001:db8:0:1::1')).toBe(200)
  open.clock.advance(61)
  expect(await search('/api/searches?keyword=later', from)).toBe(200)
  await open.app.close()
})

test('listening: finds a series and its titles by its name, complete, incomplete or misspelt', async () => {
  const book = await anAudioBook(shop, { slug: 'kettle', title: 'The Kettle', chapters: [] })
  await aSeries(shop, 'The Orrin Quay Books', [{ books: [book], number: '1' }])
  await refreshSearch(shop.db, { bookIds: [book.id] })
  shop.answers.clear()
  for (const path of ['quick_results', 'searches', 'search_books'])
    for (const keyword of ['orrin quay', 'the orrin qu', 'orin quay']) {
      const { body } = await shop.app.inject({ url: `/api/${path}?keyword=${encodeURIComponent(keyword)}` })
      const found = JSON.parse(body)
      expect(found.series, `${path} ${keyword}`).toMatchObject([{ slug: 'the-orrin-quay-books', titles: 1 }])
      const titles = (found.books ?? found['hydra:member']) as BookCard[]
      expect(titles.map(({ title }) => title)).toContain('The Kettle')
    }
  const other = await shop.app.inject({ url: '/api/quick_results?keyword=kettle' })
  expect(other.json().series).toEqual([])
})

test('a series is found by the name of its author', async () => {
  const book = await anAudioBook(shop, { slug: 'quern', title: 'The Quern', chapters: [] })
  await aSeries(shop, 'Millstones', [{ books: [book], number: '1' }])
  await linked(shop, book, { authors: [await aPerson(shop, 'Ottoline', 'Quarrie')] })
  shop.answers.clear()
  for (const keyword of ['quarrie', 'ottoline quar', 'millstones quarrie']) {
    const { body } = await shop.app.inject({
      url: `/api/search_books?keyword=${encodeURIComponent(keyword)}`,
    })
    expect(JSON.parse(body).series, keyword).toMatchObject([{ slug: 'millstones' }])
  }
})
