import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { aPerson, aSeries, linked } from '#tests/support/catalogue-builders.ts'
import { anAuthor, anItem, aRecording } from '#tests/support/editorial-builders.ts'

let shop: TestShop
let emptySitemap: string
beforeAll(async () => {
  shop = await testShop()
  emptySitemap = (await shop.app.inject('/sitemap.xml')).body
  await anAudioBook(shop, { slug: 'salt & co'.replace(/\W+/g, '-'), title: 'Salt & Co <aloud>' })
  await anAudioBook(shop, { slug: 'not-yet', published: false })
  await anEBook(shop, { slug: 'paper' })
  shop.answers.clear()
})
afterAll(() => shop.close())

const ask = (url: string) => shop.app.inject(url)
const parsed = (xml: string) => {
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({ isArray: (name) => ['url', 'sitemap', 'item'].includes(name) }).parse(xml)
}

test('the sitemap’s parts list every published book and static page under the public address', async () => {
  const index = parsed((await ask('/sitemap.xml')).body)
  const pieces: string[] = index.sitemapindex.sitemap.map(({ loc }: { loc: string }) => loc)
  const addresses: string[] = []
  for (const piece of pieces) {
    const path = new URL(piece).pathname
    addresses.push(...parsed((await ask(path)).body).urlset.url.map(({ loc }: { loc: string }) => loc))
  }
  const paths = addresses.map((address) => new URL(address).pathname)
  expect(paths).toContain('/audiobooks/salt-co')
  expect(paths).toContain('/ebooks/paper')
  expect(paths).toContain('/browse')
  expect(paths).not.toContain('/audiobooks/not-yet')
  expect(paths).not.toContain('/library')
})

test('listening: the sitemap lists every series and every person with a title; OPDS has series places', async () => {
  const told = await testShop()
  const book = await anAudioBook(told, { slug: 'ebb' })
  await aSeries(told, 'Tides', [{ books: [book], number: '3–4' }, { books: [await anAudioBook(told)] }])
  await aSeries(told, 'Only Announced', [{ title: 'Slack', number: '1' }])
  await linked(told, book, { authors: [await aPerson(told, 'Ida', 'Frost')] })
  await aPerson(told, 'Nobody', 'Yet')
  told.answers.clear()
  const get = async (url: string) => (await told.app.inject(url)).body
  const pieces = parsed(await get('/sitemap.xml')).sitemapindex.sitemap.map(
    ({ loc }: { loc: string }) => new URL(loc).pathname,
  )
  expect(pieces).toContain('/sitemaps/people-0.xml')
  const paths: string[] = (await Promise.all(pieces.map(get))).flatMap((xml) =>
    parsed(xml).urlset.url.map(({ loc }: { loc: string }) => new URL(loc).pathname),
  )
  expect(paths.filter((path) => /^\/(series|people)\//.test(path)).toSorted()).toEqual([
    '/people/ida-frost',
    '/series/tides',
  ])
  expect((await told.app.inject('/sitemaps/people-999999.xml')).statusCode).toBe(404)
  expect(JSON.parse(await get('/opds/audiobooks/ebb')).metadata.belongsTo.series).toEqual([
    {
      name: 'Tides',
      position: 3,
      links: [{ href: `${told.config.publicUrl}/series/tides`, type: 'text/html' }],
    },
  ])
  await told.close()
})

test('an unknown part of the sitemap is 404, and robots.txt names the sitemap', async () => {
  expect((await ask('/sitemaps/nothing.xml')).statusCode).toBe(404)
  const robots = await ask('/robots.txt')
  expect(robots.headers['content-type']).toContain('text/plain')
  expect(robots.body).toMatch(/Sitemap: http:\/\/\S+\/sitemap\.xml/)
  expect(robots.body).toContain('Disallow: /library')
})

test('security.txt names the contact, and password managers find the page to change a password', async () => {
  const contact = await ask('/.well-known/security.txt')
  expect(contact.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(contact.body).toMatch(/^Contact: mailto:\S+@\S+$/m)
  const expires = new Date(/^Expires: (.+)$/m.exec(contact.body)![1]!).getTime()
  expect(expires).toBeGreaterThan(shop.now().getTime())
  expect(expires).toBeLessThan(shop.now().getTime() + 365 * 24 * 3600 * 1000)
  const change = await ask('/.well-known/change-password')
  expect([change.statusCode, change.headers.location]).toEqual([302, '/change-password'])
})

test('a part without books is 404, and a shop without books lists none', async () => {
  expect((await ask('/sitemaps/books-999999999.xml')).statusCode).toBe(404)
  const index = parsed(emptySitemap)
  expect(index.sitemapindex.sitemap.map(({ loc }: { loc: string }) => new URL(loc).pathname)).toEqual([
    '/sitemaps/pages.xml',
  ])
})

test('feeds of articles and interviews are valid RSS, also without items', async () => {
  for (const name of ['articles', 'interviews']) {
    const feed = await ask(`/feeds/${name}.xml`)
    expect(feed.statusCode).toBe(200)
    expect(parsed(feed.body).rss.channel.link).toContain(`/${name}`)
  }
})

test('a feed contains the text, the author, and recordings that are open to everyone', async () => {
  const written = await testShop()
  const authorId = await anAuthor(written, 'Mina', 'Tallis')
  const audioId = await aRecording(written, 'open')
  const kept = await aRecording(written, 'kept')
  const main = '<p>See <a href="/faq">these</a> & <img src="/media/covers/ab/x-900.webp"></p>'
  const at = (hours: number) => new Date(written.now().getTime() - hours * 3_600_000)
  await anItem(written, {
    kind: 'interview',
    title: 'Sand & <salt>',
    slug: 'open',
    authorId,
    audioId,
    main,
    summary: 'S',
  })
  const held = { kind: 'interview', memberOnly: true, audioId: kept, publishedAt: at(1) } as const
  await anItem(written, { ...held, slug: 'held', authorId, hideAuthor: true, shortDescription: 'D' })
  await anItem(written, { ...held, slug: 'draft', published: false })
  written.answers.clear()

  const { body } = await written.app.inject('/feeds/interviews.xml')
  const [first, second, ...more] = parsed(body).rss.channel.item
  expect(more).toEqual([])
  expect(first).toMatchObject({ title: 'Sand & <salt>', description: 'S', 'dc:creator': 'Mina Tallis' })
  const origin = written.config.publicUrl
  expect(first['content:encoded']).toContain(`href="${origin}/faq"`)
  expect(first['content:encoded']).toContain(`src="${origin}/media/covers/`)
  expect(first['itunes:duration']).toBe('01:30')
  // RSS requires an email address as author, so there is no author element.
  expect(body).not.toContain('<author>')
  expect(body).toContain(`url="${origin}/media/recordings/${audioId}.mp3"`)
  for (const namespace of ['dc', 'content', 'itunes', 'atom']) expect(body).toContain(`xmlns:${namespace}=`)
  expect(second.description).toBe('D')
  expect(second['dc:creator']).toBeUndefined()
  expect(body).not.toContain(kept)
  await written.close()
})

test('the OPDS catalogue has pages, prices and only published titles', async () => {
  expect((await ask('/opds')).json().navigation).toHaveLength(2)
  const list = await ask('/opds/audiobooks')
  expect(list.headers['content-type']).toContain('application/opds+json')
  const { metadata, publications } = list.json()
  expect(metadata.numberOfItems).toBe(1)
  expect(publications[0].metadata.title).toBe('Salt & Co <aloud>')
  expect(publications[0].links.at(-1).properties.price.currency).toBe('GBP')
  expect((await ask('/opds/audiobooks?page=9')).statusCode).toBe(404)
})

test('each title in the catalogue has its own address, and a free one has no price link', async () => {
  await anAudioBook(shop, { slug: 'free-air', priceMinor: 0 })
  shop.answers.clear()
  const { publications } = (await ask('/opds/audiobooks')).json()
  for (const publication of publications) {
    const { links } = publication
    const self = links.find(({ rel }: { rel: string }) => rel === 'self')
    const own = await ask(new URL(self.href).pathname)
    expect(own.headers['content-type']).toContain('application/opds-publication+json')
    expect(own.json()).toEqual(publication)
  }
  const relations = publications.flatMap(({ links }: { links: { rel: string }[] }) => links.at(-1)!.rel)
  expect(relations.sort()).toEqual([
    'http://opds-spec.org/acquisition',
    'http://opds-spec.org/acquisition/buy',
  ])
  for (const slug of ['not-yet', 'nothing'])
    expect((await ask(`/opds/audiobooks/${slug}`)).statusCode).toBe(404)
})
