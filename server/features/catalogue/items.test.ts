import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioBook, BookCard, EBook } from '#contract/catalogue.ts'
import * as contract from '#contract/catalogue.ts'
import { books, languages, styles } from '#server/db/schema/catalogue.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import {
  aCategory,
  aCover,
  aPerson,
  aPublisher,
  aSoundingBook,
  aStoredFile,
  linked,
  named,
} from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let audio: TestBook
let text: TestBook
let owner: Record<string, string>

beforeAll(async () => {
  shop = await testShop()
  const fields = {
    title: 'The Lamplighter’s Ledger',
    priceMinor: 1499,
    coverId: await aCover(shop, 'c0ffee'),
    coverAlt: 'A lamp over water',
    styleId: await named(shop, styles, 'Storm'),
    categoryId: await aCategory(shop, 'Memoir', 3),
    publisherId: await aPublisher(shop, 'lantern-row', 'Lantern Row'),
    languageId: await named(shop, languages, 'English'),
    translatorId: await aPerson(shop, 'Tom', 'Vale'),
    summary: '<p>A ledger.</p>',
    sampleText: 'It began with a lamp.',
    firstPublished: '2021-03-01',
    blockedCountries: ['US'],
    violence: true,
    edition: true,
  }
  audio = await aSoundingBook(
    shop,
    [
      { title: 'Dusk', bytes: Buffer.from('sound of dusk') },
      { title: 'Night', bytes: Buffer.from('sound of night') },
    ],
    {
      slug: 'the-lamplighters-ledger',
      ...fields,
      lengthMinutes: 665,
      spiSin: '9001000000017',
      sampleId: await aStoredFile(shop, Buffer.from('sample'), 'mp3'),
    },
  )
  text = await anEBook(shop, {
    slug: 'the-lamplighters-ledger',
    ...fields,
    priceMinor: 899,
    memberPriceMinor: 750,
    pages: 320,
    accessibility: ['feature:alternativeText', 'hazard:none'],
    accessibilitySummary: 'All of it is text.',
    fileId: await aStoredFile(shop, Buffer.from('an epub'), 'epub'),
  })
  await pair(audio, text)
  const author = await aPerson(shop, 'Ida', 'Moor', 'Irish')
  const second = await aPerson(shop, 'Ann', 'Abel')
  for (const book of [audio, text])
    await linked(shop, book, {
      authors: [author, second],
      narrators: [second],
      locations: ['Quay', 'Harbour'],
      tags: ['sea'],
    })
  const user = await aUser(shop)
  await inLibrary(shop, user, audio)
  await inLibrary(shop, user, text)
  owner = await signedIn(shop, user)
})
afterAll(() => shop.close())

async function pair(one: TestBook, other: TestBook) {
  await shop.db.update(books).set({ counterpartId: other.id }).where(eq(books.id, one.id))
  await shop.db.update(books).set({ counterpartId: one.id }).where(eq(books.id, other.id))
}

async function get<T>(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const answer = await shop.app.inject({ url, headers })
  return { status: answer.statusCode, body: answer.json() }
}

const AUDIO = '/api/audio_books/the-lamplighters-ledger'
const TEXT = '/api/e_books/the-lamplighters-ledger'

test('API-27 ENT-02 ENT-37: a visitor sees every field of an audiobook and the names of its chapters, but no audio', async () => {
  const { status, body } = await get<AudioBook>(AUDIO)
  expect(status).toBe(200)
  expect(misfits(contract.AudioBook, body)).toEqual([])
  expect(body).toMatchObject({
    '@id': AUDIO,
    entityType: 'audioBook',
    title: 'The Lamplighter’s Ledger',
    cover: '/media/covers/c0/c0ffee-900.jpg',
    cover330: '/media/covers/c0/c0ffee-330.webp',
    cover900: '/media/covers/c0/c0ffee-900.webp',
    coverAlt: 'A lamp over water',
    price: 14.99,
    subscriptionPrice: 12,
    discountPrice: null,
    inLibrary: false,
    moveToLibrary: false,
    violence: true,
    lengthHours: 11,
    lengthMin: 5,
    firstPublished: '2021-03-01',
    language: { title: 'English' },
    translator: { firstName: 'Tom', lastName: 'Vale', fullName: 'Tom Vale' },
    style: { title: 'Storm' },
    category: { name: 'Memoir', visible: true, weight: 3 },
    publisher: { '@id': '/api/publishers/lantern-row', name: 'Lantern Row', slug: 'lantern-row' },
    locations: [{ title: 'Harbour' }, { title: 'Quay' }],
    tags: [{ title: 'sea' }],
    authors: [{ fullName: 'Ida Moor' }, { fullName: 'Ann Abel' }],
    narrators: [{ fullName: 'Ann Abel' }],
    spiSIN: '9001000000017',
    download: null,
    audioFiles: [],
    chapters: [
      { chapterTitle: 'Dusk', chapterOrderNumber: 1, playtime: 1 },
      { chapterTitle: 'Night', chapterOrderNumber: 2, playtime: 2 },
    ],
    audioBook: null,
    eBook: {
      '@id': TEXT,
      slug: 'the-lamplighters-ledger',
      price: 8.99,
      subscriptionPrice: 7.5,
      pages: 320,
      lengthHours: null,
    },
  })
})

test('API-27 ENT-37: only an owner gets the audio of each chapter and the download', async () => {
  const { body } = await get<AudioBook>(AUDIO, owner)
  expect(misfits(contract.AudioBook, body)).toEqual([])
  expect(body.inLibrary).toBe(true)
  expect(body.audioFiles).toMatchObject([
    { chapterTitle: 'Dusk', chapterOrderNumber: 1, playtime: 1, bytes: 13 },
    { chapterTitle: 'Night', chapterOrderNumber: 2, playtime: 2, bytes: 14 },
  ])
  expect(body.audioFiles[0]?.url).toMatch(/^\/media\/sound\/[0-9a-f]{64}\.mp3\?exp=\d+&u=.+&sig=.+/)
  expect(body.download).toMatch(/^\/media\/zip\/\d+\.zip\?exp=/)

  const stranger = await signedIn(shop, await aUser(shop))
  const { body: seen } = await get<AudioBook>(AUDIO, stranger)
  expect([seen.audioFiles, seen.download, seen.inLibrary]).toEqual([[], null, false])
})

test('ENT-38 API-27: an e-book has its pages, its audiobook and, for an owner, its file', async () => {
  const { body } = await get<EBook>(TEXT, owner)
  expect(misfits(contract.EBook, body)).toEqual([])
  expect(body).toMatchObject({
    '@id': TEXT,
    entityType: 'eBook',
    pages: 320,
    price: 8.99,
    subscriptionPrice: 7.5,
    lengthHours: null,
    eBook: null,
    audioBook: { '@id': AUDIO, slug: 'the-lamplighters-ledger', price: 14.99, lengthHours: 11, lengthMin: 5 },
  })
  expect([body.accessibility, body.accessibilitySummary]).toEqual([
    ['Its pictures are described.', 'Nothing in it flashes, moves or sounds suddenly.'],
    'All of it is text.',
  ])
  expect(body.download).toMatch(/^\/media\/e_books\/\d+\.epub\?exp=/)
  expect((await get<EBook>(TEXT)).body.download).toBeNull()
})

test('ENT-39: a card and the full book agree in all fields they share', async () => {
  for (const [list, url] of [
    ['/api/audio_books', AUDIO],
    ['/api/e_books', TEXT],
  ] as const)
    for (const headers of [{}, owner, { 'cf-ipcountry': 'US' }] as Record<string, string>[]) {
      const { body } = await get<{ 'hydra:member': BookCard[] }>(list, headers)
      const card = body['hydra:member'].find(({ slug }) => slug === 'the-lamplighters-ledger')!
      const { body: full } = await get<Record<string, unknown>>(url, headers)
      expect(full).toMatchObject(card)
    }
})

test('finds a book by its id too; a slug of digits is first treated as a slug', async () => {
  expect((await get<AudioBook>(`/api/audio_books/${audio.id}`)).body.slug).toBe('the-lamplighters-ledger')
  const year = await anAudioBook(shop, { slug: String(audio.id) })
  shop.answers.clear()
  expect((await get<AudioBook>(`/api/audio_books/${audio.id}`)).body.id).toBe(year.id)
})

test('API-27: an unknown book is 404, also under the id of the other format', async () => {
  for (const path of ['audio_books/no-such-book', `audio_books/${text.id}`, 'e_books/99999999999'])
    expect((await get(`/api/${path}`)).status, path).toBe(404)
})

test('API-27: an embargoed book is 403 for everybody except an owner', async () => {
  const book = await anAudioBook(shop, { slug: 'embargoed-winter', embargoed: true })
  const user = await aUser(shop)
  const headers = await signedIn(shop, user)
  expect((await get('/api/audio_books/embargoed-winter')).status).toBe(403)
  expect((await get('/api/audio_books/embargoed-winter', headers)).status).toBe(403)
  await inLibrary(shop, user, book)
  expect((await get('/api/audio_books/embargoed-winter', headers)).status).toBe(200)
})

test('an unpublished book is marked as such and has no sample', async () => {
  const sampleId = await aStoredFile(shop, Buffer.from('sample'), 'mp3')
  await anAudioBook(shop, { slug: 'not-yet-bells', published: false, sampleId, sampleText: 'Bells' })
  const { body } = await get<AudioBook>('/api/audio_books/not-yet-bells')
  expect([body.published, body.sample, body.sampleText]).toEqual([false, null, null])
  expect((await get<AudioBook>(AUDIO)).body.sample).toMatch(/^\/media\/samples\/\d+\/[0-9a-f]{64}\.mp3$/)
})

test('an owner of a book without a file gets no download', async () => {
  const user = await aUser(shop)
  const fileId = await aStoredFile(shop, Buffer.from('an epub'), 'epub')
  const given = [
    await anEBook(shop, { fileId, downloadable: false }),
    await anEBook(shop, { fileId, madeAfterPurchase: true }),
    await anEBook(shop),
  ]
  for (const book of given) {
    await inLibrary(shop, user, book)
    const { body } = await get<EBook>(`/api/e_books/${book.slug}`, await signedIn(shop, user))
    expect([body.inLibrary, body.download]).toEqual([true, null])
  }
})

test('a counterpart that is not on sale is not offered', async () => {
  const one = await anAudioBook(shop)
  await pair(one, await anEBook(shop, { published: false }))
  expect((await get<AudioBook>(`/api/audio_books/${one.slug}`)).body.eBook).toBeNull()
})
