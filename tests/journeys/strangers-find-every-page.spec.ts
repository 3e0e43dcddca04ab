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
    expect(page.title, path).toMatch(title)
    expect(page.canonical, path).toBe(shop.url + path)
    expect(page.meta('og:title'), path).toBeTruthy()
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
