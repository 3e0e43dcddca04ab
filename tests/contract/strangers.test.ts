import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcess } from '#server/pages/renderer.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { anItem } from '#tests/support/editorial-builders.ts'
import { render } from '../../src/entry-server.tsx'
import { buildWorld, type World } from './world.ts'

interface Thing {
  '@type': string
  [key: string]: unknown
}

/** A real shop, whose public pages are read without JavaScript. */
let world: World
beforeAll(async () => {
  world = await buildWorld()
  const { shop } = world
  await anAudioBook(shop, { slug: 'ledger', title: 'Ledger', priceMinor: 1499, summary: '<p>Lamps.</p>' })
  await anEBook(shop, { slug: 'ledger', title: 'Ledger' })
  await anItem(shop, { kind: 'article', slug: 'voice', title: 'Voice', summary: 'How.' })
  await anItem(shop, { kind: 'interview', slug: 'rooms', title: 'Rooms', summary: 'Where.' })
  const startsAt = new Date('2030-05-01T18:00:00Z')
  await anItem(shop, { kind: 'discussion', slug: 'evening', title: 'Evening', summary: 'When.', startsAt })
  shop.answers.clear()
})
afterAll(() => world.shop.close())

async function read(url: string) {
  const visitor = { country: 'GB', address: '192.0.2.1' }
  const details = world.shop.config.details.ofPages
  const page = await render({
    url,
    origin: 'http://shop',
    fetch: inProcess(world.shop.app, visitor),
    details,
  })
  if (page.redirect !== undefined) throw new Error(`${url} leads to ${page.redirect}`)
  const { head, status } = page
  const things = [...head.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].flatMap(
    ([, json]) => (JSON.parse(json ?? 'null') as { '@graph': Thing[] })['@graph'],
  )
  return {
    status,
    title: /<title>([^<]*)<\/title>/.exec(head)?.[1],
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(head)?.[1],
    meta: (name: string) => new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(head)?.[1],
    feeds: [...head.matchAll(/<link rel="alternate" type="([^"]*)" title="[^"]+" href="([^"]*)"/g)].map(
      ([, type, href]) => [type, href],
    ),
    types: things.map((thing) => thing['@type']),
    thing: (type: string) => things.find((each) => each['@type'] === type),
  }
}

test('every public page has a title, a description, a canonical URL and tags for sharing', async () => {
  for (const [path, title] of [
    ['/browse', 'Browse'],
    ['/audiobooks', 'Audiobooks'],
    ['/ebooks', 'E-books'],
    ['/editions', 'Editions'],
    ['/subscriber-selection', 'Current highlights'],
    ['/publishers', 'Publishers'],
    ['/articles', 'Articles'],
    ['/interviews', 'Podcasts'],
    ['/discussions', 'Events'],
    ['/murmurations', 'Murmurations'],
    ['/faq', 'Questions and answers'],
    ['/info/a-page', 'A page'],
    ['/audiobooks/ledger', 'Ledger'],
    ['/articles/voice', 'Voice'],
  ] as const) {
    const page = await read(path)
    expect(page, path).toMatchObject({
      status: 200,
      title: `${title} | Murmur`,
      canonical: `http://shop${path}`,
    })
    for (const name of ['description', 'og:title', 'og:type', 'og:description', 'og:image'])
      expect(page.meta(name), `${name} of ${path}`).toBeTruthy()
  }
})

test('pages link to their feeds', async () => {
  for (const [path, type, feed] of [
    ['/articles', 'application/rss+xml', '/feeds/articles.xml'],
    ['/interviews', 'application/rss+xml', '/feeds/interviews.xml'],
    ['/audiobooks', 'application/opds+json', '/opds/audiobooks'],
    ['/ebooks', 'application/opds+json', '/opds/ebooks'],
  ] as const) {
    expect((await read(path)).feeds, path).toEqual([[type, feed]])
    expect((await world.shop.app.inject(feed)).headers['content-type']).toContain(type)
  }
})

test('a book, an article, a podcast and an event have structured data and breadcrumbs', async () => {
  const book = await read('/audiobooks/ledger')
  expect(book.types).toEqual(['Audiobook', 'BreadcrumbList'])
  expect(book.thing('Audiobook')).toMatchObject({
    url: 'http://shop/audiobooks/ledger',
    offers: { '@type': 'Offer', price: '14.99', priceCurrency: 'GBP' },
  })
  expect(book.meta('og:type')).toBe('book')
  expect((await read('/ebooks/ledger')).types).toContain('Book')
  expect((await read('/articles/voice')).types).toEqual(['Article', 'BreadcrumbList'])
  expect((await read('/interviews/rooms')).types).toContain('PodcastEpisode')
  expect((await read('/discussions/evening')).thing('Event')).toMatchObject({
    startDate: '2030-05-01T18:00:00Z',
    location: { '@type': 'VirtualLocation' },
  })
})
