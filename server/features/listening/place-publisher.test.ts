import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { feedTopic } from '#contract/limits.ts'
import {
  anAudioBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { closeStreams, type LiveStream, listenTo } from '#tests/support/live-stream.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { placePublisher } from './place-publisher.ts'

const PHONE = randomUUID()
const TABLET = randomUUID()

let shop: TestShop
let nell: TestUser
let headers: { xtoken: string }
let book: TestBook
let base: string
let stream: LiveStream

beforeAll(async () => {
  shop = await testShop()
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`
})
beforeEach(async () => {
  nell = await aUser(shop)
  headers = await signedIn(shop, nell)
  book = await anAudioBook(shop)
  await inLibrary(shop, nell, book)
  stream = await listen(nell, headers)
})
afterEach(() => {
  vi.useRealTimers()
  closeStreams()
})
afterAll(() => shop.close())

const listen = (user: TestUser, as: { xtoken: string }) =>
  listenTo(base, { token: as.xtoken.replace('Bearer ', ''), topic: feedTopic(user.id) })
const iri = () => `/api/audio_books/${book.slug}`
const call = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
  as = headers,
) => shop.app.inject({ method, url, headers: as, ...(payload ? { payload } : {}) })
const aMove = (slug: string, seconds = 1) => ({
  userId: nell.id,
  slug,
  bookTime: {
    id: randomUUID(),
    chapter: 1,
    seconds,
    heardAtMs: 0,
    eventId: '',
    deviceId: null,
    sequence: 0,
  },
})
const keep = (event: Record<string, unknown>, as = headers) =>
  call('POST', '/api/user_audio_book_times', { audioBook: iri(), chapter: 1, seconds: 30, ...event }, as)
/** Messages arrive in order: if the next one is about another book, nothing was sent before it. */
async function toldAndKeptNext() {
  const next = await anAudioBook(shop)
  await inLibrary(shop, nell, next)
  const kept = { audioBook: `/api/audio_books/${next.slug}`, deviceId: PHONE, eventId: randomUUID() }
  await keep(kept)
  return { told: (await stream.next()).data, kept: { place: kept } }
}

describe('a new current place', () => {
  test('is sent only to the account’s other devices, with all they need', async () => {
    const other = await aUser(shop)
    const theirs = await signedIn(shop, other)
    await inLibrary(shop, other, book)
    const strangers = await listen(other, theirs)
    const eventId = randomUUID()
    const heard = { chapter: 2, seconds: 61.5, fromSeconds: 58, deviceId: PHONE, eventId }
    const { id } = (await keep(heard)).json()
    expect(await stream.next()).toMatchObject({
      id: undefined,
      data: {
        type: 'place',
        place: { id, audioBook: iri(), ...heard },
      },
    })
    const theirOwn = randomUUID()
    await keep({ deviceId: TABLET, eventId: theirOwn }, theirs)
    expect((await strangers.next()).data).toMatchObject({ place: { eventId: theirOwn } })
  })

  test('is not sent for a repeat, or for a place that was heard earlier than the current one', async () => {
    const event = { deviceId: PHONE, eventId: randomUUID() }
    await keep(event)
    await stream.next()
    await keep(event)
    await keep({ deviceId: TABLET, eventId: randomUUID(), seconds: 300, agoSeconds: 60 })
    const { told, kept } = await toldAndKeptNext()
    expect(told).toMatchObject(kept)
  })

  /** A publisher whose timers run only when the test says so, and the messages it sent. */
  function aTeller(send: () => Promise<void> = async () => undefined) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sent: unknown[][] = []
    const teller = placePublisher(shop, (messages) => {
      sent.push(messages.map(({ data }) => data))
      return send()
    })
    return { teller, sent, pass: () => vi.advanceTimersByTime(1_000) }
  }

  test('merges several places within 50 ms into one message with the last place of each book', () => {
    const { teller, sent, pass } = aTeller()
    for (const seconds of [10, 20, 30]) teller.publish(aMove(book.slug, seconds))
    teller.publish(aMove('another-book', 40))
    pass()
    expect(sent).toMatchObject([[{ place: { seconds: 30 } }, { place: { seconds: 40 } }]])
  })

  test('discards unsent places when the shop shuts down, also those of several books', () => {
    const { teller, sent, pass } = aTeller()
    teller.publish(aMove(book.slug))
    teller.publish(aMove('another-book'))
    teller.stop()
    pass()
    expect(sent).toEqual([])
  })

  test('stores the place and sends the next one even if a message cannot be sent', () => {
    const { teller, sent, pass } = aTeller(() => Promise.reject(new Error('nobody listens')))
    for (let told = 1; told <= 2; told += 1) {
      teller.publish(aMove(book.slug))
      pass()
      expect(sent).toHaveLength(told)
    }
  })
})

describe('device names', () => {
  const logIn = async (deviceId: string, browser: string) => {
    const payload = { email: nell.email, password: nell.password, device: { id: deviceId, browser } }
    const { token } = (await shop.app.inject({ method: 'POST', url: '/api/login', payload })).json()
    return { xtoken: `Bearer ${token}` }
  }

  test('the resume point, its history, the other place and the playback claim have device names', async () => {
    const onPhone = await logIn(PHONE, 'Safari on iPhone')
    await call('PATCH', `/api/devices/${PHONE}`, { name: 'Rosa’s phone' }, onPhone)
    const rosas = { id: PHONE, name: 'Rosa’s phone' }
    const { id, device } = (await keep({ deviceId: PHONE, eventId: randomUUID() })).json()
    // A device does not get its own name.
    expect(device).toBeNull()
    const listed = await shop.app.inject({ url: '/api/user_audio_book_times', headers })
    expect(listed.json()['hydra:member'][0].device).toEqual(rosas)

    shop.clock.advance(60)
    const here = await keep({ chapter: 3, deviceId: TABLET, eventId: randomUUID(), basedOn: null })
    expect(here.json()).toMatchObject({ device: null, otherPlace: { device: rosas } })
    const history = await shop.app.inject({ url: `/api/user_audio_book_times/${id}/history`, headers })
    expect(history.json()['hydra:member'][0].device).toEqual(rosas)

    const claim = { audioBook: iri(), chapter: 1, seconds: 0, deviceId: PHONE, agoSeconds: 0 }
    expect((await call('PUT', `/api/sound_claims/${randomUUID()}`, claim)).json().device).toEqual(rosas)
  })
})

describe('the playback claim', () => {
  const claim = async (deviceId: string, { id = randomUUID(), agoSeconds = 0, as = headers } = {}) => {
    const place = { audioBook: iri(), chapter: 3, seconds: 12.5 }
    const answer = await call('PUT', `/api/sound_claims/${id}`, { ...place, deviceId, agoSeconds }, as)
    expect(answer.statusCode).toBe(200)
    return answer.json()
  }
  /** Messages arrive in order: if the next one is about a new claim, nothing was sent before it. */
  async function expectNextStart(): Promise<void> {
    shop.clock.advance(1)
    const { claimId } = await claim(PHONE)
    expect((await stream.next()).data).toMatchObject({ type: 'sound', claim: { claimId } })
  }

  test('belongs to the device that started last; each start is sent', async () => {
    await claim(PHONE)
    expect((await stream.next()).data).toMatchObject({ type: 'sound', claim: { deviceId: PHONE } })
    shop.clock.advance(1)
    expect(await claim(TABLET)).toMatchObject({ deviceId: TABLET })
    expect((await stream.next()).data).toMatchObject({
      type: 'sound',
      claim: { deviceId: TABLET, audioBook: iri(), chapter: 3, seconds: 12.5 },
    })
  })

  test('PLAY-18: a device that takes over is told once from which device', async () => {
    const first = await claim(PHONE)
    expect(first.before).toBeNull()
    shop.clock.advance(1)
    const id = randomUUID()
    expect(await claim(TABLET, { id })).toMatchObject({
      before: { claimId: first.claimId, deviceId: PHONE, audioBook: iri() },
    })
    expect((await claim(TABLET, { id })).before).toBeNull()
    await call('DELETE', `/api/sound_claims/${id}`)
    expect((await claim(PHONE)).before).toBeNull()
    // The other devices are told only which device plays.
    expect(((await stream.next()).data as { claim: object }).claim).not.toHaveProperty('before')
  })

  test('a start while offline counts from its real time, not from when it was sent', async () => {
    shop.clock.advance(600)
    const { claimId } = await claim(PHONE)
    await stream.next()
    // Started ten minutes ago, while offline on a train.
    expect(await claim(TABLET, { agoSeconds: 600 })).toMatchObject({ deviceId: PHONE, claimId })
    shop.clock.advance(30)
    expect(await claim(TABLET, { agoSeconds: 31 })).toMatchObject({ deviceId: PHONE, claimId })
    await expectNextStart()
  })

  test('a repeated claim has no effect; a release is sent once and does not affect a later claim', async () => {
    const { claimId } = await claim(PHONE)
    await stream.next()
    shop.clock.advance(60)
    expect(await claim(PHONE, { id: claimId })).toMatchObject({ claimId })
    expect((await call('DELETE', `/api/sound_claims/${claimId}`)).statusCode).toBe(204)
    expect((await stream.next()).data).toEqual({ type: 'silence', claimId })

    const mine = await claim(PHONE)
    shop.clock.advance(1)
    const theirs = await claim(TABLET)
    await stream.next()
    await stream.next()
    await call('DELETE', `/api/sound_claims/${mine.claimId}`)
    expect(await claim(TABLET, { id: theirs.claimId })).toMatchObject({ claimId: theirs.claimId })
    await expectNextStart()
  })

  test('two listeners never receive each other’s messages', async () => {
    const other = await aUser(shop)
    await claim(PHONE)
    shop.clock.advance(1)
    await claim(TABLET, { as: await signedIn(shop, other) })
    expect((await stream.next()).data).toMatchObject({ claim: { deviceId: PHONE } })
    await expectNextStart()
  })
})

test('creating, changing or removing a bookmark is sent to the other devices; a repeat is not', async () => {
  const sent = { id: randomUUID(), eventId: randomUUID(), audioBook: iri(), chapter: 1, seconds: 5, note: '' }
  const url = `/api/user_bookmarks/${sent.id}`
  const news = async () => (await stream.next()).data
  await call('POST', '/api/user_bookmarks', { ...sent, deviceId: PHONE })
  expect(await news()).toEqual({ type: 'bookmarks', audioBook: iri(), deviceId: PHONE })
  // The note has the maximum length; the message says only that something changed.
  await call('PATCH', url, { note: '\u{1f56f}'.repeat(2000), deviceId: TABLET })
  expect(await news()).toEqual({ type: 'bookmarks', audioBook: iri(), deviceId: TABLET })
  await call('DELETE', `${url}?deviceId=${PHONE}`)
  expect(await news()).toEqual({ type: 'bookmarks', audioBook: iri(), deviceId: PHONE })
  await call('DELETE', url)
  const { id } = (await keep({ deviceId: PHONE, eventId: randomUUID() })).json()
  expect(await news()).toMatchObject({ type: 'place' })
  await call('PUT', `/api/user_audio_book_times/${id}/speed`, { speed: 1.5, deviceId: PHONE, agoSeconds: 1 })
  expect(await news()).toMatchObject({
    type: 'speed',
    speed: { audioBook: iri(), speed: 1.5, deviceId: PHONE },
  })
  // An older choice changes nothing and is not sent.
  await call('PUT', `/api/user_audio_book_times/${id}/speed`, { speed: 2, agoSeconds: 60 })
  await call('PUT', `/api/user_audio_book_times/${id}/speed`, { speed: 0.5, agoSeconds: 0 })
  expect(await news()).toMatchObject({ type: 'speed', speed: { speed: 0.5 } })
})
