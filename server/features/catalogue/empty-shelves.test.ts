import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { anAudioBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { notifyInstances } from './queries.ts'
import { followEmptyShelves } from './caches.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('every page has the list of empty shelves, and a shelf leaves it with its first title', async () => {
  const stop = await followEmptyShelves(shop)
  const empty = () => shop.config.details.ofPages.empty ?? []
  expect(empty()).toEqual(
    expect.arrayContaining(['/audiobooks', '/ebooks', '/editions', '/murmurations', '/publishers']),
  )
  await anAudioBook(shop, { edition: true })
  await notifyInstances(shop.db)
  await vi.waitFor(() => expect(empty()).not.toContain('/editions'))
  expect(empty()).not.toContain('/audiobooks')
  expect(empty()).toContain('/ebooks')
  await stop()
})
