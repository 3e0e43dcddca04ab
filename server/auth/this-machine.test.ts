import { afterAll, beforeAll, expect, test } from 'vitest'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1', PUBLIC_URL: 'https://shop.example' } })
})
afterAll(() => shop.close())

const asked = async (url: string, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  (await shop.app.inject({ url, headers, remoteAddress })).statusCode

test.each(['localhost:3000', 'LOCALHOST', '127.0.0.1:3000', '127.8.0.1', '[::1]:3000'])(
  'the demo’s mailbox answers at %s',
  async (host) => {
    expect(await asked('/dev/mail.json', { host })).toBe(200)
    expect(await asked('/dev/mail', { host, 'cf-ipcountry': 'FR' }, '::1')).toBe(200)
  },
)

test.each([
  'evil.example',
  'shop.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  '0.0.0.0',
  '192.168.1.20',
])(
  'the mailbox is not found under the name “%s”: another host name may resolve to this machine',
  async (host) => {
    for (const url of ['/dev/mail', '/dev/mail.json', '/%64ev/mail.json'])
      expect(await asked(url, { host })).toBe(404)
  },
)

test.each([
  'x-forwarded-for',
  'X-Forwarded-Host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'forwarded',
  'via',
  'x-real-ip',
  'cf-ray',
  'cf-connecting-ip',
  'true-client-ip',
])('a request with the header %s was forwarded, so the mailbox is not found', async (name) => {
  expect(await asked('/dev/mail.json', { host: 'localhost', [name]: '127.0.0.1' })).toBe(404)
})

test('another machine cannot reach the mailbox, with any Host header', async () => {
  expect(await asked('/dev/mail.json', { host: 'localhost' }, '192.168.1.21')).toBe(404)
})

test('a page of another site cannot reset the demo, although the browser runs on this machine', async () => {
  const reset = async (headers: Record<string, string>) =>
    (
      await shop.app.inject({
        method: 'POST',
        url: '/dev/no-such-call',
        headers: { host: 'localhost:3000', ...headers },
      })
    ).statusCode
  const host = 'localhost:3000'
  const others: Record<string, string>[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    // Another page of this machine.
    { origin: 'http://localhost:9999', 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of others) {
    expect(await asked('/dev/mail.json', { host, ...headers })).toBe(404)
    expect(await reset(headers)).toBe(404)
  }
  const own = { host, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
  expect(await asked('/dev/mail.json', own)).toBe(200)
  const link = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect(await asked('/dev/mail', link)).toBe(200)
})
