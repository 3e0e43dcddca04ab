import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { books, categories, languages, locations, styles } from '#server/db/schema/catalogue.ts'
import { contentRecords, homePanels } from '#server/db/schema/pages.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { aCategory, aPerson, aPublisher, linked, named } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { anItem } from '#tests/support/editorial-builders.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import { screensOf } from './screen-at.ts'

/** A real shop, whose shelves and books the server renders. */
let shop: TestShop
let screenAt: ReturnType<typeof screensOf>
let ids: Record<'storm' | 'calm' | 'memoir' | 'letters' | 'cove' | 'lantern', number>

// Fourteen audiobooks, each an hour newer than the one before; then one with every detail, and
// finally one under embargo.
beforeAll(async () => {
  shop = await testShop()
  screenAt = screensOf(shop)
  ids = {
    storm: await named(shop, styles, 'Storm'),
    calm: await named(shop, styles, 'Calm'),
    memoir: await aCategory(shop, 'Memoir', 5),
    letters: await aCategory(shop, 'Letters', 1),
    cove: await named(shop, locations, 'Cove'),
    lantern: await aPublisher(shop, 'lantern-row', 'Lantern Row'),
  }
  await shop.db.insert(categories).values({ name: 'Out of sight', weight: 0, visible: false })
  const start = shop.now().getTime()
  for (let n = 1; n <= 14; n += 1) {
    const book = await anAudioBook(shop, {
      slug: `harbour-${n}`,
      title: `Harbour ${String(n).padStart(2, '0')}`,
      listedAt: new Date(start + n * 3_600_000),
      priceMinor: 1200,
      styleId: n <= 4 ? ids.storm : ids.calm,
      categoryId: n % 2 ? ids.memoir : ids.letters,
      publisherId: n > 10 ? ids.lantern : null,
      edition: n <= 7,
      secondEdition: n <= 13,
      memoir: n <= 2,
      writersDilemma: n === 3,
      availableAsCard: n <= 13,
      featuredPosition: n === 9 ? 1 : null,
      chapters: [],
    })
    await linked(shop, book, { locations: n === 3 || n === 5 ? ['Cove'] : [], tags: ['sea'] })
  }
  await aFullBook()
  await anAudioBook(shop, { slug: 'embargoed', title: 'Embargoed', embargoed: true, chapters: [] })
  for (const [n, kind] of (['article', 'article', 'interview', 'discussion'] as const).entries())
    for (const part of [1, 2])
      await anItem(shop, { kind, slug: `${kind}-${n}-${part}`, title: `Harbour, ${kind} ${n} ${part}` })
  await refreshSearch(shop.db)
  shop.answers.clear()
})
afterAll(() => shop.close())

/** With every detail that a book's page can show, and with its e-book. */
async function aFullBook() {
  const paper = await anEBook(shop, { slug: 'nine-rooms', title: 'Nine Rooms', pages: 296, priceMinor: 899 })
  const book = await anAudioBook(shop, {
    slug: 'nine-rooms',
    title: 'Nine Rooms',
    listedAt: new Date(shop.now().getTime()),
    priceMinor: 1499,
    counterpartId: paper.id,
    lengthMinutes: 475,
    chapters: [{ title: 'One', seconds: 600 }],
    styleId: ids.storm,
    publisherId: ids.lantern,
    languageId: await named(shop, languages, 'English'),
    translatorId: await aPerson(shop, 'Hugh', 'Maddern'),
    firstPublished: '2020-11-03',
    violence: true,
    publisherBookLink: 'https://lantern-row.example/nine-rooms',
    publisherBookName: 'Lantern Row, hardback, £16.99',
  })
  await shop.db.update(books).set({ counterpartId: book.id }).where(eq(books.id, paper.id))
  await linked(shop, book, {
    authors: [await aPerson(shop, 'Katya', 'Brandt')],
    narrators: [await aPerson(shop, 'Hollis', 'Grange')],
    tags: ['sea'],
  })
  for (const kind of ['article', 'interview', 'discussion'] as const)
    await anItem(shop, { kind, slug: `about-${kind}`, title: `On nine rooms, ${kind}`, about: [book] })
}

const harbours = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `Harbour ${String(from - index).padStart(2, '0')}`)
const LAST = ['Nine Rooms']

test('NAV-15 LIST-01: the path decides the format of a listing, which says how many there are', async () => {
  const audio = await screenAt('/audiobooks')
  expect(audio).toMatchObject({ title: 'Audiobooks | Murmur', heading: 'Audiobooks', count: '15 results' })
  expect(audio.titles).toEqual(harbours(14, 3))
  for (const address of audio.listed) expect(address).toMatch(/^\/audiobooks\/[a-z0-9-]+$/)
  const text = await screenAt('/ebooks')
  expect(text).toMatchObject({ title: 'E-books | Murmur', heading: 'E-books', count: '1 result' })
  expect(text.listed).toEqual(['/ebooks/nine-rooms'])
})

test('LIST-16 LIST-02: a page has 12 titles or the number in its address, and the next page continues after it', async () => {
  expect((await screenAt('/audiobooks?page=2')).titles).toEqual([...harbours(2, 1), ...LAST])
  expect((await screenAt('/audiobooks?itemsPerPage=5')).titles).toEqual(harbours(14, 10))
  const second = await screenAt('/audiobooks?page=2&itemsPerPage=5')
  expect(second.titles).toEqual(harbours(9, 5))
  expect(second.linkTo('Next page')).toBe('/audiobooks?page=3&itemsPerPage=5')
})

test('LIST-04 LIST-22 LIST-23: a style, a category and a setting in the address show exactly their books', async () => {
  const narrowed = async (filter: string) => (await screenAt(`/audiobooks?${filter}`)).titles
  expect(await narrowed(`styles[]=${ids.storm}`)).toEqual([...harbours(4, 1), 'Nine Rooms'])
  expect(await narrowed(`categories[]=${ids.letters}`)).toEqual(
    harbours(14, 1).filter((_, at) => at % 2 === 0),
  )
  expect(await narrowed(`locations[]=${ids.cove}`)).toEqual(['Harbour 05', 'Harbour 03'])
})

test('LIST-24 LIST-25 LIST-02: a publisher shows exactly its books, several filters narrow together, and each has a chip', async () => {
  const ofPublisher = await screenAt(`/audiobooks?publishers[]=${ids.lantern}`)
  expect(ofPublisher.titles).toEqual([...harbours(14, 11), 'Nine Rooms'])
  expect(ofPublisher.text).toContain('Lantern Row')
  const both = await screenAt(`/audiobooks?publishers[]=${ids.lantern}&styles[]=${ids.storm}`)
  expect(both).toMatchObject({ titles: ['Nine Rooms'], count: '1 result' })
  for (const chip of ['Lantern Row', 'Storm']) expect(both.text).toContain(chip)
})

test('LIST-14 NAV-16 BOOK-01: a card leads to its book, and the path says which format is meant', async () => {
  const { listed, titles } = await screenAt('/audiobooks')
  for (const [at, address] of listed.slice(0, 2).entries())
    expect(await screenAt(address)).toMatchObject({ heading: titles[at], title: `${titles[at]} | Murmur` })
  const audio = await screenAt('/audiobooks/nine-rooms')
  expect(audio.text).toContain('7 h 55 m')
  expect(audio.linkTo('£8.99, 296 pages')).toBe('/ebooks/nine-rooms')
  const text = await screenAt('/ebooks/nine-rooms')
  expect(text).toMatchObject({ heading: 'Nine Rooms', title: 'Nine Rooms | Murmur' })
  expect(text.text).toContain('296 pages')
  expect(text.linkTo('£14.99, 7 h 55 m')).toBe('/audiobooks/nine-rooms')
})

test('BOOK-02 BOOK-21 BOOK-22: a book’s page names its people, length, date and language, and a translator only where there is one', async () => {
  const full = await screenAt('/audiobooks/nine-rooms')
  for (const words of [
    'Katya Brandt',
    'Read by Hollis Grange',
    '7 h 55 m',
    'A short demo recording: you can hear 10 m',
    'First published November 2020',
    'English',
    'Translated byHugh Maddern',
  ])
    expect(full.text).toContain(words)
  const plain = await screenAt('/audiobooks/harbour-1')
  for (const words of ['Read by', 'First published', 'Translated by', 'A short demo recording'])
    expect(plain.text).not.toContain(words)
})

test('BOOK-03 BOOK-06 BOOK-11: it leads to its publisher and to the printed book, and warns of violence, where there is any', async () => {
  const full = await screenAt('/audiobooks/nine-rooms')
  expect(full.linkTo('Lantern Row')).toBe('/publishers/lantern-row')
  expect(full.linkTo('Lantern Row, hardback, £16.99')).toBe('https://lantern-row.example/nine-rooms')
  expect(full.text).toContain('extreme violence')
  const plain = await screenAt('/audiobooks/harbour-1')
  expect(plain.linkTo('Lantern Row')).toBeUndefined()
  for (const words of ['On paper', 'extreme violence']) expect(plain.text).not.toContain(words)
})

test('BOOK-05 BOOK-12: it leads to its style from page 1, and to what is shelved nearby', async () => {
  const full = await screenAt('/audiobooks/nine-rooms')
  const style = `/audiobooks?page=1&itemsPerPage=12&styles[]=${ids.storm}`
  expect(full.linkTo('Storm')).toBe(style)
  const { slides, all } = full.carousel('Shelved nearby')
  expect(slides).toHaveLength(8)
  expect(slides).toContain('harbour-14')
  expect(all).toBe(style)
})

test('BOOK-13 BOOK-26 BOOK-27: it leads to the articles, podcasts and events about it', async () => {
  const full = await screenAt('/audiobooks/nine-rooms')
  const plain = await screenAt('/audiobooks/harbour-1')
  for (const [heading, address] of [
    ['Articles', '/articles/about-article'],
    ['Podcasts', '/interviews/about-interview'],
    ['Events', '/discussions/about-discussion'],
  ] as const) {
    expect(full.sections).toContain(heading)
    expect(full.links.filter((link) => link.startsWith(address.replace(/about.*/, 'about')))).toEqual([
      address,
    ])
    expect((await screenAt(address)).heading).toMatch(/^On nine rooms/)
    expect(plain.sections).not.toContain(heading)
  }
})

test('BOOK-16 PUBL-03: an unknown book, publisher or piece is the not-found page, with status 404', async () => {
  for (const path of [
    '/audiobooks/no-such-book',
    '/ebooks/no-such-book',
    '/ebooks/harbour-1',
    '/publishers/nobody',
    '/articles/no-such-piece',
  ])
    expect(await screenAt(path), path).toMatchObject({
      status: 404,
      heading: 'Page not found',
      title: 'Page not found | Murmur',
    })
})

test('NAV-47 NAV-48 NAV-53: so is /404, and any address without a screen; /promo has a title of its own', async () => {
  for (const path of ['/404', '/no/such/place', '/audiobooks/a/b/c']) {
    const missing = await screenAt(path)
    expect(missing, path).toMatchObject({
      status: 404,
      heading: 'Page not found',
      title: 'Page not found | Murmur',
    })
    expect(missing.linkTo('Home')).toBe('/')
  }
  expect(await screenAt('/promo')).toMatchObject({ status: 404, title: 'Promo | Murmur' })
})

test('NAV-30 NAV-46: access denied and the server’s error have a page each, which lead on', async () => {
  const denied = await screenAt('/access-denied?from=/orders')
  expect(denied).toMatchObject({ status: 200, heading: 'This page needs an account' })
  expect(denied.title).toBe('This page needs an account | Murmur')
  expect(denied.linkTo('Log in')).toBe('/login?from=%2Forders')
  const broken = await screenAt('/server-error')
  expect(broken).toMatchObject({ status: 200, heading: 'Internal Server Error' })
  expect(broken.title).toBe('Internal Server Error | Murmur')
  expect(broken.linkTo('Home')).toBe('/')
})

test('BOOK-15: a book that is not for everybody answers a visitor 403, and says nothing of itself', async () => {
  const { status, text } = await screenAt('/audiobooks/embargoed')
  expect(status).toBe(403)
  expect(text).not.toContain('Embargoed')
})

test('BROWSE-02 BROWSE-05 NAV-44: editions, collection, highlights, then the visible categories by weight', async () => {
  const browse = await screenAt('/browse')
  expect(browse.title).toBe('Browse | Murmur')
  expect(browse.sections.slice(0, 5)).toEqual([
    'Editions',
    'Collection',
    'Current Highlights',
    'Letters',
    'Memoir',
  ])
  expect(browse.text).not.toContain('Out of sight')
  expect(browse.carousel('Editions').slides[0]).toBe('harbour-7')
  expect(browse.carousel('Letters').all).toBe(`/audiobooks?categories[]=${ids.letters}`)
})

test('BROWSE-06: styles in the address narrow every shelf of the browse screen', async () => {
  const browse = await screenAt(`/browse?styles[]=${ids.storm}`)
  expect(browse.carousel('Editions').slides).toEqual(['harbour-4', 'harbour-3', 'harbour-2', 'harbour-1'])
  expect(browse.carousel('Collection').slides).toHaveLength(5)
  expect(browse.carousel('Current Highlights').slides).toHaveLength(4)
  expect(browse.carousel('Letters').slides).toEqual(['harbour-4', 'harbour-2'])
  const none = await screenAt('/browse?styles[]=999999')
  expect(none.carousel('Collection').slides).toEqual([])
})

test('LIST-17 NAV-17: editions come five at a time, and each leads to its audiobook', async () => {
  const first = await screenAt('/editions')
  expect(first).toMatchObject({ title: 'Editions | Murmur', count: '7 titles' })
  expect(first.listed).toEqual([7, 6, 5, 4, 3].map((n) => `/audiobooks/harbour-${n}`))
  expect(first.text).toContain('Load more')
  const all = await screenAt('/editions?_page=2&itemsPerPage=5')
  expect(all.titles).toEqual(harbours(7, 1))
  expect(all.text).not.toContain('Load more')
})

test('LIST-20 NAV-18: the current highlights come twelve at a time', async () => {
  const first = await screenAt('/subscriber-selection')
  expect(first).toMatchObject({ heading: 'Current highlights', title: 'Current highlights | Murmur' })
  expect(first.titles).toEqual(harbours(13, 2))
  expect(first.text).toContain('Load more')
  expect((await screenAt('/subscriber-selection?itemsPerPage=4')).titles).toEqual(harbours(13, 10))
})

test('NAV-21 PUBL-01: the publishers are listed, and each leads to its page', async () => {
  await aPublisher(shop, 'slate-yard', 'Slate Yard')
  shop.answers.clear()
  const list = await screenAt('/publishers')
  expect(list.titles.toSorted()).toEqual(['Lantern Row', 'Slate Yard'])
  expect(list.listed.toSorted()).toEqual(['/publishers/lantern-row', '/publishers/slate-yard'])
  expect(await screenAt('/publishers/slate-yard')).toMatchObject({ status: 200, heading: 'Slate Yard' })
})

test('NAV-43 NAV-45: cards and the two themed shelves show exactly their titles, twelve or as many as asked for', async () => {
  const cards = await screenAt('/audiobooks-in-a-card')
  expect(cards).toMatchObject({ heading: 'Audiobooks in a card', titles: harbours(13, 2) })
  expect((await screenAt('/audiobooks-in-a-card?page=2&itemsPerPage=12')).titles).toEqual(['Harbour 01'])
  expect((await screenAt('/audiobooks-in-a-card?page=2&itemsPerPage=3')).titles).toEqual(harbours(10, 8))
  expect((await screenAt('/astonishing-memoirs')).titles).toEqual(harbours(2, 1))
  expect((await screenAt('/writers-dilemma')).titles).toEqual(['Harbour 03'])
  expect((await screenAt(`/writers-dilemma?styles[]=${ids.calm}`)).titles).toEqual([])
})

test('HOME-06 HOME-10: the home page’s highlights are exactly the second editions, and what is featured says both prices', async () => {
  await shop.db.insert(homePanels).values([
    { section: 'currentHighlights', title: 'Highlights', weight: 1 },
    { section: 'featuredAudioBook', title: 'Featured', weight: 2 },
  ])
  shop.answers.clear()
  const home = await screenAt('/')
  expect(home.carousel('Highlights').slides).toEqual(
    [13, 12, 11, 10, 9, 8, 7, 6].map((number) => `harbour-${number}`),
  )
  expect(home.text).toContain('Harbour 09')
  expect(home.text).toContain('£12£9.60 for members')
  await shop.db.update(books).set({ secondEdition: false })
  shop.answers.clear()
  expect((await screenAt('/')).sections).not.toContain('Highlights')
  await shop.db.update(books).set({ secondEdition: true }).where(eq(books.title, 'Harbour 01'))
})

test('BROWSE-04: the browse screen leads to the app in the stores', async () => {
  const content = {
    appStoreLink: 'https://apps.example/murmur',
    playStoreLink: 'https://play.example/murmur',
  }
  await shop.db.insert(contentRecords).values({ name: 'home', content })
  shop.answers.clear()
  const browse = await screenAt('/browse')
  expect(browse.linkTo('App Store')).toBe(content.appStoreLink)
  expect(browse.linkTo('Google Play')).toBe(content.playStoreLink)
})

test('NAV-29 SEARCH-08 SEARCH-19: the book search counts every hit, shows twelve, and as many pages as its address says', async () => {
  const first = await screenAt('/search-books?keyword=harbour')
  expect(first).toMatchObject({ title: 'Search books | Murmur', count: '14 titles' })
  expect(first.foundTitles).toHaveLength(12)
  expect(first.text).toContain('Load more')
  const all = await screenAt('/search-books?keyword=harbour&page=2')
  expect(all.foundTitles.toSorted()).toEqual(harbours(14, 1).toSorted())
  expect(all.text).not.toContain('Load more')
})

test('SEARCH-09 SEARCH-12: its address says the order and the keyword', async () => {
  const { foundTitles } = await screenAt('/search-books?keyword=harbour&sort=name&direction=asc&page=2')
  expect(foundTitles).toEqual(harbours(14, 1).toReversed())
  expect((await screenAt('/search-books?keyword=harbuor')).count).toBe(
    '14 titles. Nothing found for “harbuor”. Here’s what we have for “harbour”.',
  )
  expect((await screenAt('/search-books')).count).toBe('Type at least three letters of a title or a name.')
})

test('NAV-28 SEARCH-06 SEARCH-07: the article search finds by keyword, five at a time', async () => {
  const first = await screenAt('/search-articles?keyword=harbour')
  expect(first).toMatchObject({ title: 'Search articles | Murmur', count: '8 results' })
  expect(first.titles).toHaveLength(5)
  const all = await screenAt('/search-articles?keyword=harbour&_page=2')
  expect(all.titles).toHaveLength(8)
  expect(all.text).not.toContain('Load more')
})

test('SEARCH-17: the article search shows what is of the types in its address', async () => {
  for (const [types, kinds] of [
    ['articles', ['articles', 'articles', 'articles', 'articles']],
    ['interviews', ['interviews', 'interviews']],
    ['articles,discussions', ['articles', 'articles', 'articles', 'articles', 'discussions', 'discussions']],
  ] as const) {
    const { listed } = await screenAt(`/search-articles?keyword=harbour&types=${types}&_page=2`)
    const found = listed.map((address) => address.split('/')[1] ?? '')
    expect(found.toSorted((a, b) => a.localeCompare(b))).toEqual(kinds)
  }
})

test('SEARCH-14: where nothing is found both pages say so, and lead on', async () => {
  for (const [path, name, way] of [
    ['/search-books', 'Visit our collection', '/audiobooks'],
    ['/search-articles', 'See all murmurations', '/murmurations'],
  ] as const) {
    const none = await screenAt(`${path}?keyword=zzyzx`)
    expect(none).toMatchObject({ count: '0 results', titles: [] })
    expect(none.text).toContain('Sorry, no results.')
    expect(none.linkTo(name)).toBe(way)
  }
})
