import { randomUUID } from 'node:crypto'
import { and, eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { chapters } from '#server/db/schema/catalogue.ts'
import { bookmarkHistory, bookmarks } from '#server/db/schema/notes.ts'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { fc } from '#tests/support/random.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const PHONE = '11111111-1111-4111-8111-111111111111'
const TABLET = '22222222-2222-4222-8222-222222222222'

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
  book = await anAudioBook(shop)
  await inLibrary(shop, nell, book)
})
afterAll(() => shop.close())

type Sent = Record<string, unknown>
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: Sent, as = headers) =>
  shop.app.inject({ method, url, headers: as, ...(payload ? { payload } : {}) })
const make = (sent: Sent = {}, as = headers) =>
  call(
    'POST',
    '/api/user_bookmarks',
    {
      id: randomUUID(),
      audioBook: `/api/audio_books/${book.slug}`,
      chapter: 1,
      seconds: 30,
      note: '',
      ...sent,
    },
    as,
  )
const write = (id: string, sent: Sent, as = headers) => call('PATCH', `/api/user_bookmarks/${id}`, sent, as)
const remove = (id: string, as = headers) => call('DELETE', `/api/user_bookmarks/${id}`, undefined, as)
const list = async (query = '', as = headers) =>
  (await call('GET', `/api/user_bookmarks${query}`, undefined, as)).json()['hydra:member']
const notesBefore = async (id: string): Promise<string[]> => {
  const { 'hydra:member': lines } = (await call('GET', `/api/user_bookmarks/${id}/history`)).json()
  return lines.map(({ note }: { note: string }) => note)
}
const secondsAgo = (seconds: number) => new Date(shop.now().getTime() - seconds * 1000).toISOString()

describe('bookmarks of an account', () => {
  test('other devices receive the bookmarks of one device, in the order of the book', async () => {
    const made = await make({ chapter: 2, seconds: 5, note: 'The second ledger', deviceId: PHONE })
    expect(made.statusCode).toBe(201)
    expect(made.headers.location).toBe(made.json()['@id'])
    await make({ chapter: 1, seconds: 50 })
    await make({ chapter: 1, seconds: 10 })
    const elsewhere = await list('', await signedIn(shop, nell))
    expect(elsewhere.map((mark: Sent) => [mark.chapter, mark.seconds, mark.note])).toEqual([
      [1, 10, ''],
      [1, 50, ''],
      [2, 5, 'The second ledger'],
    ])
    expect(await list(`?audioBook=/api/audio_books/${book.slug}`)).toHaveLength(3)
    expect(await list('?audioBook=/api/audio_books/another-book')).toEqual([])
  })

  test('in step: a bookmark keeps its sentence, on other devices too, until it is removed', async () => {
    const sentence = 'Every cargo was weighed twice.'
    const { id } = (await make({ sentence, changedAt: secondsAgo(60) })).json()
    await make({ seconds: 40 })
    expect((await list()).map((mark: Sent) => mark.sentence)).toEqual([sentence, ''])
    expect((await write(id, { note: 'Weighed' })).json()).toMatchObject({ sentence, note: 'Weighed' })
    expect((await make({ id, sentence: 'Another one.' })).json().sentence).toBe(sentence)
    await remove(id)
    const [row] = await shop.db.select().from(bookmarks).where(eq(bookmarks.id, id))
    expect(row).toMatchObject({ sentence: '', note: '' })
  })

  test('in step: a bookmark made offline is in the chapter of its sound, also if that has another number since', async () => {
    const [first] = await shop.db
      .select({ sound: chapters.soundId })
      .from(chapters)
      .where(and(eq(chapters.bookId, book.id), eq(chapters.number, 1)))
    const { sound } = first!
    expect((await make({ chapter: 3, seconds: 20, sound })).json()).toMatchObject({ chapter: 1, seconds: 20 })
    expect((await make({ chapter: 3, sound: 'f'.repeat(64) })).json().chapter).toBe(3)
  })

  test('a repeated request creates no second bookmark, also if its first response was lost', async () => {
    const sent = { id: randomUUID(), eventId: randomUUID(), note: 'Once' }
    expect((await make(sent)).statusCode).toBe(201)
    const again = await make(sent)
    expect([again.statusCode, again.json().note]).toEqual([200, 'Once'])
    expect(await list()).toHaveLength(1)
    expect(await notesBefore(sent.id)).toEqual([])
  })

  test('another account’s bookmark cannot be read, changed or removed', async () => {
    const { id } = (await make({ note: 'Mine' })).json()
    const stranger = await signedIn(shop, await aUser(shop))
    const answers = [
      await write(id, { note: 'Theirs' }, stranger),
      await remove(id, stranger),
      await call('GET', `/api/user_bookmarks/${id}/history`, undefined, stranger),
      // They do not own the book, so they cannot create a bookmark with this id either.
      await make({ id }, stranger),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect(await list('', stranger)).toEqual([])
    expect((await list())[0].note).toBe('Mine')
  })

  test('an id that another account uses is still available', async () => {
    const { id } = (await make({ note: 'Mine' })).json()
    const other = await aUser(shop)
    await inLibrary(shop, other, book)
    const theirs = await signedIn(shop, other)
    expect((await make({ id, note: 'Theirs' }, theirs)).statusCode).toBe(201)
    expect([(await list())[0].note, (await list('', theirs))[0].note]).toEqual(['Mine', 'Theirs'])
  })

  test('only positions in the listener’s own books can be marked, and notes have a maximum length', async () => {
    const other = await anAudioBook(shop)
    const refusals = [
      await make({ audioBook: `/api/audio_books/${other.slug}` }),
      await make({ audioBook: '/api/audio_books/no-such-book' }),
      await make({ chapter: 99 }),
      await make({ seconds: -1 }),
      await make({ seconds: 100_000 }),
      await make({ note: 'x'.repeat(2001) }),
      await make({ id: 'mine' }),
      await write('no-uuid', { note: '' }),
      await write(randomUUID(), { note: '' }),
      await remove(randomUUID()),
    ]
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([
      404, 404, 422, 422, 422, 422, 422, 404, 404, 404,
    ])
    expect((await make({ note: 'x'.repeat(2000) })).statusCode).toBe(201)
  })
})

describe('the newer of two notes wins', () => {
  test('the other note is kept in the history, in any order of arrival', async () => {
    for (const order of [
      ['old', 'new'],
      ['new', 'old'],
    ]) {
      const { id } = (await make({ changedAt: secondsAgo(500) })).json()
      const notes: Record<string, Sent> = {
        old: { note: 'On the train', deviceId: PHONE, changedAt: secondsAgo(300), eventId: randomUUID() },
        new: { note: 'At home', deviceId: TABLET, changedAt: secondsAgo(100), eventId: randomUUID() },
      }
      for (const name of order) await write(id, notes[name]!)
      expect((await list()).find((mark: Sent) => mark.id === id).note).toBe('At home')
      expect(await notesBefore(id)).toEqual(['On the train'])
      // Repeated, as if its response was lost.
      for (const name of order) await write(id, notes[name]!)
      expect(await notesBefore(id)).toEqual(['On the train'])
    }
  })

  test('a clock that is ahead has no advantage: agoSeconds counts, and future times become now', async () => {
    const { id } = (await make({ changedAt: secondsAgo(500) })).json()
    await write(id, { note: 'Ahead', deviceId: PHONE, changedAt: secondsAgo(-86_400), agoSeconds: 60 })
    await write(id, { note: 'Right', deviceId: TABLET, changedAt: secondsAgo(10) })
    expect((await list())[0]).toMatchObject({ note: 'Right', changedAt: secondsAgo(10) })
    await write(id, { note: 'Tomorrow', deviceId: PHONE, changedAt: secondsAgo(-86_400) })
    expect((await list())[0]).toMatchObject({ note: 'Tomorrow', changedAt: secondsAgo(0) })
    shop.clock.advance(1)
    await write(id, { note: 'A second later', deviceId: TABLET, agoSeconds: 0 })
    expect((await list())[0].note).toBe('A second later')
  })

  test('an empty note is a note too: the history has the previous text', async () => {
    const { id } = (await make({ note: 'A name', changedAt: secondsAgo(20) })).json()
    await write(id, { note: '', changedAt: secondsAgo(10) })
    expect((await list())[0].note).toBe('')
    expect(await notesBefore(id)).toEqual(['A name'])
  })

  test('keeps fifty earlier notes', async () => {
    const { id } = (await make({ note: 'A', changedAt: secondsAgo(100) })).json()
    const line = (age: number) => ({
      userId: nell.id,
      bookmarkId: id,
      note: String(age),
      changedAt: new Date(secondsAgo(age)),
    })
    await shop.db.insert(bookmarkHistory).values(Array.from({ length: 50 }, (_, count) => line(900 - count)))
    await write(id, { note: 'B', changedAt: secondsAgo(50) })
    const notes = await notesBefore(id)
    expect([notes.length, notes[0], notes.at(-1)]).toEqual([50, 'A', '899'])
  })

  test('the same note wins in any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ago: fc.nat({ max: 5 }), device: fc.constantFrom(PHONE, TABLET) }), {
          minLength: 2,
          maxLength: 4,
        }),
        async (changes) => {
          const sent = changes.map(({ ago, device }, index) => ({
            note: `Note ${index}`,
            deviceId: device,
            sequence: index,
            changedAt: secondsAgo(ago),
            eventId: randomUUID(),
          }))
          const holds = async (order: typeof sent) => {
            await shop.db.delete(rateLimits)
            const { id } = (await make({ changedAt: secondsAgo(900) })).json()
            for (const change of order) await write(id, change)
            const found = (await list()).find((mark: Sent) => mark.id === id)
            return [found.note, ...(await notesBefore(id)).toSorted()]
          }
          expect(await holds(sent.toReversed())).toEqual(await holds(sent))
        },
      ),
      { numRuns: process.env.LONG ? 200 : 6 },
    )
  })
})

describe('a removal wins', () => {
  test('over a later note, and over a late repeat of the request that created the bookmark', async () => {
    const sent = { id: randomUUID(), eventId: randomUUID(), note: 'Gone soon' }
    await make(sent)
    expect((await remove(sent.id)).statusCode).toBe(204)
    const late = await write(sent.id, { note: 'Still here?', agoSeconds: 0 })
    const repeated = await make(sent)
    expect([late.statusCode, repeated.statusCode]).toEqual([404, 409])
    expect(repeated.json()['hydra:description']).toBe('This bookmark was removed.')
    expect(await list()).toEqual([])
    // Repeated, as if its response was lost.
    expect((await remove(sent.id)).statusCode).toBe(204)
    expect((await call('GET', `/api/user_bookmarks/${sent.id}/history`)).statusCode).toBe(404)
  })

  test('and deletes the note and its history', async () => {
    const { id } = (await make({ note: 'A secret', changedAt: secondsAgo(20) })).json()
    await write(id, { note: 'Another secret', changedAt: secondsAgo(10) })
    await remove(id)
    const { rows } = await shop.database.pool.query(
      `select row_to_json(b)::text as text from user_bookmarks b
       union all select row_to_json(h)::text from bookmark_history h`,
    )
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  test('also if note and removal arrive at the same time', async () => {
    for (let round = 0; round < (process.env.LONG ? 50 : 5); round += 1) {
      const { id } = (await make()).json()
      const answers = await Promise.all([
        write(id, { note: 'One', deviceId: PHONE }),
        remove(id),
        write(id, { note: 'Two', deviceId: TABLET }),
        remove(id),
      ])
      expect(answers.map(({ statusCode }) => statusCode).filter((status) => status >= 500)).toEqual([])
      expect((await list()).find((mark: Sent) => mark.id === id)).toBeUndefined()
    }
  })
})

test('two devices that send the same bookmark at the same time create one', async () => {
  const sent = { id: randomUUID(), eventId: randomUUID(), note: 'Once' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => make(sent)))
  expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
    200, 200, 200, 200, 200, 201,
  ])
  expect(await list()).toHaveLength(1)
})

test('an account can have 2000 bookmarks, also if two devices send the last one at the same time', async () => {
  const place = { userId: nell.id, bookId: book.id, chapter: 1, seconds: 1, note: '' }
  const at = shop.now()
  const rows = Array.from({ length: 1999 }, () => ({ ...place, id: randomUUID(), madeAt: at, changedAt: at }))
  await shop.db.insert(bookmarks).values(rows)
  const answers = await Promise.all([make(), make(), make()])
  expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([201, 422, 422])
  const refused = answers.find(({ statusCode }) => statusCode === 422)!
  expect(refused.json()['hydra:description']).toBe('You have 2000 bookmarks. Remove one to add another.')
  expect(await list('?itemsPerPage=2000')).toHaveLength(2000)
  await remove(rows[0]!.id)
  expect((await make()).statusCode).toBe(201)
})

test('keeps the ids of the last thousand removed bookmarks', async () => {
  const place = { userId: nell.id, bookId: book.id, chapter: 1, seconds: 1, note: '' }
  const removedAt = (count: number) => new Date(shop.now().getTime() - (2000 - count) * 1000)
  const rows = Array.from({ length: 1000 }, (_, count) => ({
    ...place,
    ...{
      id: randomUUID(),
      madeAt: removedAt(count),
      changedAt: removedAt(count),
      removedAt: removedAt(count),
    },
  }))
  await shop.db.insert(bookmarks).values(rows)
  const { id } = (await make()).json()
  await remove(id)
  const kept = await shop.db.select({ id: bookmarks.id }).from(bookmarks)
  const ids = new Set(kept.map((row) => row.id))
  expect([ids.has(id), ids.has(rows[0]!.id), ids.has(rows[1]!.id)]).toEqual([true, false, true])
})

test('an account can change 600 bookmarks per hour, then the device must wait', async () => {
  expect((await make()).statusCode).toBe(201)
  await shop.db.update(rateLimits).set({ hits: 599 }).where(like(rateLimits.key, 'marks of %'))
  expect((await make()).statusCode).toBe(201)
  const refused = await make()
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  shop.clock.advance(3600)
  expect((await make({}, await signedIn(shop, nell))).statusCode).toBe(201)
})

test('an account has at most 2,000 earlier notes for all bookmarks together', async () => {
  const id = randomUUID()
  await make({ id, note: 'first', agoSeconds: 60 })
  const written = { changedAt: shop.now(), eventId: null, deviceId: null, sequence: 0 }
  const others = Array.from({ length: 42 }, () => randomUUID())
  for (const other of others) await make({ id: other })
  await shop.db
    .insert(bookmarkHistory)
    .values(
      others.flatMap((bookmarkId) =>
        Array.from({ length: 50 }, () => ({ userId: nell.id, bookmarkId, note: 'old', ...written })),
      ),
    )
  await write(id, { note: 'second', eventId: randomUUID(), agoSeconds: 0 })
  expect(await shop.db.$count(bookmarkHistory, eq(bookmarkHistory.userId, nell.id))).toBe(2000)
  expect(await notesBefore(id)).toEqual(['first'])
})
