import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
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

test('the sitemap names its pieces, and they name every published book and standing page, under the public address', async () => {
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

test('a piece that does not exist is 404, and robots are told where the sitemap lies', async () => {
  expect((await ask('/sitemaps/nothing.xml')).statusCode).toBe(404)
  const robots = await ask('/robots.txt')
  expect(robots.headers['content-type']).toContain('text/plain')
  expect(robots.body).toMatch(/Sitemap: http:\/\/\S+\/sitemap\.xml/)
  expect(robots.body).toContain('Disallow: /library')
})

test('feeds of articles and podcasts are valid RSS, also when nothing was written', async () => {
  for (const name of ['articles', 'interviews']) {
    const feed = await ask(`/feeds/${name}.xml`)
    expect(feed.statusCode).toBe(200)
    expect(parsed(feed.body).rss.channel.link).toContain(`/${name}`)
  }
})

test('the catalogue answers reading apps page by page, with prices and without what is not published', async () => {
  expect((await ask('/opds')).json().navigation).toHaveLength(2)
  const list = await ask('/opds/audiobooks')
  expect(list.headers['content-type']).toContain('application/opds+json')
  const { metadata, publications } = list.json()
  expect(metadata.numberOfItems).toBe(1)
  expect(publications[0].metadata.title).toBe('Salt & Co <aloud>')
  expect(publications[0].links.at(-1).properties.price.currency).toBe('GBP')
  expect((await ask('/opds/audiobooks?page=9')).json().publications).toEqual([])
})
