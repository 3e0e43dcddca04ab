import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/catalogue.ts'
import { categories, locations, publishers, styles } from '#server/db/schema/catalogue.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aPerson, linked, named } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop

// 40 places and 60 publishers. The first publisher has 14 audiobooks and an e-book, the second one nothing.
beforeAll(async () => {
  shop = await testShop()
  await shop.db.insert(categories).values([
    { name: 'Novels', weight: 3, visible: true },
    { name: 'Memoir', weight: 1, visible: true },
    { name: 'Attic', weight: 2, visible: false },
  ])
  const two = (n: number) => String(n).padStart(2, '0')
  await shop.db
    .insert(locations)
    .values(Array.from({ length: 40 }, (_, index) => ({ title: `Place ${two(40 - index)}` })))
  const [row] = await shop.db
    .insert(publishers)
    .values(
      Array.from({ length: 60 }, (_, index) => ({
        slug: `house-${two(index + 1)}`,
        name: `House ${two(60 - index)}`,
        ...(index === 0 ? { about: 'Five people.', website: 'https://house.example/' } : {}),
      })),
    )
    .returning()
  await named(shop, styles, 'Storm')
  const welsh = await aPerson(shop, 'Elspeth', 'Dow', 'Welsh')
  const irish = await aPerson(shop, 'Niall', 'Garvey', 'Irish')
  for (let n = 1; n <= 14; n += 1) {
    const listedAt = new Date(shop.now().getTime() + n * 3_600_000)
    const book = await anAudioBook(shop, { slug: `book-${n}`, publisherId: row!.id, listedAt, chapters: [] })
    await linked(shop, book, { authors: [n <= 3 ? welsh : irish], narrators: [welsh] })
  }
  const paper = await anEBook(shop, { slug: 'paper', publisherId: row!.id })
  await linked(shop, paper, { authors: [welsh, irish] })
})
afterAll(() => shop.close())

interface Listed {
  status: number
  total: number
  members: Record<string, unknown>[]
}
async function list(path: string, endpoint: { reply?: Parameters<typeof misfits>[0] }): Promise<Listed> {
  const answer = await shop.app.inject({ url: `/api/${path}` })
  const body = answer.json()
  expect(misfits(endpoint.reply!, body)).toEqual([])
  return { status: answer.statusCode, total: body['hydra:totalItems'], members: body['hydra:member'] }
}

test('API-32 ENT-05: returns id, name, visible and weight of categories, by weight', async () => {
  const { members, total } = await list('categories', contract.listCategories)
  expect(members).toMatchObject([
    { id: expect.any(Number), name: 'Memoir', visible: true, weight: 1 },
    { id: expect.any(Number), name: 'Attic', visible: false, weight: 2 },
    { id: expect.any(Number), name: 'Novels', visible: true, weight: 3 },
  ])
  expect(total).toBe(3)
})

test('API-33 ENT-05: returns id and title of places, all in one page of 200', async () => {
  const { members, total } = await list('locations?itemsPerPage=200', contract.listLocations)
  expect(total).toBe(40)
  expect(members).toHaveLength(40)
  expect(members[0]).toMatchObject({ id: expect.any(Number), title: 'Place 01' })
  expect((await list('locations', contract.listLocations)).members).toHaveLength(30)
})

test('ENT-05: returns id and title of styles', async () => {
  const { members } = await list('styles', contract.listStyles)
  expect(members).toMatchObject([{ id: expect.any(Number), title: 'Storm' }])
})

test('API-34 ENT-05: returns up to 50 publishers, with id, name, slug, about and website', async () => {
  const { members, total } = await list('publishers', contract.listPublishers)
  expect(members).toHaveLength(50)
  expect(total).toBe(60)
  expect(members[0]).toMatchObject({ name: 'House 01', slug: 'house-60', about: null, website: null })
  expect((await list('publishers?page=2', contract.listPublishers)).members).toHaveLength(10)
})

test('API-34: with their books, publishers have the number of their audiobooks and the newest three', async () => {
  const { members } = await list('publishers?withBooks=true&itemsPerPage=200', contract.listPublishers)
  const newest = ['book-14', 'book-13', 'book-12'].map((slug) => expect.objectContaining({ slug }))
  expect(members.find(({ slug }) => slug === 'house-01')).toMatchObject({ titles: 14, newest })
  expect(members.find(({ slug }) => slug === 'house-02')).toMatchObject({ titles: 0, newest: [] })
})

test('API-34: finds a publisher by slug or id; an unknown one is 404', async () => {
  const one = async (key: unknown) => shop.app.inject({ url: `/api/publishers/${String(key)}` })
  const found = await one('house-01')
  expect(misfits(contract.getPublisher.reply, found.json())).toEqual([])
  expect(found.json()).toMatchObject({
    name: 'House 60',
    slug: 'house-01',
    about: 'Five people.',
    website: 'https://house.example/',
  })
  expect((await one(found.json().id)).json()).toEqual(found.json())
  for (const key of ['nothing', '999999', '0x1']) expect((await one(key)).statusCode).toBe(404)
})

test('API-34: lists a publisher’s audiobooks, 12 per page, newest first, without its e-books', async () => {
  const path = 'publishers/house-01/audio_books'
  const { members, total } = await list(path, contract.listPublisherAudioBooks)
  expect(total).toBe(14)
  expect(members.map(({ slug }) => slug)).toEqual(
    Array.from({ length: 12 }, (_, index) => `book-${14 - index}`),
  )
  const second = await list(`${path}?page=2`, contract.listPublisherAudioBooks)
  expect(second.members.map(({ slug }) => slug)).toEqual(['book-2', 'book-1'])
  expect(await list('publishers/house-02/audio_books', contract.listPublisherAudioBooks)).toMatchObject({
    members: [],
    total: 0,
  })
  expect((await shop.app.inject({ url: '/api/publishers/nothing/audio_books' })).statusCode).toBe(404)
})

test('API-35 ENT-05: returns for each nationality how many titles of each format its authors have', async () => {
  const { members } = await list('nationalities?itemsPerPage=200', contract.listNationalities)
  expect(members).toMatchObject([
    { id: expect.any(Number), title: 'Irish', audioBooks: 11, eBooks: 1 },
    { id: expect.any(Number), title: 'Welsh', audioBooks: 3, eBooks: 1 },
  ])
})
