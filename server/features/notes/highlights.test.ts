import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { highlights as highlightRows } from '#server/db/schema/notes.ts'
import { anEBook, aUser, inLibrary, signedIn, type TestBook, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let nell: TestUser
let headers: { xtoken: string }
let book: TestBook

beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  nell = await aUser(shop)
  headers = await signedIn(shop, nell)
  book = await anEBook(shop)
  await inLibrary(shop, nell, book)
})
afterAll(() => shop.close())

type Sent = Record<string, unknown>
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', payload?: Sent, as = headers) =>
  shop.app.inject({
    ...{ method, url: `/api/user_highlights${path}`, headers: as },
    ...(payload ? { payload } : {}),
  })
const make = (sent: Sent = {}, as = headers) =>
  call(
    'POST',
    '',
    {
      ...{ id: randomUUID(), eBook: `/api/e_books/${book.slug}`, locator: 'epubcfi(/6/4!/4/2,/1:3,/1:9)' },
      ...{ share: 0.5, quote: 'the second ledger', chapter: 'One', note: '' },
      ...sent,
    },
    as,
  )
const list = async (query = '', as = headers) =>
  (await call('GET', query, undefined, as)).json()['hydra:member']
const secondsAgo = (seconds: number) => new Date(shop.now().getTime() - seconds * 1000).toISOString()

test('listening: other devices receive the highlights of one device with their text, in the order of the book, once', async () => {
  const sent = { id: randomUUID(), eventId: randomUUID(), share: 0.9, note: 'Who wrote it?' }
  expect((await make(sent)).statusCode).toBe(201)
  expect((await make(sent)).statusCode).toBe(200)
  await make({ share: 0.1, quote: 'the tide table' })
  const found = await list(`?eBook=/api/e_books/${book.slug}`, await signedIn(shop, nell))
  expect(found.map(({ quote, chapter, note }: Sent) => [quote, chapter, note])).toEqual([
    ['the tide table', 'One', ''],
    ['the second ledger', 'One', 'Who wrote it?'],
  ])
  expect(await list('?eBook=/api/e_books/another')).toEqual([])
})

test('the note written last wins in any order of arrival; the other one is in the history', async () => {
  const { id } = (await make({ changedAt: secondsAgo(500) })).json()
  await call('PATCH', `/${id}`, { note: 'At home', changedAt: secondsAgo(100), eventId: randomUUID() })
  await call('PATCH', `/${id}`, { note: 'On the train', changedAt: secondsAgo(300), eventId: randomUUID() })
  expect((await list())[0].note).toBe('At home')
  const { 'hydra:member': before } = (await call('GET', `/${id}/history`)).json()
  expect(before.map(({ note }: Sent) => note)).toEqual(['On the train'])
})

test('a removal wins over a later note and a late repeat, and deletes text and note', async () => {
  const sent = { id: randomUUID(), note: 'A secret' }
  await make(sent)
  const answers = [
    await call('DELETE', `/${sent.id}`),
    await call('PATCH', `/${sent.id}`, { note: 'Another secret' }),
    await make(sent),
    await call('DELETE', `/${sent.id}`),
    await call('GET', `/${sent.id}/history`),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 404, 409, 204, 404])
  const { rows } = await shop.database.pool.query(
    'select row_to_json(h)::text as text from user_highlights h where user_id = $1',
    [nell.id],
  )
  expect(JSON.stringify(rows)).not.toMatch(/secret|ledger/)
})

test('another account’s highlight cannot be accessed, and only the reader’s own e-books can be highlighted', async () => {
  const { id } = (await make()).json()
  const stranger = await signedIn(shop, await aUser(shop))
  const answers = [
    await call('PATCH', `/${id}`, { note: 'Theirs' }, stranger),
    await call('DELETE', `/${id}`, undefined, stranger),
    await call('GET', `/${id}/history`, undefined, stranger),
    await make({}, stranger),
    await make({ eBook: '/api/e_books/no-such-book' }),
    await make({ locator: 'javascript:alert(1)' }),
    await make({ quote: '' }),
    await make({ quote: 'x'.repeat(2001) }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404, 422, 422, 422])
  expect(await list('', stranger)).toEqual([])
})

test('two devices that send the same highlight at the same time create one', async () => {
  const sent = { id: randomUUID(), eventId: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 4 }, () => make(sent)))
  expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 200, 200, 201])
  expect(await list()).toHaveLength(1)
})

test('highlights share the 600 changes an hour with bookmarks, and an account has at most 2,000', async () => {
  expect((await make()).statusCode).toBe(201)
  await shop.db.update(rateLimits).set({ hits: 600 }).where(like(rateLimits.key, 'marks of %'))
  const refused = await make()
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  shop.clock.advance(3600)
  headers = await signedIn(shop, nell)

  const [first] = await shop.db.select().from(highlightRows).where(eq(highlightRows.userId, nell.id))
  await shop.db
    .insert(highlightRows)
    .values(Array.from({ length: 1999 }, () => ({ ...first!, id: randomUUID(), eventId: randomUUID() })))
  const tooMany = await make()
  expect([tooMany.statusCode, tooMany.json().detail]).toEqual([
    422,
    'You have 2000 highlights. Remove one to add another.',
  ])
  await call('DELETE', `/${first!.id}`)
  expect((await make()).statusCode).toBe(201)
})
