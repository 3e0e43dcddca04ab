import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook, aUser, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop({ env: { PUBLIC_URL: 'https://shop.example', DEMO: '1' } })
  await anAudioBook(shop, { slug: 'a-book' })
})
afterAll(() => shop.close())

const ask = (url: string, headers: Record<string, string> = {}) => shop.app.inject({ url, headers })
const typeFor = async (url: string, accept: string) =>
  String((await ask(url, { accept })).headers['content-type']).split(';')[0]

test.each([
  ['application/ld+json', 'application/ld+json'],
  ['application/ld+json, application/json;q=0.9', 'application/ld+json'],
  ['application/json, application/ld+json', 'application/ld+json'],
  ['Application/LD+JSON; charset=utf-8', 'application/ld+json'],
  ['application/json', 'application/json'],
  ['application/json, application/ld+json;q=0.5', 'application/json'],
  ['application/ld+json;q=0', 'application/json'],
  ['*/*', 'application/json'],
  ['', 'application/json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
])('API-04: asked for “%s”, a list and an item come as %s', async (accept, type) => {
  for (const url of ['/api/audio_books', '/api/audio_books/a-book', '/api/styles']) {
    // The second response comes from the cache.
    expect(await typeFor(url, accept)).toBe(type)
    expect(await typeFor(url, accept)).toBe(type)
  }
})

test('JSON and linked data are cached separately: each has its own ETag and a Vary header', async () => {
  const [linked, plain] = [
    await ask('/api/styles', { accept: 'application/ld+json' }),
    await ask('/api/styles'),
  ]
  expect(linked.json()).toEqual(plain.json())
  expect(linked.headers.etag).not.toBe(plain.headers.etag)
  for (const { headers } of [linked, plain]) expect(String(headers.vary)).toMatch(/\bAccept\b(?!-)/)
  const again = (accept: string, etag: unknown) =>
    ask('/api/styles', { accept, 'if-none-match': String(etag) })
  expect((await again('application/ld+json', linked.headers.etag)).statusCode).toBe(304)
  expect((await again('application/json', linked.headers.etag)).statusCode).toBe(200)
})

test('personal responses also come in the requested format', async () => {
  const headers = { ...(await signedIn(shop, await aUser(shop))), accept: 'application/ld+json' }
  expect((await ask('/api/logged-user', headers)).headers['content-type']).toContain('application/ld+json')
})

test('every API response, errors included, links to existing documentation; pages and files don’t', async () => {
  for (const url of [
    '/api',
    '/api/audio_books',
    '/api/audio_books/nothing',
    '/api/orders',
    '/api/no-such-thing',
    '/api/docs.json',
  ])
    expect((await ask(url)).headers.link, url).toBe(
      '<https://shop.example/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
    )
  expect((await ask('/media/covers/none.jpg')).headers.link).toBeUndefined()
  const docs = await ask('/api/docs.jsonld')
  expect(docs.statusCode).toBe(200)
  expect(docs.headers['content-type']).toContain('application/ld+json')
  expect(docs.json()).toMatchObject({
    '@type': 'hydra:ApiDocumentation',
    'hydra:entrypoint': { '@id': '/api' },
  })
})

test('the entry point links every list, and each link works', async () => {
  const entry = (await ask('/api')).json() as Record<string, string>
  expect(entry).toMatchObject({
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    audioBooks: '/api/audio_books',
    eBooks: '/api/e_books',
    articles: '/api/articles',
  })
  const links = Object.entries(entry).filter(([name]) => !name.startsWith('@'))
  expect(links.length).toBeGreaterThan(10)
  for (const [name, path] of links) expect([200, 401], name).toContain((await ask(path)).statusCode)
  const { 'hydra:supportedClass': classes } = (await ask('/api/docs.jsonld')).json()
  const described = classes[0]['hydra:supportedProperty'].map(
    (each: Record<string, { '@id': string }>) => each['hydra:property']!['@id'],
  )
  expect(described).toEqual(links.map(([name]) => `#Entrypoint/${name}`))
})

test('the JSON-LD context of every response exists, and an unknown one is not found', async () => {
  const contexts = await Promise.all(
    [
      '/api',
      '/api/audio_books',
      '/api/audio_books/a-book',
      '/api/searches?keyword=a',
      '/api/no-such-thing',
    ].map(async (url) => (await ask(url)).json()['@context'] as string),
  )
  for (const context of contexts) {
    const address = context.startsWith('/api') ? context : `/api${context}`
    expect((await ask(address)).statusCode, context).toBe(200)
  }
  expect((await ask('/api/contexts/Nothing')).statusCode).toBe(404)
})
