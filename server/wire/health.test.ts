import { afterAll, beforeAll, expect, test } from 'vitest'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('trap 22: the probe hears the shop itself: JSON, kept by nobody, and no body', async () => {
  const answer = await shop.app.inject({ method: 'HEAD', url: '/api/health?probe=1' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toMatch(/\bjson\b/)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).toBe('')
})
