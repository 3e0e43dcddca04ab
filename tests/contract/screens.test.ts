import { QueryClient } from '@tanstack/react-query'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishers, styles, locations } from '#server/db/schema/catalogue.ts'
import { homePanels } from '#server/db/schema/pages.ts'
import { nationalities } from '#server/db/schema/people.ts'
import { personalPage } from '#server/pages/personal-pages.ts'
import { createAppRouter } from '../../src/router.tsx'
import { anAudioBook } from '#tests/support/builders.ts'
import { aCategory, aPerson, aPublisher, linked, named } from '#tests/support/catalogue-builders.ts'
import { anItem } from '#tests/support/editorial-builders.ts'
import { screensOf } from './screen-at.ts'
import { buildWorld, type World } from './world.ts'

/** A real shop, whose public screens the server renders. */
let world: World
let screenAt: ReturnType<typeof screensOf>
beforeAll(async () => {
  world = await buildWorld()
  screenAt = screensOf(world.shop)
})
afterAll(() => world.shop.close())

/** An existing example for each route with a parameter. */
const SAMPLES: Readonly<Record<string, string>> = {
  '/articles/$slug': '/articles/an-article',
  '/audiobooks/$slug': '/audiobooks/an-audiobook',
  '/discussions/$slug': '/discussions/a-discussion',
  '/ebooks/$slug': '/ebooks/an-e-book',
  '/info/$slug': '/info/a-page',
  '/interviews/$slug': '/interviews/an-interview',
  '/publishers/$slug': '/publishers/a-publisher',
  '/series/$slug': '/series/a-series',
  '/people/$slug': '/people/ada-reed',
  '/subscription/{-$token}': '/subscription',
  // Redirects.
  '/membership': '/subscription',
  '/signup': '/sign-up',
}
/** Screens with the menu's name as their title instead of their main heading. */
const BY_MENU: Readonly<Record<string, string>> = {
  '/': 'Home',
}

test('NAV-52: every route has a title, “{page} | Murmur”, by its heading or by what the menus call it', async () => {
  const routes = Object.keys(createAppRouter(new QueryClient()).routesByPath)
  expect(routes.length).toBeGreaterThan(50)
  for (const route of routes) {
    const address = SAMPLES[route] ?? route.replace(/\$\w+/, 'anything')
    // Personal screens are rendered in the browser; the server only gives them a title.
    const own = personalPage(address, 'Murmur')
    const { title, heading } = own
      ? { title: `${own.title} | Murmur`, heading: own.title }
      : await screenAt(address)
    expect(heading, route).toMatch(/\S/)
    // If the heading is a sentence, the title leaves out the full stop.
    expect(title, route).toBe(`${BY_MENU[address] ?? heading!.replace(/\.$/, '')} | Murmur`)
  }
})

test('PUBL-01 BROWSE-03: of more than fifty publishers fifty are shown, as a list and as a carousel', async () => {
  for (let n = 10; n < 65; n += 1) await aPublisher(world.shop, `press-${n}`, `Press ${n}`)
  expect((await screenAt('/publishers')).titles).toHaveLength(50)
  expect((await screenAt('/browse')).carousel('Featured Publishers').slides).toHaveLength(50)
})

test('PUBL-02: a publisher’s name, words, site and audiobooks, twelve a page', async () => {
  const publisherId = await aPublisher(world.shop, 'heron-quay', 'Heron Quay')
  const words = { about: 'Prints by hand.', website: 'https://heron-quay.example' }
  await world.shop.db.update(publishers).set(words).where(eq(publishers.id, publisherId))
  for (let n = 1; n <= 13; n += 1)
    await anAudioBook(world.shop, { slug: `heron-${n}`, publisherId, chapters: [] })
  const first = await screenAt('/publishers/heron-quay')
  expect(first.heading).toBe('Heron Quay')
  expect(first.text).toContain('Prints by hand.')
  expect(first.links).toContain('https://heron-quay.example')
  const heronsOn = ({ links }: typeof first) => links.filter((link) => link.startsWith('/audiobooks/heron-'))
  expect(heronsOn(first)).toHaveLength(12)
  const second = await screenAt('/publishers/heron-quay?page=2')
  expect(heronsOn(second)).toHaveLength(1)
  expect(heronsOn(first)).not.toContain(heronsOn(second)[0])
})

test('HOME-13 HOME-17: featured and special murmurations have a carousel each, and no item is in both', async () => {
  await world.shop.db
    .insert(homePanels)
    .values({ section: 'murmurations', title: 'Murmurations', weight: 1, visible: true })
  const at = (hour: number) => new Date(world.shop.now().getTime() - hour * 3_600_000)
  for (let n = 1; n <= 3; n += 1) {
    await anItem(world.shop, { slug: `featured-${n}`, featured: true, publishedAt: at(n) })
    await anItem(world.shop, { slug: `special-${n}`, kind: 'interview', special: true, publishedAt: at(n) })
  }
  await anItem(world.shop, { slug: 'both', featured: true, special: true, publishedAt: at(9) })
  world.shop.answers.clear()
  const home = await screenAt('/')
  expect(home.carousel('Murmurations')).toEqual({
    slides: ['featured-1', 'featured-2', 'featured-3', 'both'],
    all: '/murmurations',
  })
  expect(home.carousel('Worth staying in for')).toEqual({
    slides: ['special-1', 'special-2', 'special-3'],
    all: '/murmurations',
  })
})

test('SEARCH-18: the book search shows what its address narrows to, by each filter', async () => {
  const { shop } = world
  const ids = {
    styles: await named(shop, styles, 'Storm'),
    categories: await aCategory(shop, 'Memoir'),
    publishers: await aPublisher(shop, 'lantern-row', 'Lantern Row'),
  }
  const author = await aPerson(shop, 'Sigrid', 'Dahl', 'Norwegian')
  const books = [
    ['Harbour of Style', { styleId: ids.styles }, {}],
    ['Harbour of Memory', { categoryId: ids.categories }, {}],
    ['Harbour of Lanterns', { publisherId: ids.publishers }, {}],
    ['Harbour of Hours', { lengthMinutes: 500 }, {}],
    ['Harbour of Coves', {}, { locations: ['Cove'] }],
    ['Harbour of Dahl', {}, { authors: [author] }],
  ] as const
  for (const [title, fields, links] of books) {
    const slug = title.toLowerCase().replaceAll(' ', '-')
    const book = await anAudioBook(shop, { title, slug, lengthMinutes: 90, chapters: [], ...fields })
    await linked(shop, book, links)
  }
  const found = async (filter = '') => (await screenAt(`/search-books?keyword=harbour&${filter}`)).titles
  expect((await found()).toSorted()).toEqual(books.map(([title]) => title).toSorted())
  expect(await found(`styles[]=${ids.styles}`)).toEqual(['Harbour of Style'])
  expect(await found(`categories[]=${ids.categories}`)).toEqual(['Harbour of Memory'])
  expect(await found(`publishers[]=${ids.publishers}`)).toEqual(['Harbour of Lanterns'])
  expect(await found('lengthHours[gte]=8')).toEqual(['Harbour of Hours'])
  expect(await found(`locations[]=${await named(shop, locations, 'Cove')}`)).toEqual(['Harbour of Coves'])
  expect(await found(`nationalities[]=${await named(shop, nationalities, 'Norwegian')}`)).toEqual([
    'Harbour of Dahl',
  ])
})
