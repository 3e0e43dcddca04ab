import { brotliDecompressSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { credits } from '#server/db/schema/membership.ts'
import { anAudioBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { heardStatements } from '#tests/support/statement-log.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { readerMarks, readerMarksOf } from './caches.ts'

let shop: TestShop
let harbour: TestBook

beforeAll(async () => {
  shop = await testShop()
  harbour = await anAudioBook(shop, { slug: 'harbour', edition: true, blockedCountries: ['US'] })
  await anAudioBook(shop, { slug: 'tide', priceMinor: 0 })
})
afterAll(() => shop.close())

const SHELVES = ['/api/audio_books', '/api/homepage_panels', '/api/search_books?keyword=harbour']

const ask = async (url: string, headers: { xtoken: string }) =>
  (await shop.app.inject({ url, headers })).json()
async function marksOf(slug: string, headers: { xtoken: string }): Promise<string> {
  const cards: AudioBookCard[] = (await ask('/api/audio_books', headers))['hydra:member']
  const { inLibrary: owned, moveToLibrary, geoBlocked } = cards.find((card) => card.slug === slug)!
  return Object.entries({ owned, moveToLibrary, geoBlocked })
    .flatMap(([name, is]) => (is ? [name] : []))
    .join(' ')
}
const aListener = async (countryCode?: string) => {
  const user = await aUser(shop, countryCode ? { countryCode } : {})
  return { user, headers: await signedIn(shop, user) }
}
const aCredit = (userId: string, until: Date, from = new Date(0)) =>
  shop.db.insert(credits).values({ userId, usableFrom: from, usableUntil: until })
const inDays = (days: number) => new Date(shop.clock.now().getTime() + days * 86_400_000)

test('in one list, each reader sees their own marks only', async () => {
  const [owner, claimer, abroad, nobody] = await Promise.all([
    aListener(),
    aListener(),
    aListener('US'),
    aListener(),
  ])
  await inLibrary(shop, owner.user, harbour)
  await aCredit(claimer.user.id, inDays(10))
  for (let round = 0; round < 2; round += 1) {
    expect(await marksOf('harbour', owner.headers)).toBe('owned')
    expect(await marksOf('harbour', claimer.headers)).toBe('moveToLibrary')
    expect(await marksOf('harbour', abroad.headers)).toBe('geoBlocked')
    expect(await marksOf('harbour', nobody.headers)).toBe('')
  }
})

test('repeated lists, home pages and searches need no query; a book needs one', async () => {
  const { headers } = await aListener()
  const another = await aListener()
  for (const url of [...SHELVES, '/api/audio_books/harbour']) {
    await ask(url, headers)
    await ask(url, another.headers)
  }
  for (const url of SHELVES) expect([url, await heardStatements(() => ask(url, headers))]).toEqual([url, []])
  expect(await heardStatements(() => ask('/api/audio_books/harbour', headers))).toHaveLength(1)
})

test('a title that a listener claims is theirs in the next list', async () => {
  const { headers } = await aListener()
  expect(await marksOf('tide', headers)).toBe('')
  const url = '/api/audio_books/add-to-library/tide'
  const taken = await shop.app.inject({ method: 'POST', url, headers, payload: {} })
  expect(taken.statusCode).toBe(200)
  expect(await marksOf('tide', headers)).toBe('owned')
})

test('lists show titles and credits that another process adds or removes', async () => {
  const { user, headers } = await aListener()
  const becomes = (marks: string) =>
    vi.waitFor(async () => expect(await marksOf('harbour', headers)).toBe(marks))
  await becomes('')
  await aCredit(user.id, inDays(10))
  await becomes('moveToLibrary')
  await shop.db.update(credits).set({ spentAt: shop.clock.now() }).where(eq(credits.userId, user.id))
  await becomes('')
  await inLibrary(shop, user, harbour)
  await becomes('owned')
  await shop.db.delete(libraryEntries).where(eq(libraryEntries.userId, user.id))
  await becomes('')
})

test('a credit starts and expires without any write', async () => {
  const { user, headers } = await aListener()
  await aCredit(user.id, inDays(4), inDays(2))
  expect(await marksOf('harbour', headers)).toBe('')
  shop.clock.advance(2 * 86_400)
  // The first session has expired by now.
  const later = await signedIn(shop, user)
  expect(await marksOf('harbour', later)).toBe('moveToLibrary')
  shop.clock.advance(2 * 86_400)
  expect(await marksOf('harbour', await signedIn(shop, user))).toBe('')
})

test('does not cache marks that were read while their account changed; changes of other accounts do not matter', async () => {
  const { user } = await aListener()
  const readers = readerMarks(shop)
  const read = () => readerMarksOf(shop, user.id)
  const beside = async (changed: string) => {
    const reading = read()
    readers.forget(changed)
    await reading
    return heardStatements(read)
  }
  expect(await beside('somebody else')).toEqual([])
  readers.forgetAll()
  expect(await beside(user.id)).not.toEqual([])
})

test('an owner’s signed addresses are never sent to another reader, also from the cache', async () => {
  const owner = await aListener()
  const other = await aListener()
  await inLibrary(shop, owner.user, harbour)
  for (let round = 0; round < 2; round += 1) {
    expect((await ask('/api/audio_books/harbour', owner.headers)).audioFiles).not.toEqual([])
    expect((await ask('/api/audio_books/harbour', other.headers)).audioFiles).toEqual([])
  }
})

test('a listener’s list is compressed from the second request on, with the same content', async () => {
  const { headers } = await aListener()
  const asked = () =>
    shop.app.inject({
      url: '/api/audio_books?page=1',
      headers: { ...headers, 'accept-encoding': 'gzip, br' },
    })
  const first = await asked()
  const second = await asked()
  expect([first.headers['content-encoding'], second.headers['content-encoding']]).toEqual([undefined, 'br'])
  expect(JSON.parse(String(brotliDecompressSync(second.rawPayload)))).toEqual(first.json())
  expect(second.headers.vary).toContain('Accept-Encoding')
})
