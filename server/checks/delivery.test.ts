import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaSettings } from '#server/settings/media-settings.ts'
import { openMedia } from '#server/integrations/media/open-media.ts'
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts'
import { findingOf } from './doctor.ts'
import { checkDelivery } from './titles-and-pages.ts'

let there: ObjectStore
beforeAll(async () => {
  there = await objectStore()
})
afterAll(() => there.close())

const found = async (env: Record<string, string>) => {
  const config = { dataDir: '/shop', publicUrl: 'https://shop.example', media: mediaSettings(env) }
  const { state, says } = findingOf(
    'delivery',
    await checkDelivery({ config, media: openMedia(config) } as never),
  )
  return `${state}: ${says}`
}

test('the doctor requests a file like a listener’s browser and says what is wrong with the bucket', async () => {
  const env = { MEDIA_S3_URL: there.url, MEDIA_DELIVERY: 'store' }
  expect(await found(env)).toBe('fine: There is nothing to listen to yet.')
  await openMedia({ dataDir: '/shop', media: mediaSettings(env) }).put('ab/sound.mp3', Buffer.from('sound'))
  expect(await found(env)).toBe(`fine: ${there.origin} answers listeners.`)
  there.letsPagesRead = false
  expect(await found(env)).toMatch(/^broken: .* does not let pages of https:\/\/shop\.example read/)
  expect(await found({ ...env, MEDIA_CDN_URL: 'http://127.0.0.1:1' })).toMatch(
    /^broken: 127\.0\.0\.1:1 answers nothing/,
  )
})

test('the doctor says whether the server or the proxy delivers', async () => {
  expect(await found({})).toBe('fine: Sound and e-books are sent by this server, out of /shop/media.')
  expect(await found({ MEDIA_DELIVERY: 'proxy' })).toContain('by the proxy')
})
