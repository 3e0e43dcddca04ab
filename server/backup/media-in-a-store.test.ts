import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyFile } from '#server/integrations/media/media-store.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { coverPath, mediaPath } from '#server/integrations/media/paths.ts'
import { S3Store } from '#server/integrations/media/s3-store.ts'
import { mediaSettings } from '#server/settings/media-settings.ts'
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts'
import { hashMedia, mediaEntries, placeMedia } from './media.ts'
import { silently } from './progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-media-'))
const sha256 = createHash('sha256').update('sound').digest('hex')
const [SOUND, COVER] = [mediaPath({ sha256, extension: 'mp3' }), coverPath('ab'.repeat(16), '330.webp')]
let there: ObjectStore
let store: S3Store
beforeAll(async () => {
  there = await objectStore()
  store = new S3Store(mediaSettings({ MEDIA_S3_URL: there.url }).bucket!)
})
afterAll(async () => {
  store.close()
  await there.close()
  rmSync(folder, { recursive: true })
})

test('a backup is restored into a bucket, also from neighbouring files, and the bucket is backed up', async () => {
  const staging = join(folder, 'restoring')
  await mediaFolder(staging).put(SOUND, Buffer.from('sound'))
  await mediaFolder(folder).put(COVER, Buffer.from('a picture'))
  const picture = { bytes: 9, sha256: createHash('sha256').update('a picture').digest('hex') }
  const listed = { [COVER]: picture, 'covers/cd/gone-330.webp': picture }
  const place = { store, staging, listed, beside: join(folder, 'media'), progress: silently }
  expect(await placeMedia(place)).toEqual(['covers/cd/gone-330.webp'])
  expect(await text(await store.stream(SOUND))).toBe('sound')

  const files = await everyFile(store)
  expect(await hashMedia(store, files, () => undefined)).toEqual({
    [SOUND]: { bytes: 5, sha256 },
    [COVER]: picture,
  })
  const entries: Record<string, string> = {}
  for await (const { name, content } of mediaEntries(store, files, () => undefined))
    entries[name] = (await buffer(Readable.from(content))).toString()
  expect(entries).toEqual({ [`media/${SOUND}`]: 'sound', [`media/${COVER}`]: 'a picture' })
})

test.each(['a bucket', 'a folder'])(
  'a file that was damaged before its backup is not copied into %s, and is reported',
  async (place) => {
    const staging = mkdtempSync(join(folder, 'damaged-'))
    await mediaFolder(staging).put(SOUND, Buffer.from('soumd'))
    await mediaFolder(staging).put(COVER, Buffer.from('a picture'))
    await store.remove(SOUND)
    const into = place === 'a bucket' ? store : mediaFolder(join(staging, 'shop'))
    const given = { store: into, staging, listed: {}, beside: join(staging, 'nowhere'), progress: silently }
    expect(await placeMedia(given)).toEqual([SOUND])
    expect([await into.size(SOUND), await into.size(COVER)]).toEqual([undefined, 9])
  },
)
