import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { inProcess } from './renderer.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0', TRUSTED_PROXIES: '10.0.0.0/8' } })
  await anAudioBook(shop, { slug: 'not-in-germany', blockedCountries: ['DE'] })
})
afterAll(() => shop.close())

const isBlocked = async (answer: { json(): unknown }) =>
  ((await answer.json()) as { geoBlocked: boolean }).geoBlocked
const url = '/api/audio_books/not-in-germany'

test('a page behind a trusted proxy is rendered for the visitor’s country', async () => {
  for (const [country, blocked] of [
    ['DE', true],
    ['GB', false],
    ['DE', true],
  ] as const)
    expect(
      await isBlocked(await inProcess(shop.app, { country, address: '203.0.113.7' })(url)),
      country,
    ).toBe(blocked)
})

test('the country header is used from a trusted proxy only', async () => {
  const headers = { 'cf-ipcountry': 'DE' }
  const ask = (remoteAddress: string) => shop.app.inject({ url, headers, remoteAddress })
  expect(await isBlocked(await ask('203.0.113.7'))).toBe(false)
  expect(await isBlocked(await ask('127.0.0.1'))).toBe(false)
  expect(await isBlocked(await ask('10.1.2.3'))).toBe(true)
})

test('a page’s API calls count for its visitor’s limits, not for this machine’s', async () => {
  const search = (address: string, turn: number) =>
    inProcess(shop.app, { country: 'GB', address })(`/api/searches?keyword=word-${turn}`)
  for (let turn = 0; turn < 120; turn++) expect((await search('203.0.113.8', turn)).status).toBe(200)
  expect((await search('203.0.113.8', 120)).status).toBe(429)
  expect((await search('203.0.113.9', 121)).status).toBe(200)
})
