import { randomBytes } from 'node:crypto'
import JSZip from 'jszip'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AudioBook, EBook } from '#contract/catalogue.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { openLog } from '#server/log/log.ts'
import { coverPath } from '#server/integrations/media/paths.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const night = randomBytes(2_000_000)
const COVER = 'c0ffee00c0ffee00c0ffee00c0ffee00'
const lines: string[] = []

let there: ObjectStore
/** Three servers of one shop: one streams, one redirects listeners to the store, one delegates to the proxy. */
let streaming: TestShop
let sending: TestShop
let leaving: TestShop
let book: TestBook
let address: { sound: string; zip: string; text: string; sample: string; cover: string }

beforeAll(async () => {
  there = await objectStore()
  const log = openLog('debug', { write: (line) => void lines.push(line) })
  const env = { MEDIA_S3_URL: there.url, DEMO: '0' }
  streaming = await testShop({ env, log })
  const { database } = streaming
  sending = await testShop({ env: { ...env, MEDIA_DELIVERY: 'store' }, database, log })
  leaving = await testShop({ env: { DEMO: '0', MEDIA_DELIVERY: 'proxy' }, database, log })

  const user = await aUser(streaming)
  book = await aSoundingBook(streaming, [
    { title: 'Dusk', bytes: Buffer.from('0123456789') },
    { title: 'Night', bytes: night },
  ])
  const fileId = await aStoredFile(streaming, Buffer.from('an epub'), 'epub')
  const text = await anEBook(streaming, { title: 'Paper: a life', fileId })
  const sampleId = await aStoredFile(streaming, Buffer.from('a sample'), 'mp3')
  const sampled = await anAudioBook(streaming, { sampleId })
  await streaming.media.put(coverPath(COVER, '330.webp'), Buffer.from('a picture'))
  for (const owned of [book, text]) await inLibrary(streaming, user, owned)

  const headers = await signedIn(streaming, user)
  const seen = async <Book>(url: string): Promise<Book> =>
    (await streaming.app.inject({ url: `/api/${url}`, headers })).json()
  const { audioFiles, download } = await seen<AudioBook>(`audio_books/${book.slug}`)
  address = {
    sound: audioFiles[1]!.url,
    zip: download!,
    text: (await seen<EBook>(`e_books/${text.slug}`)).download!,
    sample: (await seen<AudioBook>(`audio_books/${sampled.slug}`)).sample!,
    cover: `/media/${coverPath(COVER, '330.webp')}`,
  }
})
afterEach(() => {
  there.fault = undefined
})
afterAll(async () => {
  await sending.app.close()
  await leaving.app.close()
  await streaming.close()
  await there.close()
})

type Method = 'GET' | 'HEAD'
const ask = ({ app }: TestShop, url: string, headers: Record<string, string> = {}, method: Method = 'GET') =>
  app.inject({ method, url, headers })

test('streams audio from a store as from a folder: whole, by range, by HEAD, and beyond its end', async () => {
  const whole = await ask(streaming, address.sound)
  expect(whole.rawPayload.equals(night)).toBe(true)
  expect(whole.headers).toMatchObject({
    'content-type': 'audio/mpeg',
    'content-length': '2000000',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  })
  const part = await ask(streaming, address.sound, { range: 'bytes=1000000-1000099' })
  expect([part.statusCode, part.headers['content-range']]).toEqual([206, 'bytes 1000000-1000099/2000000'])
  expect(part.rawPayload.equals(night.subarray(1_000_000, 1_000_100))).toBe(true)
  expect((await ask(streaming, address.sound, { range: 'bytes=2000000-' })).statusCode).toBe(416)
  expect((await ask(streaming, address.sound, {}, 'HEAD')).headers['content-length']).toBe('2000000')
  expect(
    (await ask(streaming, address.sound, { 'if-none-match': String(whole.headers.etag) })).statusCode,
  ).toBe(304)
})

test('samples, covers, e-books and zips can come from a store too', async () => {
  expect((await ask(streaming, address.sample)).body).toBe('a sample')
  const cover = await ask(streaming, address.cover)
  expect([cover.body, cover.headers['content-type'], cover.headers['cache-control']]).toEqual([
    'a picture',
    'image/webp',
    'public, max-age=31536000, immutable',
  ])
  const text = await ask(streaming, address.text)
  expect(text.body).toBe('an epub')
  expect(text.headers['content-disposition']).toContain('filename="Paper a life.epub"')
  const { rawPayload } = await ask(streaming, address.zip)
  const { files } = await JSZip.loadAsync(rawPayload, { checkCRC32: true })
  expect(Object.keys(files)).toEqual(['01 Dusk.mp3', '02 Night.mp3', 'manifest.json'])
  expect((await files['02 Night.mp3']!.async('nodebuffer')).equals(night)).toBe(true)
})

test('MEDIA_DELIVERY=store redirects a listener to the store after checking ownership', async () => {
  const sent = await ask(sending, address.sound, { range: 'bytes=5-9' })
  expect([sent.statusCode, sent.body, sent.headers['cache-control']]).toEqual([302, '', 'private, no-store'])
  const there_ = String(sent.headers.location)
  expect(there_.startsWith(`${there.origin}/media/`)).toBe(true)
  const part = await fetch(there_, { headers: { range: 'bytes=5-9', origin: 'https://shop.example' } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(night.subarray(5, 10))).toBe(true)
  // A page needs this header to read the file.
  expect(part.headers.get('access-control-allow-origin')).toBe('*')
  expect(part.headers.get('access-control-expose-headers')).toContain('content-range')

  const text = await fetch(String((await ask(sending, address.text)).headers.location))
  expect([await text.text(), text.headers.get('content-type')]).toEqual(['an epub', 'application/epub+zip'])
  expect(text.headers.get('content-disposition')).toContain('filename="Paper a life.epub"')
  const sample = await ask(sending, address.sample)
  expect([sample.statusCode, sample.headers['cache-control']]).toEqual([302, 'private, no-store'])

  for (const url of [address.sound, address.text]) {
    const stranger = await ask(sending, url.replace(/sig=.*/, 'sig=x'))
    expect([stranger.statusCode, stranger.headers.location]).toEqual([403, undefined])
  }
})

test('covers, zips and HEAD requests are still served by the shop', async () => {
  expect((await ask(sending, address.cover)).body).toBe('a picture')
  expect((await ask(sending, address.zip)).statusCode).toBe(200)
  expect((await ask(sending, address.sound, {}, 'HEAD')).headers['content-length']).toBe('2000000')
})

test('MEDIA_DELIVERY=proxy names the file to the proxy, and only for a valid signature', async () => {
  const { statusCode, headers, body } = await ask(leaving, address.text)
  expect([statusCode, body]).toEqual([200, ''])
  expect(headers['x-accel-redirect']).toMatch(/^\/media-files\/[0-9a-f]{2}\/[0-9a-f]{64}\.epub$/)
  expect(headers).toMatchObject({
    'content-type': 'application/epub+zip',
    'cache-control': 'private, no-store',
  })
  expect(headers['content-disposition']).toContain('Paper a life.epub')
  const stranger = await ask(leaving, address.sound.replace(/sig=.*/, 'sig=x'))
  expect([stranger.statusCode, stranger.headers['x-accel-redirect']]).toEqual([403, undefined])
})

test('an unavailable store is 503 with Retry-After, and a missing file is 404', async () => {
  const { database } = streaming
  const fresh = await testShop({ env: { MEDIA_S3_URL: there.url, DEMO: '0' }, database, log: streaming.log })
  there.fault = 500
  for (const url of Object.values(address)) {
    const { statusCode, headers } = await ask(fresh, url)
    expect([url, statusCode, headers['retry-after']]).toEqual([url, 503, '5'])
  }
  there.fault = undefined
  const lost = await streaming.media.size(coverPath(COVER, '900.avif'))
  expect(lost).toBeUndefined()
  expect((await ask(fresh, address.cover.replace('330.webp', '900.avif'))).statusCode).toBe(404)
  await fresh.app.close()
})

test('the log contains no key and no signed address of the store', async () => {
  await streaming.db.delete(libraryEntries)
  expect((await ask(sending, address.text)).statusCode).toBe(403)
  expect(lines.join('')).toContain('"fault":"store"')
  expect(lines.join('')).not.toMatch(/S3RVER|X-Amz-|Signature/)
})
