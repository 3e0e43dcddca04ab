import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  aBuyer,
  type Buyer,
  fillBag,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { anAudioBook, inLibrary } from '#tests/support/builders.ts'
import { heardStatements } from '#tests/support/statement-log.ts'

let at: PayingShop
let buyer: Buyer
beforeAll(async () => {
  at = await payingShop()
  for (let n = 1; n <= 30; n += 1) await anAudioBook(at.shop, { slug: `book-${n}` })
  buyer = await aBuyer(at.shop)
  // Caches the buyer's session, as for any recent user. Stop the clock, because on a busy machine the cache entry would
  // expire before it is used.
  await buyer.ask('GET', '/api/audio_books')
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
})
afterAll(async () => {
  vi.restoreAllMocks()
  await at.shop.close()
})

/** The statements of a call, without those that begin and end a transaction. */
const asked = async (work: () => Promise<unknown>) =>
  (await heardStatements(work)).filter((text) => !/^(begin|commit)$/.test(text))

const costs = async (method: 'GET' | 'POST', url: string, body?: object) => {
  let status = 0
  const statements = await asked(async () => {
    status = (await buyer.ask(method, url, body)).statusCode
  })
  expect(status).toBeLessThan(300)
  return statements.length
}

test('an uncached list takes two statements, to find its books and to load them, and none the second time', async () => {
  expect(await costs('GET', '/api/audio_books?page=2')).toBeLessThanOrEqual(2)
  expect(await costs('GET', '/api/audio_books?page=2')).toBe(0)
})

test('a book takes two statements and one for what the user owns of it, and only the latter the second time', async () => {
  expect(await costs('GET', '/api/audio_books/book-3')).toBeLessThanOrEqual(3)
  expect(await costs('GET', '/api/audio_books/book-3')).toBe(1)
})

test('a checkout takes twelve statements', async () => {
  const { audioBook, eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [
    { slug: audioBook.slug, kind: 'audio_books' },
    { slug: eBook.slug, kind: 'e_books' },
  ])
  const payload = { couponCode: null, amount: 17.99, waiver: true }
  const statements = await asked(() => buyer.ask('POST', `/api/carts/${cart}/checkout`, payload))
  expect(statements).toHaveLength(12)
})

// The last test, because other devices are notified shortly after places are stored, which the next test would count.
test('places that arrive together take one statement to read and one to write, for any number of listeners', async () => {
  const book = await anAudioBook(at.shop, { slug: 'heard' })
  const listeners = await Promise.all(Array.from({ length: 8 }, () => aBuyer(at.shop)))
  for (const { user } of listeners) await inLibrary(at.shop, user, book)
  const deviceId = randomUUID()
  const sendAll = (sequence: number) =>
    Promise.all(
      listeners.map((listener) =>
        listener.ask('POST', '/api/user_audio_book_times', {
          audioBook: '/api/audio_books/heard',
          chapter: 1,
          seconds: sequence,
          eventId: randomUUID(),
          deviceId,
          sequence,
          agoSeconds: 1,
        }),
      ),
    )
  await sendAll(1)
  let statuses: number[] = []
  const statements = await asked(async () => {
    statuses = (await sendAll(2)).map(({ statusCode }) => statusCode)
  })
  expect(new Set(statuses)).toEqual(new Set([200]))
  // The first of them may be processed before the others arrive.
  expect(statements.filter((text) => /listening_events/.test(text)).length).toBeLessThanOrEqual(4)
  expect(statements.filter((text) => !/listening_events|pg_notify/.test(text))).toEqual([])
})
