import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHOP_HEADER } from '#contract/limits.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { pagePolicy } from './security-headers.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

/** The version of the owner's details, so that the service worker notices a change. */
const mark = () => shop.config.details.version

test.each([
  ['an answer', 'GET', '/api/health', 200],
  ['the probe', 'HEAD', '/api/health?probe=1', 200],
  ['a public list', 'GET', '/api/styles', 200],
  ['a refusal', 'GET', '/api/libraries', 401],
  ['what does not exist', 'GET', '/api/nothing', 404],
  ['an address that cannot be read', 'GET', '/api/audio_books/%E0%A4%A', 400],
  ['another verb', 'PUT', '/api/styles', 405],
  ['a cover that is gone', 'GET', '/media/covers/gone-330.webp', 404],
  ['sound without a signature', 'GET', '/media/sound/gone.mp3', 403],
  ['the live stream of nobody', 'GET', '/.well-known/mercure?topic=user/1', 401],
] as const)('trap 22: %s has the shop’s version header', async (_what, method, url, status) => {
  const answer = await shop.app.inject({ method, url })
  expect([answer.statusCode, answer.headers[SHOP_HEADER]]).toEqual([status, mark()])
})

test('trap 22: responses from memory have the header too, also 304', async () => {
  const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  await fetch(`${address}/api/styles`)
  const again = await fetch(`${address}/api/styles`)
  expect(again.headers.get(SHOP_HEADER)).toBe(mark())
  const headers = { 'if-none-match': again.headers.get('etag') ?? '' }
  const same = await fetch(`${address}/api/styles`, { headers, cache: 'no-store' })
  expect([same.status, same.headers.get(SHOP_HEADER)]).toEqual([304, mark()])
})

const ALWAYS = ['content-security-policy', 'cross-origin-resource-policy', 'x-content-type-options']
const FOR_DOCUMENTS = [
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]

test.each([
  ['a page that is not there', '/nothing-here', [...ALWAYS, ...FOR_DOCUMENTS]],
  ['an answer of the API', '/api/styles', [...ALWAYS, ...FOR_DOCUMENTS]],
  ['a cover', '/media/covers/gone-330.webp', ALWAYS],
  ['a script', '/assets/gone.js', ALWAYS],
])('%s has the security headers that browsers evaluate for it', async (_what, url, expected) => {
  const { headers } = await shop.app.inject({ url })
  expect([...ALWAYS, ...FOR_DOCUMENTS].filter((name) => name in headers)).toEqual(expected)
})

const policy = pagePolicy({ scripts: ['start()'], styles: ['p {}'], development: false })
const directive = (name: string, of = policy) =>
  of.split('; ').find((each) => each.startsWith(`${name} `)) ?? expect.fail(`no ${name}`)

test('inline scripts and styles run only if the page names them, also in e-books', () => {
  expect(directive('script-src')).not.toMatch(/unsafe|blob:|data:/)
  expect(directive('style-src')).not.toContain('unsafe')
  expect(directive('frame-src')).toContain('blob:')
})

test('the inline style of the installed reader library is allowed', () => {
  const source = readFileSync(new URL('../../node_modules/foliate-js/paginator.js', import.meta.url), 'utf8')
  const [, sheet = ''] = /innerHTML = `<style>(.*?)<\/style>/s.exec(source) ?? []
  const hash = createHash('sha256').update(sheet).digest('base64')
  expect(directive('style-src')).toContain(`'sha256-${hash}'`)
})

test('another origin may deliver sound only if media are delivered from there, and nothing else', () => {
  const how = { scripts: [], styles: [], development: false }
  expect(directive('media-src')).toBe("media-src 'self' blob:")
  expect(directive('connect-src')).toBe("connect-src 'self'")
  const store = pagePolicy({ ...how, media: 'https://s3.example' })
  expect(directive('media-src', store)).toBe("media-src 'self' blob: https://s3.example")
  expect(directive('connect-src', store)).toBe("connect-src 'self' https://s3.example")
  expect(store.split('https://s3.example')).toHaveLength(3)
})
