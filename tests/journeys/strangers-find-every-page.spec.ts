import { expect, test } from '../support/journey.ts'

interface Thing {
  '@type': string
  [key: string]: unknown
}

/** The page as a client without JavaScript gets it. */
async function read(request: import('@playwright/test').APIRequestContext, path: string) {
  const answer = await request.get(path)
  const html = await answer.text()
  const things = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].flatMap(
    ([, json]) => (JSON.parse(json ?? 'null') as { '@context': string; '@graph': Thing[] })['@graph'],
  )
  const meta = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
  return {
    status: answer.status(),
    title: /<title>([^<]*)<\/title>/.exec(html)?.[1],
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1],
    meta,
    feeds: [...html.matchAll(/<link rel="alternate" type="([^"]*)" title="[^"]+" href="([^"]*)"/g)].map(
      ([, type = '', href = '']) => ({ type, href }),
    ),
    types: things.map((thing) => thing['@type']),
    thing: (type: string) => things.find((each) => each['@type'] === type),
  }
}

test('every public page says what it is to a client without JavaScript, and missing ones are 404', async ({
  request,
  shop,
}) => {
  const pages: [path: string, title: RegExp][] = [
    ['/', /Good books, said softly \| Murmur/],
    ['/browse', /^Browse \| Murmur$/],
    ['/audiobooks', /^Audiobooks \| Murmur$/],
    ['/ebooks', /^E-books \| Murmur$/],
    ['/editions', /^Editions \| Murmur$/],
    ['/subscriber-selection', /^Current highlights \| Murmur$/],
    ['/publishers', /^Publishers \| Murmur$/],
    ['/publishers/lantern-row', /^Lantern Row \| Murmur$/],
    ['/articles', /^Articles \| Murmur$/],
    ['/interviews', /^Podcasts \| Murmur$/],
    ['/discussions', /^Events \| Murmur$/],
    ['/murmurations', /^Murmurations \| Murmur$/],
    ['/faq', / \| Murmur$/],
    ['/info/support', / \| Murmur$/],
    ['/audiobooks/the-lamplighters-ledger', /^The Lamplighter’s Ledger \| Murmur$/],
    ['/articles/how-a-voice-learns-a-book', / \| Murmur$/],
  ]
  for (const [path, title] of pages) {
    const page = await read(request, path)
    expect(page.status, path).toBe(200)
    // What the sitemap names answers there, and sends nobody on.
    expect((await request.get(path, { maxRedirects: 0 })).status(), path).toBe(200)
    expect(page.title, path).toMatch(title)
    expect(page.canonical, path).toBe(shop.url + path)
    for (const name of ['description', 'og:title', 'og:type', 'og:description', 'og:image'])
      expect(page.meta(name), `${name} of ${path}`).toBeTruthy()
    expect((await request.get(page.meta('og:image')!)).status(), path).toBe(200)
  }
  for (const missing of [
    '/audiobooks/no-such-book',
    '/articles/no-such-piece',
    '/info/no-such-page',
    '/publishers/nobody',
    '/nowhere',
  ])
    expect((await read(request, missing)).status, missing).toBe(404)
})

test('pages name the feeds that bring the same, and the feeds are there', async ({ request }) => {
  for (const [path, type, feed] of [
    ['/articles', 'application/rss+xml', '/feeds/articles.xml'],
    ['/interviews', 'application/rss+xml', '/feeds/interviews.xml'],
    ['/audiobooks', 'application/opds+json', '/opds/audiobooks'],
    ['/ebooks', 'application/opds+json', '/opds/ebooks'],
  ] as const) {
    expect((await read(request, path)).feeds, path).toEqual([{ type, href: feed }])
    expect((await request.get(feed)).headers()['content-type']).toContain(type)
  }
})

test('a book, an article, a podcast and an event carry their structured data and the way to them', async ({
  request,
  shop,
}) => {
  const book = await read(request, '/audiobooks/the-lamplighters-ledger')
  expect(book.types).toEqual(['Audiobook', 'BreadcrumbList'])
  expect(book.thing('Audiobook')).toMatchObject({
    url: `${shop.url}/audiobooks/the-lamplighters-ledger`,
    offers: { '@type': 'Offer', price: '14.99', priceCurrency: 'GBP' },
  })
  expect(book.meta('og:type')).toBe('book')
  expect((await read(request, '/ebooks/the-lamplighters-ledger')).types).toContain('Book')
  expect((await read(request, '/articles/how-a-voice-learns-a-book')).types).toEqual([
    'Article',
    'BreadcrumbList',
  ])
  expect((await read(request, '/interviews/rooms-with-good-acoustics')).types).toContain('PodcastEpisode')
  const event = (await read(request, '/discussions/an-evening-of-first-chapters')).thing('Event')
  expect(event).toMatchObject({ location: { '@type': 'VirtualLocation' } })
  expect(Number.isNaN(Date.parse(String(event?.['startDate'])))).toBe(false)
})
