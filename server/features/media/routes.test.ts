import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import JSZip from 'jszip'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AudioBook, EBook } from '#contract/catalogue.ts'
import { users } from '#server/db/schema/accounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import {
  anAudioBook,
  anEBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const dusk = Buffer.from('0123456789abcdefghij')
// Longer than one chunk of the response.
const night = randomBytes(3_000_000)

let shop: TestShop
let user: TestUser
let book: TestBook

beforeAll(async () => {
  shop = await testShop()
  user = await aUser(shop)
  book = await aSoundingBook(
    shop,
    [
      { title: 'Dusk: the *first* hour', bytes: dusk },
      { title: 'Nächtliche Fähre', bytes: night },
    ],
    { title: 'Quiet “Ferry” / Part 1' },
  )
  await inLibrary(shop, user, book)
})
afterAll(() => shop.close())

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  shop.app.inject({ method, url, headers })

/** Logs in again each time, because some tests move the clock by hours. */
const owner = () => signedIn(shop, user)
const owned = async (): Promise<AudioBook> =>
  (await ask(`/api/audio_books/${book.slug}`, await owner())).json()
const sound = async (chapter: number) => (await owned()).audioFiles[chapter - 1]!.url

test('API-56: a chapter is fetched whole by its signed address and must not be cached', async () => {
  const answer = await ask(await sound(2))
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.equals(night)).toBe(true)
  expect(answer.headers).toMatchObject({
    'content-type': 'audio/mpeg',
    'content-length': '3000000',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    etag: `"${createHash('sha256').update(night).digest('hex')}"`,
  })
})

test.each([
  ['bytes=0-1', '01', 'bytes 0-1/20'],
  ['bytes=0-', '0123456789abcdefghij', 'bytes 0-19/20'],
  ['bytes=18-', 'ij', 'bytes 18-19/20'],
  ['bytes=-3', 'hij', 'bytes 17-19/20'],
  ['bytes=15-900', 'fghij', 'bytes 15-19/20'],
])('trap 3: %s of a chapter is 206 with just those bytes', async (range, text, contentRange) => {
  const url = await sound(1)
  // Three times: from the disk, while it becomes popular, and from memory.
  for (let round = 0; round < 3; round += 1) {
    const answer = await ask(url, { range })
    expect(answer.statusCode).toBe(206)
    expect(answer.body).toBe(text)
    expect(answer.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(text.length),
    })
  }
})

test('trap 3: a range within or across a long chapter has exactly its bytes', async () => {
  const url = await sound(2)
  for (const [first, last] of [
    [1_000_000, 1_262_143],
    [7, 2_500_000],
  ] as const) {
    const answer = await ask(url, { range: `bytes=${first}-${last}` })
    expect(answer.statusCode).toBe(206)
    expect(answer.rawPayload.equals(night.subarray(first, last + 1))).toBe(true)
  }
})

test('trap 3: a range beyond the end is 416 and returns the length of the chapter', async () => {
  const answer = await ask(await sound(1), { range: 'bytes=20-' })
  expect(answer.statusCode).toBe(416)
  expect(answer.headers['content-range']).toBe('bytes */20')
})

test('several ranges at once, or a range of another version, get the whole chapter', async () => {
  const url = await sound(1)
  expect((await ask(url, { range: 'bytes=0-1,4-5' })).statusCode).toBe(200)
  const other = await ask(url, { range: 'bytes=0-1', 'if-range': '"another"' })
  expect([other.statusCode, other.body.length]).toEqual([200, 20])
  const etag = String(other.headers.etag)
  expect((await ask(url, { range: 'bytes=0-1', 'if-range': etag })).statusCode).toBe(206)
  expect((await ask(url, { 'if-none-match': etag })).statusCode).toBe(304)
})

test('HEAD returns the length and no body', async () => {
  const answer = await ask(await sound(1), {}, 'HEAD')
  expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, '20', ''])
})

test('no audio is sent without a valid signature', async () => {
  const url = await sound(1)
  const other = await sound(2)
  const path = url.split('?')[0]!
  const refused = [
    path,
    `${path}?exp=99999999999&u=${user.id}&sig=`,
    `${other.split('?')[0]}?${url.split('?')[1]}`,
    url.replace(/exp=(\d+)/, (_, seconds: string) => `exp=${Number(seconds) + 60}`),
    url.replace(/u=[^&]+/, 'u=00000000-0000-0000-0000-000000000000'),
    url.replace('.mp3', '.m4a'),
    path.replace('sound', 'zip'),
  ]
  for (const address of refused)
    for (const headers of [{}, await owner()])
      expect((await ask(address, headers)).statusCode, address).toBe(403)
})

test('an audio address stays the same within the hour and expires after six', async () => {
  shop.clock.set('2026-03-02T09:05:00Z')
  const headers = await owner()
  const again = async () => {
    const seen: AudioBook = (await ask(`/api/audio_books/${book.slug}`, headers)).json()
    return seen.audioFiles[0]!.url
  }
  const url = await again()
  shop.clock.advance(1200)
  expect(await again()).toBe(url)
  shop.clock.set('2026-03-02T15:04:00Z')
  expect((await ask(url)).statusCode).toBe(200)
  shop.clock.set('2026-03-02T16:00:00Z')
  expect((await ask(url)).statusCode).toBe(403)
})

test('PLAY-04 API-57: an owner’s zip contains every chapter under names that sort, with the announced length', async () => {
  const { download } = await owned()
  const answer = await ask(download!)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(answer.rawPayload.length),
    'cache-control': 'private, no-store',
  })
  expect(answer.headers['content-disposition']).toContain(
    `filename*=UTF-8''Quiet%20%E2%80%9CFerry%E2%80%9D%20Part%201.zip`,
  )
  const zip = await JSZip.loadAsync(answer.rawPayload, { checkCRC32: true })
  const names = Object.keys(zip.files)
  expect(names).toEqual(['01 Dusk the first hour.mp3', '02 Nächtliche Fähre.mp3', 'manifest.json'])
  expect((await zip.file(names[0]!)!.async('nodebuffer')).equals(dusk)).toBe(true)
  expect((await zip.file(names[1]!)!.async('nodebuffer')).equals(night)).toBe(true)
})

test('in step: an owner’s zip is a Readium audiobook: its manifest names every chapter, with its length', async () => {
  const { download } = await owned()
  const zip = await JSZip.loadAsync((await ask(download!)).rawPayload)
  const manifest = JSON.parse(await zip.file('manifest.json')!.async('string'))
  expect(manifest).toMatchObject({
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      '@type': 'http://schema.org/Audiobook',
      conformsTo: 'https://readium.org/webpub-manifest/profiles/audiobook',
      title: 'Quiet “Ferry” / Part 1',
      duration: 3,
    },
    readingOrder: [
      { title: 'Dusk: the *first* hour', type: 'audio/mpeg', duration: 1 },
      { title: 'Nächtliche Fähre', type: 'audio/mpeg', duration: 2 },
    ],
  })
  for (const { href } of manifest.readingOrder) expect(zip.file(decodeURIComponent(href))).not.toBeNull()
})

test('API-57: a zip is 403 without its signature, after a quarter of an hour, and after the title was taken back', async () => {
  const { download } = await owned()
  expect((await ask(download!.split('?')[0]!, await owner())).statusCode).toBe(403)
  shop.clock.advance(14 * 60)
  expect((await ask(download!, {}, 'HEAD')).statusCode).toBe(200)
  shop.clock.advance(60)
  expect((await ask(download!)).statusCode).toBe(403)

  const { download: again } = await owned()
  await shop.db.delete(libraryEntries).where(eq(libraryEntries.bookId, book.id))
  expect((await ask(again!)).statusCode).toBe(403)
  await inLibrary(shop, user, book)
})

test('API-57: one zip at a time per listener', async () => {
  await shop.app.listen({ port: 0 })
  const { port } = shop.app.server.address() as { port: number }
  const long = await aSoundingBook(shop, [{ title: 'Long', bytes: Buffer.alloc(40_000_000) }])
  await inLibrary(shop, user, long)
  const { download }: AudioBook = (await ask(`/api/audio_books/${long.slug}`, await owner())).json()
  const url = `http://127.0.0.1:${port}${download}`
  const leaving = new AbortController()
  // Not read: the first download stays in progress until it is aborted.
  const first = await fetch(url, { signal: leaving.signal })
  expect(first.status).toBe(200)
  const second = await fetch(url)
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10'])
  leaving.abort()
  const retried = async () => {
    const { status, body } = await fetch(url)
    await body?.cancel()
    return status
  }
  await expect.poll(retried).toBe(200)
})

test('API-58: an owner’s e-book is sent by its download path under its title', async () => {
  const fileId = await aStoredFile(shop, Buffer.from('an epub'), 'epub')
  const text = await anEBook(shop, { title: 'Letters, without: Paper', fileId })
  await inLibrary(shop, user, text)
  const { download }: EBook = (await ask(`/api/e_books/${text.slug}`, await owner())).json()
  const answer = await ask(download!)
  expect([answer.statusCode, answer.body]).toEqual([200, 'an epub'])
  expect(answer.headers['content-type']).toBe('application/epub+zip')
  expect(answer.headers['content-disposition']).toBe(
    `attachment; filename="Letters, without Paper.epub"; filename*=UTF-8''Letters%2C%20without%20Paper.epub`,
  )
  expect((await ask(download!.split('?')[0]!, await owner())).statusCode).toBe(403)
  const other = await anEBook(shop, { fileId })
  expect((await ask(download!.replace(`/${text.id}.`, `/${other.id}.`), await owner())).statusCode).toBe(403)
})

test('a sample is public while its book is published, and its path opens no other audio', async () => {
  const sampleId = await aStoredFile(shop, Buffer.from('a sample'), 'mp3')
  const sampled = await anAudioBook(shop, { sampleId })
  const { sample }: AudioBook = (await ask(`/api/audio_books/${sampled.slug}`)).json()
  const answer = await ask(sample!)
  expect([answer.statusCode, answer.body]).toEqual([200, 'a sample'])
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')

  const chapter = createHash('sha256').update(dusk).digest('hex')
  expect((await ask(`/media/samples/${sampled.id}/${chapter}.mp3`)).statusCode).toBe(404)
  expect((await ask(`/media/samples/${book.id}/${sampleId}.mp3`)).statusCode).toBe(404)
  await shop.db.update(books).set({ published: false }).where(eq(books.id, sampled.id))
  shop.answers.clear()
  expect((await ask(sample!)).statusCode).toBe(404)
})

test('a cover can be cached for ever, and its folder contains nothing else', async () => {
  const folder = join(shop.mediaDir, 'covers', 'c0')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'c0ffee-330.webp'), 'a picture')
  const answer = await ask('/media/covers/c0/c0ffee-330.webp')
  expect([answer.statusCode, answer.body]).toEqual([200, 'a picture'])
  expect(answer.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  // Emails show a small JPEG; a cover of an earlier release has only the large one.
  await writeFile(join(folder, 'c0ffee-900.jpg'), 'a large picture')
  const inEmail = await ask('/media/covers/c0/c0ffee-330.jpg')
  expect([inEmail.body, inEmail.headers['cross-origin-resource-policy']]).toEqual([
    'a large picture',
    'cross-origin',
  ])
  await writeFile(join(folder, 'c0ffee-330.jpg'), 'a small picture')
  expect((await ask('/media/covers/c0/c0ffee-330.jpg')).body).toBe('a small picture')
  // A cover of an earlier release has no medium size either.
  await writeFile(join(folder, 'c0ffee-900.avif'), 'large AVIF')
  const medium = () => ask('/media/covers/c0/c0ffee-600.avif')
  expect((await medium()).body).toBe('large AVIF')
  await writeFile(join(folder, 'c0ffee-600.avif'), 'medium AVIF')
  expect((await medium()).body).toBe('medium AVIF')
  const chapter = createHash('sha256').update(dusk).digest('hex')
  for (const path of [
    '/media/covers/c0/none.webp',
    '/media/covers/c0',
    `/media/covers/..%2f${chapter.slice(0, 2)}%2f${chapter}.mp3`,
    `/media/covers/../${chapter.slice(0, 2)}/${chapter}.mp3`,
    `/media/${chapter.slice(0, 2)}/${chapter}.mp3`,
  ])
    expect([403, 404], path).toContain((await ask(path)).statusCode)
})

test('media routes are read-only: another method is 405', async () => {
  const answer = await ask(await sound(1), {}, 'POST')
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('a listed chapter that is missing on the disk is 404, not half a zip', async () => {
  const lost = await aSoundingBook(shop, [{ title: 'Lost', bytes: Buffer.from('lost') }])
  await inLibrary(shop, user, lost)
  const { audioFiles, download }: AudioBook = (
    await ask(`/api/audio_books/${lost.slug}`, await owner())
  ).json()
  await rm(join(shop.mediaDir, mediaPath({ sha256: audioFiles[0]!.sha256, extension: 'mp3' })))
  expect((await ask(audioFiles[0]!.url)).statusCode).toBe(404)
  expect((await ask(download!)).statusCode).toBe(404)
})

/** Another listener, and addresses signed while the title was theirs. */
async function aListener() {
  const listener = await aUser(shop)
  await inLibrary(shop, listener, book)
  const headers = await signedIn(shop, listener)
  const { audioFiles, download } = (await ask(`/api/audio_books/${book.slug}`, headers)).json() as AudioBook
  return { listener, headers, addresses: [audioFiles[0]!.url, download!] }
}
const statuses = (addresses: readonly string[]) =>
  Promise.all(addresses.map(async (url) => (await ask(url, {}, 'HEAD')).statusCode))

test.each([
  [
    'a refund or a dispute takes the title back',
    ({ id }: TestUser) => shop.db.delete(libraryEntries).where(eq(libraryEntries.userId, id)),
  ],
  ['the account is deleted', ({ id }: TestUser) => shop.db.delete(users).where(eq(users.id, id))],
])('%s: within a minute its signed addresses open nothing, on another instance too', async (_, end) => {
  const { listener, addresses } = await aListener()
  const other = await testShop({ database: shop.database })
  const there = async () => (await other.app.inject({ url: addresses[0]!, method: 'HEAD' })).statusCode
  expect(await statuses(addresses)).toEqual([200, 200])
  // The file is on the other disk; only the access check matters here.
  expect(await there()).toBe(404)
  await end(listener)
  shop.clock.advance(59)
  other.clock.advance(59)
  expect(await statuses(addresses)).toEqual([403, 403])
  expect(await there()).toBe(403)
  await other.app.close()
})

test('a log-out ends access by the session’s addresses within a minute, on another instance too, but not for other sessions', async () => {
  const { listener, headers, addresses } = await aListener()
  const again = await signedIn(shop, listener)
  const { audioFiles, download } = (await ask(`/api/audio_books/${book.slug}`, again)).json() as AudioBook
  const others = [audioFiles[0]!.url, download!]
  const other = await testShop({ database: shop.database })
  const there = async () => (await other.app.inject({ url: addresses[0]!, method: 'HEAD' })).statusCode
  // A second log-in of the same user does not affect current playback.
  expect(await statuses([...addresses, ...others])).toEqual([200, 200, 200, 200])
  expect(await there()).toBe(404)
  const ended = await shop.app.inject({ method: 'POST', url: '/api/devices/log-out-others', headers: again })
  expect(ended.statusCode).toBe(204)
  // The other instance learns of it by a message.
  const libraryThere = async () => (await other.app.inject({ url: '/api/libraries', headers })).statusCode
  await expect.poll(libraryThere).toBe(401)
  shop.clock.advance(59)
  other.clock.advance(59)
  expect(await statuses([...addresses, ...others])).toEqual([403, 403, 200, 200])
  expect(await there()).toBe(403)
  await other.app.close()
})

test('many ranges of one chapter cause one query', async () => {
  const { addresses } = await aListener()
  const asked = vi.spyOn(shop.database.pool, 'query')
  const [first] = addresses
  for (let range = 0; range < 50; range++)
    expect((await ask(first!, { range: `bytes=${range % 20}-` })).statusCode).toBe(206)
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1)
  asked.mockRestore()
})
