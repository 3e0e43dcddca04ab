import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/accounts.ts'
import { listeningEvents } from '#server/db/schema/listening.ts'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { writeDecisions } from './place-batch-queries.ts'
import { eventStore } from './service.ts'

const PHONE = randomUUID()
const TABLET = randomUUID()

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
const iri = () => `/api/audio_books/${book.slug}`
const call = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: Sent, as = headers) =>
  shop.app.inject({ method, url, headers: as, ...(payload ? { payload } : {}) })
const keep = (event: Sent = {}, as = headers) =>
  call('POST', '/api/user_audio_book_times', { audioBook: iri(), chapter: 1, seconds: 30, ...event }, as)
const resumePoint = async () => (await call('GET', '/api/user_audio_book_times')).json()['hydra:member'][0]
const history = async (id: string) =>
  (await call('GET', `/api/user_audio_book_times/${id}/history`)).json()['hydra:member']
const secondsAgo = (seconds: number) => new Date(shop.now().getTime() - seconds * 1000).toISOString()

describe('a resume point', () => {
  test('API-54, PLAY-13, ENT-24: another device resumes at the place that one device saved', async () => {
    const saved = await keep({ chapter: 2, seconds: 61.5, deviceId: PHONE, eventId: randomUUID() })
    expect(saved.statusCode).toBe(201)
    expect(saved.headers.location).toBe(saved.json()['@id'])
    const elsewhere = await call('GET', '/api/user_audio_book_times', undefined, await signedIn(shop, nell))
    expect(elsewhere.json()['hydra:member']).toMatchObject([
      {
        id: saved.json().id,
        audioBook: iri(),
        chapter: 2,
        seconds: 61.5,
        deviceId: PHONE,
        heardAt: shop.now().toISOString(),
      },
    ])
    expect(saved.json()['@id']).toBe(`/api/user_audio_book_times/${saved.json().id}`)
  })

  test('PLAY-18, API-55: each device is offered the place that the other one reached', async () => {
    const { id, eventId } = (await keep({ deviceId: PHONE, eventId: randomUUID() })).json()
    shop.clock.advance(60)
    const there = await call('PATCH', `/api/user_audio_book_times/${id}`, {
      chapter: 3,
      seconds: 5,
      deviceId: TABLET,
      eventId: randomUUID(),
      basedOn: eventId,
    })
    expect(there.statusCode).toBe(200)
    expect(there.json()).toMatchObject({ id, chapter: 3, otherPlace: null })
    expect(await resumePoint()).toMatchObject({ id, chapter: 3, seconds: 5, deviceId: TABLET })
  })

  test('PLAY-06: the next device also receives where the stretch of listening began', async () => {
    const began = async (fields: Sent) => {
      shop.clock.advance(5)
      const answer = (await keep({ deviceId: PHONE, eventId: randomUUID(), ...fields })).json()
      expect(answer.fromSeconds).toBe((await resumePoint()).fromSeconds)
      return answer.fromSeconds
    }
    expect(await began({ seconds: 31, fromSeconds: 30 })).toBe(30)
    // A repeat reads it from the database.
    const eventId = randomUUID()
    expect(await began({ seconds: 33, fromSeconds: 30, eventId })).toBe(30)
    expect(await began({ seconds: 33, fromSeconds: 30, eventId })).toBe(30)
    expect(await began({ seconds: 20, fromSeconds: 30 })).toBe(20)
    expect(await began({ seconds: 50 })).toBeNull()
  })

  test('API-53: a thousand resume points fit in one page; without a token the response is 401', async () => {
    for (let count = 0; count < 35; count++) {
      const another = await anAudioBook(shop)
      await inLibrary(shop, nell, another)
      await keep({ audioBook: `/api/audio_books/${another.slug}` })
    }
    const all = await call('GET', '/api/user_audio_book_times?itemsPerPage=1000')
    expect(all.json()['hydra:member']).toHaveLength(35)
    expect((await call('GET', '/api/user_audio_book_times?itemsPerPage=1001')).statusCode).toBe(400)
    const second = await call('GET', '/api/user_audio_book_times?page=2')
    expect(second.json()['hydra:member']).toHaveLength(5)
    expect((await shop.app.inject('/api/user_audio_book_times?itemsPerPage=1000')).statusCode).toBe(401)
  })

  test('can be filtered by a book’s address', async () => {
    await keep()
    const of = async (slug: string) =>
      (await call('GET', `/api/user_audio_book_times?audioBook=/api/audio_books/${slug}`)).json()[
        'hydra:totalItems'
      ]
    expect([await of(book.slug), await of('another-book')]).toEqual([1, 0])
  })

  test('a second POST updates the same row and returns 200', async () => {
    const first = await keep()
    shop.clock.advance(5)
    const second = await keep({ seconds: 35 })
    expect([first.statusCode, second.statusCode]).toEqual([201, 200])
    expect(second.json()).toMatchObject({ id: first.json().id, seconds: 35 })
  })
})

describe('a chapter’s time', () => {
  const heard = () => ({ audioBook: iri(), chapter: 2 })
  const chapterTimes = async () => (await call('GET', '/api/user_chapter_times')).json()['hydra:member']

  test('API-51: creates the row of a chapter once; another POST updates it, and a known event changes nothing', async () => {
    const event = { audioBook: iri(), chapter: 2, seconds: 10, eventId: randomUUID() }
    const made = await call('POST', '/api/user_chapter_times', event)
    shop.clock.advance(5)
    const moved = await call('POST', '/api/user_chapter_times', {
      ...event,
      seconds: 15,
      eventId: randomUUID(),
    })
    const repeated = await call('POST', '/api/user_chapter_times', event)
    expect([made.statusCode, moved.statusCode, repeated.statusCode]).toEqual([201, 200, 200])
    expect(moved.json()).toMatchObject({ id: made.json().id, seconds: 15 })
    expect(repeated.json()).toMatchObject({ id: made.json().id, seconds: 15 })
    expect(await chapterTimes()).toMatchObject([{ chapter: 2, seconds: 15 }])

    for (const chapter of [1, 3])
      await call('POST', '/api/user_chapter_times', { audioBook: iri(), chapter, seconds: 5 })
    const second = (await call('GET', '/api/user_chapter_times?itemsPerPage=2&page=2')).json()
    expect(second['hydra:member'].map(({ chapter }: { chapter: number }) => chapter)).toEqual([3])

    const other = await signedIn(shop, await aUser(shop))
    const theirs = await call('GET', '/api/user_chapter_times', undefined, other)
    expect(theirs.json()['hydra:member']).toEqual([])
  })

  test('API-52: PATCH updates it by the same rules; another account’s row is 404', async () => {
    const { id } = (
      await call('POST', '/api/user_chapter_times', { audioBook: iri(), chapter: 1, seconds: 9 })
    ).json()
    shop.clock.advance(5)
    const moved = await call('PATCH', `/api/user_chapter_times/${id}`, { chapter: 1, seconds: 14 })
    expect(moved.json()).toMatchObject({ id, seconds: 14 })
    const old = { chapter: 1, seconds: 500, heardAt: secondsAgo(3600) }
    expect((await call('PATCH', `/api/user_chapter_times/${id}`, old)).json()).toMatchObject({ seconds: 14 })
    const other = await signedIn(shop, await aUser(shop))
    expect(
      (await call('PATCH', `/api/user_chapter_times/${id}`, { chapter: 1, seconds: 1 }, other)).statusCode,
    ).toBe(404)
  })

  test('API-52: PATCH accepts only the seconds or the body of POST, and refuses another book', async () => {
    const { id } = (await call('POST', '/api/user_chapter_times', { ...heard(), seconds: 9 })).json()
    const patch = (payload: Sent, of = `user_chapter_times/${id}`) => call('PATCH', `/api/${of}`, payload)
    shop.clock.advance(5)
    expect((await patch({ seconds: 12 })).json()).toMatchObject({ id, chapter: 2, seconds: 12 })
    shop.clock.advance(5)
    expect((await patch({ ...heard(), seconds: 15 })).json()).toMatchObject({ id, seconds: 15 })
    const bookTime = `user_audio_book_times/${(await resumePoint()).id}`
    shop.clock.advance(5)
    expect((await patch({ seconds: 16 }, bookTime)).json()).toMatchObject({ chapter: 2, seconds: 16 })
    for (const row of [undefined, bookTime])
      expect((await patch({ audioBook: '/api/audio_books/another', seconds: 1 }, row)).statusCode).toBe(422)
  })

  test('API-51: the response contains the book’s resume point, and another position if the listener has to choose', async () => {
    const hears = (chapter: number, deviceId: string) =>
      call('POST', '/api/user_chapter_times', { ...heard(), chapter, seconds: 20, deviceId, basedOn: null })
    await hears(1, PHONE)
    shop.clock.advance(5)
    const { eventId, audioBookTime } = (await hears(3, randomUUID())).json()
    expect(audioBookTime).toMatchObject({ id: (await resumePoint()).id, chapter: 3, seconds: 20, eventId })
    expect(audioBookTime.otherPlace).toMatchObject({ chapter: 1, seconds: 20, deviceId: PHONE })
  })

  test('one event updates both the book’s resume point and the chapter’s time', async () => {
    await keep({ chapter: 1, seconds: 40 })
    shop.clock.advance(5)
    await call('POST', '/api/user_chapter_times', { audioBook: iri(), chapter: 2, seconds: 3 })
    expect(await resumePoint()).toMatchObject({ chapter: 2, seconds: 3 })
    expect(await chapterTimes()).toMatchObject([
      { chapter: 1, seconds: 40 },
      { chapter: 2, seconds: 3 },
    ])
  })
})

describe('the current place', () => {
  test('PLAY-23, trap 1: is the one heard last, even if it arrived first', async () => {
    await keep({ chapter: 2, deviceId: TABLET, basedOn: null })
    const late = await keep({ chapter: 1, deviceId: PHONE, basedOn: null, heardAt: secondsAgo(600) })
    expect(late.json()).toMatchObject({ chapter: 2, otherPlace: { chapter: 1, deviceId: PHONE } })
    expect(await resumePoint()).toMatchObject({ chapter: 2 })
  })

  test('trap 1: newer offline listening wins; the place it replaced is offered and stored', async () => {
    const online = (
      await keep({ seconds: 72, deviceId: TABLET, eventId: randomUUID(), heardAt: secondsAgo(7200) })
    ).json()
    const batch = [100, 800, 1200].map((seconds, index) => ({
      chapter: 2,
      seconds,
      deviceId: PHONE,
      sequence: index,
      eventId: randomUUID(),
      heardAt: secondsAgo(3600 - index * 600),
      basedOn: null,
    }))
    const flush = async () => {
      const answers = []
      for (const event of batch) answers.push((await keep(event)).json())
      return answers
    }
    const first = await flush()
    expect(first[0].otherPlace).toMatchObject({ seconds: 72, eventId: online.eventId })
    expect(first[2]).toMatchObject({ chapter: 2, seconds: 1200, otherPlace: null })
    const before = await history(online.id)
    expect(before.at(-1)).toMatchObject({ seconds: 72, deviceId: TABLET })

    await flush()
    expect(await resumePoint()).toMatchObject({ chapter: 2, seconds: 1200 })
    expect(await history(online.id)).toEqual(before)
  })

  test('PLAY-24: a repeated event changes nothing and gets the same response, including the question', async () => {
    await keep({ chapter: 3, seconds: 900, deviceId: TABLET, eventId: randomUUID() })
    shop.clock.advance(60)
    const event = {
      chapter: 1,
      seconds: 20,
      deviceId: PHONE,
      eventId: randomUUID(),
      basedOn: null,
      agoSeconds: 2,
    }
    const first = (await keep(event)).json()
    expect(first.otherPlace).toMatchObject({ chapter: 3, seconds: 900 })
    shop.clock.advance(30)
    const { serverTime, ...again } = (await keep(event)).json()
    expect(again).toEqual({ ...first, serverTime: undefined })
    expect(serverTime).toBe(shop.now().toISOString())
    expect(await history(first.id)).toHaveLength(1)
    const chapter = await call('POST', '/api/user_chapter_times', { audioBook: iri(), ...event })
    expect(chapter.json()).toMatchObject({ seconds: 20, heardAt: first.heardAt })
  })

  test('PLAY-24: ids are case-insensitive, and one id cannot have two places', async () => {
    const eventId = randomUUID()
    await keep({ deviceId: PHONE, eventId })
    shop.clock.advance(5)
    const next = { deviceId: TABLET, eventId: randomUUID(), chapter: 3, basedOn: eventId.toUpperCase() }
    expect((await keep(next)).json().otherPlace).toBeNull()
    expect((await keep({ ...next, eventId: next.eventId.toUpperCase() })).statusCode).toBe(200)
    expect((await keep({ ...next, chapter: 2 })).statusCode).toBe(422)
    expect(await resumePoint()).toMatchObject({ chapter: 3, eventId: next.eventId })
  })

  test('PLAY-24, trap 19: two tabs that send the same event at once count as one', async () => {
    const event = { eventId: randomUUID(), deviceId: PHONE }
    const answers = await Promise.all([keep(event), keep(event), keep(event)])
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    const [{ id }] = answers.map((answer) => answer.json()) as [{ id: string }]
    expect(await history(id)).toEqual([])
  })

  test('trap 2: a clock decades ahead neither stores a future time nor wins for ever', async () => {
    const wrong = await keep({ deviceId: PHONE, heardAt: '2096-03-02T08:00:00.000Z' })
    expect(wrong.json().heardAt).toBe(shop.now().toISOString())
    shop.clock.advance(5)
    await keep({ chapter: 2, deviceId: TABLET })
    expect(await resumePoint()).toMatchObject({ chapter: 2 })
  })

  test('does not ask if a response was lost and another device listened on: it knew the place', async () => {
    const event = { chapter: 1, seconds: 30, deviceId: PHONE, eventId: randomUUID() }
    await keep(event)
    shop.clock.advance(600)
    const onTablet = { chapter: 3, seconds: 40, deviceId: TABLET, eventId: randomUUID() }
    await keep({ ...onTablet, basedOn: event.eventId })
    shop.clock.advance(5)
    expect((await keep(event)).json()).toMatchObject({
      eventId: onTablet.eventId,
      chapter: 3,
      otherPlace: null,
    })
  })

  test('asks again on a repeat if the other place is of the moment in which the event arrived', async () => {
    const event = { chapter: 1, seconds: 30, deviceId: PHONE, eventId: randomUUID(), agoSeconds: 2 }
    await keep(event)
    await keep({
      chapter: 3,
      seconds: 40,
      deviceId: TABLET,
      eventId: randomUUID(),
      basedOn: null,
      agoSeconds: 0,
    })
    expect((await keep(event)).json()).toMatchObject({
      chapter: 3,
      otherPlace: { chapter: 1, eventId: event.eventId },
    })
  })

  test('trap 2: an hour’s wrong clock does not matter if agoSeconds is known; a rewind survives', async () => {
    await keep({ chapter: 3, seconds: 1700, deviceId: PHONE, heardAt: secondsAgo(-3600), agoSeconds: 20 })
    await keep({ chapter: 1, seconds: 3, deviceId: PHONE, heardAt: secondsAgo(3600), agoSeconds: 10 })
    expect(await resumePoint()).toMatchObject({ chapter: 1, seconds: 3, heardAt: secondsAgo(10) })
  })

  test('PLAY-27: the rejected place is in the history', async () => {
    const { id } = (await keep({ chapter: 3, seconds: 1200, deviceId: TABLET })).json()
    shop.clock.advance(60)
    await keep({ chapter: 1, seconds: 1, deviceId: PHONE, basedOn: null })
    const [place] = await history(id)
    expect(place).toMatchObject({ chapter: 3, seconds: 1200 })
    shop.clock.advance(5)
    await call('PATCH', `/api/user_audio_book_times/${id}`, {
      chapter: place.chapter,
      seconds: place.seconds,
    })
    expect(await resumePoint()).toMatchObject({ chapter: 3, seconds: 1200 })
  })

  test('leaves a history of the last fifty', async () => {
    let id = ''
    for (let jump = 0; jump < 60; jump++) {
      id = (await keep({ chapter: 1 + (jump % 3), seconds: jump })).json().id
      shop.clock.advance(1)
    }
    const places = await history(id)
    expect(places).toHaveLength(50)
    expect([places[0].seconds, places[49].seconds]).toEqual([58, 9])
  })
})

describe('refuses', () => {
  test('PLAY-26: seconds below 0 or more than 5 beyond the chapter, and changes nothing', async () => {
    await keep()
    for (const seconds of [-0.1, 605.1, 1e300]) {
      const answer = await keep({ seconds })
      expect(answer.statusCode).toBe(422)
      expect(answer.json().violations[0].propertyPath).toBe('seconds')
    }
    expect(await resumePoint()).toMatchObject({ seconds: 30 })
    shop.clock.advance(1)
    expect((await keep({ seconds: 605 })).statusCode).toBe(200)
  })

  test('a chapter that does not exist with 422, and a value that is not a number', async () => {
    expect((await keep({ chapter: 4 })).json().violations[0].propertyPath).toBe('chapter')
    for (const bad of [{ seconds: null }, { seconds: 'soon' }, { chapter: true }, { sequence: 2 ** 31 }])
      expect((await keep(bad)).statusCode, JSON.stringify(bad)).toBeOneOf([400, 422])
    expect(await resumePoint()).toBeUndefined()
  })

  test('a book that is not in the library with 404, like one that does not exist', async () => {
    const stranger = await anAudioBook(shop, { priceMinor: 0 })
    for (const slug of [stranger.slug, 'no-such-book']) {
      const answer = await keep({ audioBook: `/api/audio_books/${slug}` })
      expect(answer.statusCode).toBe(404)
    }
    expect(await resumePoint()).toBeUndefined()
  })

  test('API-98: reading or moving another account’s times, for every kind of id', async () => {
    const { id } = (await keep()).json()
    const other = await aUser(shop)
    await inLibrary(shop, other, book)
    const theirs = await signedIn(shop, other)
    const place = { chapter: 1, seconds: 599 }
    expect((await call('PATCH', `/api/user_audio_book_times/${id}`, place, theirs)).statusCode).toBe(404)
    expect(
      (await call('GET', `/api/user_audio_book_times/${id}/history`, undefined, theirs)).statusCode,
    ).toBe(404)
    expect(
      (await call('GET', '/api/user_audio_book_times', undefined, theirs)).json()['hydra:member'],
    ).toEqual([])
    expect((await call('PATCH', '/api/user_audio_book_times/not-an-id', place)).statusCode).toBe(404)
    expect(await resumePoint()).toMatchObject({ seconds: 30 })
  })
})

describe('concurrent events', () => {
  test('one failing event does not affect the others of its batch', async () => {
    const leaving = await aUser(shop)
    await inLibrary(shop, leaving, book)
    const theirs = await signedIn(shop, leaving)
    await keep({}, theirs)
    const answers = await Promise.all([
      keep({ seconds: 41 }),
      keep({ chapter: 9 }),
      keep({ audioBook: '/api/audio_books/no-such-book' }),
      keep({ seconds: 42, agoSeconds: 60 }, theirs),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 422, 404, 200])
  })

  test('if an account is deleted while its event waits, only that event fails', async () => {
    const leaving = await aUser(shop)
    await inLibrary(shop, leaving, book)
    const theirs = await signedIn(shop, leaving)
    expect((await call('GET', '/api/logged-user', undefined, theirs)).statusCode).toBe(200)
    await shop.db.delete(users).where(eq(users.id, leaving.id))
    const answers = await Promise.all([keep({}, theirs), keep({ seconds: 50 })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 201])
  })

  test('while the database is unavailable a whole batch fails after one query, not one per event', async () => {
    let asked = 0
    const away = () => {
      asked++
      return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
    }
    const db = new Proxy(shop.db, {
      get: (real, name) => (name === 'execute' ? away : Reflect.get(real, name, real)),
    })
    const keepEvent = eventStore({ ...shop, db })
    const tried = [31, 32, 33].map((seconds) => keepEvent(nell.id, book.slug, { chapter: 1, seconds }))
    const ends = await Promise.allSettled(tried)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(asked).toBe(1)
  })

  test('an event costs one statement that reads and one that writes', async () => {
    let statements = 0
    const db = new Proxy(shop.db, {
      get(real, name) {
        if (name === 'execute') statements += 1
        return Reflect.get(real, name, real)
      },
    })
    await eventStore({ ...shop, db })(nell.id, book.slug, { chapter: 1, seconds: 31 })
    expect(statements).toBe(2)
  })

  test('a known event writes nothing, and a single event that cannot be written is tried once', async () => {
    let writes = 0
    const keepEvent = eventStore(shop, undefined, (...decided) => {
      writes += 1
      return writes > 1 ? Promise.reject(new Error('broken')) : writeDecisions(...decided)
    })
    const event = { chapter: 1, seconds: 31, eventId: randomUUID() }
    await keepEvent(nell.id, book.slug, event)
    await keepEvent(nell.id, book.slug, event)
    expect(writes).toBe(1)
    await expect(keepEvent(nell.id, book.slug, { chapter: 1, seconds: 90 })).rejects.toThrow('broken')
    expect(writes).toBe(2)
  })

  test('tries five times if another instance wins the race for a place, then asks the device to retry', async () => {
    let races = 0
    const keeper = (lost: number) => {
      races = 0
      shop.clock.advance(1)
      return eventStore(shop, undefined, (...decided) => {
        races += 1
        return races > lost ? writeDecisions(...decided) : Promise.resolve(new Set())
      })
    }
    const event = { chapter: 1, seconds: 47 }
    expect(await keeper(0)(nell.id, book.slug, event)).toMatchObject({ bookTime: { seconds: 47 } })
    expect(races).toBe(1)
    expect(await keeper(4)(nell.id, book.slug, { ...event, seconds: 48 })).toMatchObject({
      bookTime: { seconds: 48 },
    })
    expect(races).toBe(5)
    await expect(keeper(5)(nell.id, book.slug, event)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(races).toBe(5)
  })

  test('two instances that write the same place at once lose nothing', async () => {
    const other = await testShop({ database: shop.database })
    other.clock.set(shop.now())
    const events = Array.from({ length: 60 }, (_, index) => ({
      audioBook: iri(),
      chapter: 1 + (index % 3),
      seconds: index * 3,
      deviceId: PHONE,
      sequence: index,
      eventId: randomUUID(),
      agoSeconds: 3600 - index * 20,
    }))
    const answers = await Promise.all(
      events.map((payload, index) =>
        (index % 2 ? other : shop).app.inject({
          method: 'POST',
          url: '/api/user_audio_book_times',
          headers,
          payload,
        }),
      ),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 201]))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(await resumePoint()).toMatchObject({ eventId: events[59]!.eventId })
    const known = await shop.db.select().from(listeningEvents).where(eq(listeningEvents.userId, nell.id))
    expect(known).toHaveLength(60)
    await other.close()
  })
})
