import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { fc } from '#tests/support/random.ts'

const PHONE = '11111111-1111-4111-8111-111111111111'
const TABLET = '22222222-2222-4222-8222-222222222222'

let shop: TestShop
let headers: { xtoken: string }
let book: TestBook

beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  const nell = await aUser(shop)
  headers = await signedIn(shop, nell)
  book = await anEBook(shop)
  await inLibrary(shop, nell, book)
})
afterAll(() => shop.close())

const keep = (event: Record<string, unknown> = {}, as = headers, eBook = book) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/user_e_book_places',
    headers: as,
    payload: { eBook: `/api/e_books/${eBook.slug}`, locator: 'epubcfi(/6/4)', share: 0.1, ...event },
  })
const places = async (query = '', as = headers) =>
  (await shop.app.inject({ url: `/api/user_e_book_places${query}`, headers: as })).json()['hydra:member']

test('another device resumes at the place that one device saved', async () => {
  const made = await keep({ locator: 'epubcfi(/6/8!/4/2)', share: 0.4, deviceId: PHONE })
  expect(made.statusCode).toBe(201)
  expect(made.headers.location).toBe(made.json()['@id'])
  shop.clock.advance(10)
  const moved = await keep({ locator: 'epubcfi(/6/10)', share: 0.5, deviceId: TABLET })
  expect([moved.statusCode, moved.json().id]).toEqual([200, made.json().id])
  expect(moved.json().serverTime).toBe(shop.now().toISOString())
  expect(await places(`?eBook=/api/e_books/${book.slug}`)).toMatchObject([
    { locator: 'epubcfi(/6/10)', share: 0.5, deviceId: TABLET, readAt: shop.now().toISOString() },
  ])
  expect(await places('?eBook=another')).toEqual([])
})

test('trap 1: a place read later wins, even if it arrived first; agoSeconds takes precedence over a wrong clock', async () => {
  await keep({ share: 0.8 })
  const late = await keep({ share: 0.2, agoSeconds: 600, readAt: shop.now().toISOString() })
  expect(late.json()).toMatchObject({ share: 0.8 })
  shop.clock.advance(5)
  const future = await keep({ share: 0.3, readAt: '2099-01-01T00:00:00.000Z' })
  expect(future.json()).toMatchObject({ share: 0.3, readAt: shop.now().toISOString() })
  expect((await keep({ share: 0.4, readAt: '1990-01-01T00:00:00.000Z' })).json().share).toBe(0.3)
})

test('a repeated event counts once, also after another one', async () => {
  const eventId = randomUUID()
  await keep({ share: 0.2, eventId })
  shop.clock.advance(5)
  await keep({ share: 0.6 })
  shop.clock.advance(5)
  expect((await keep({ share: 0.2, eventId })).json()).toMatchObject({ share: 0.6 })
})

test('PLAY-23: the same place wins in any order of arrival', async () => {
  const event = fc.record({
    ago: fc.integer({ min: 0, max: 3 }),
    deviceId: fc.constantFrom(PHONE, TABLET),
    sequence: fc.integer({ min: 0, max: 2 }),
    share: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    eventId: fc.uuid(),
  })
  const orders = fc
    .uniqueArray(event, { minLength: 2, maxLength: 5, selector: ({ eventId }) => eventId })
    .chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    )
  await fc.assert(
    fc.asyncProperty(orders, async ([one, other]) => {
      const stands = async (events: typeof one) => {
        const reader = await aUser(shop)
        const as = await signedIn(shop, reader)
        await inLibrary(shop, reader, book)
        for (const { ago, ...rest } of events) await keep({ ...rest, agoSeconds: ago }, as)
        const [place] = await places('', as)
        return place.eventId as string
      }
      expect(await stands(one)).toBe(await stands(other))
    }),
    { numRuns: 15 },
  )
})

test('only the reader’s own e-books have a place, and a locator is a CFI', async () => {
  const audio = await anAudioBook(shop)
  expect((await keep({}, headers, audio)).statusCode).toBe(404)
  expect((await keep({}, headers, await anEBook(shop))).statusCode).toBe(404)
  expect((await keep({}, await signedIn(shop, await aUser(shop)))).statusCode).toBe(404)
  for (const locator of ['', 'chapter-2', 'epubcfi(\u0000)', `epubcfi(/${'6'.repeat(1000)})`])
    expect((await keep({ locator })).statusCode, locator.slice(0, 12)).toBeGreaterThanOrEqual(400)
  expect((await keep({ share: 1.2 })).statusCode).toBeLessThan(500)
  expect(await places()).toEqual([])
})
