import { beforeEach, expect, test, vi } from 'vitest'
import { fromShop } from '#tests/support/shop-response.ts'
import { fakeCaches } from '#tests/support/fake-caches.ts'
import { handleCover } from './covers.ts'
import type { FetchCall } from './request-handler.ts'

const SHOP = 'http://shop.test'
let network: () => Response | Promise<Response>
const picture = (type = 'image/webp') => {
  const response = fromShop('pixels', { headers: { 'content-type': type } })
  Object.defineProperty(response, 'type', { value: 'basic' })
  return response
}
const ask = (path: string) => {
  const request = new Request(SHOP + path)
  return handleCover({ request } as FetchCall, new URL(request.url))
}

beforeEach(() => {
  vi.stubGlobal('caches', fakeCaches())
  vi.stubGlobal('fetch', async () => network())
})

test('a cached cover is not fetched again', async () => {
  network = () => picture()
  await ask('/media/covers/a-330.webp')
  network = () => Promise.reject(new TypeError('offline'))
  expect((await ask('/media/covers/a-330.webp'))?.status).toBe(200)
})

test('offline, another form of the same cover is used, with its own type', async () => {
  network = () => picture('image/webp')
  await ask('/media/covers/a-330.webp')
  network = () => Promise.reject(new TypeError('offline'))
  const answer = await ask('/media/covers/a-900.avif')
  expect(answer?.headers.get('content-type')).toBe('image/webp')
  await expect(ask('/media/covers/b-900.avif')).rejects.toThrow('offline')
})

test('trap 18: an answer that is not an image is not cached as one', async () => {
  network = () => picture('text/html')
  await ask('/media/covers/a-330.webp')
  network = () => Promise.reject(new TypeError('offline'))
  await expect(ask('/media/covers/a-330.webp')).rejects.toThrow('offline')
})

test('trap 5: sound under /media/ is not intercepted', () => {
  expect(ask('/media/sound/a.mp3')).toBeUndefined()
  expect(ask('/media/samples/a.mp3')).toBeUndefined()
})
