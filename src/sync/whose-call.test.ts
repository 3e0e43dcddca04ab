import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { call } from '#net/call.ts'
import { renewToken } from '#net/refresh.ts'
import { exchange } from '#net/send.ts'
import { sendAtOnce } from '#net/send-at-once.ts'
import { configureNet } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { askForPlaces, flush } from './flush.ts'
import { followServer } from './follow-server.ts'
import { countWaiting, keepPlace } from './outbox.ts'
import { listPlaces } from '#storage/places.ts'
import { pageTokens } from '#storage/tokens.ts'

let anna: string
let ben: string
const drawer = fakeStorage()
const tokens = pageTokens(drawer)
const logIn = (who: string, name = 'one') =>
  tokens.write({ token: tokenOf(who, name), refreshToken: `refresh ${who} ${name}` })

const json = (body: unknown, status = 200) =>
  fromShop(JSON.stringify(body), { status, headers: { 'content-type': 'application/ld+json' } })

/** Each request with the token it carried; the test provides the answer. */
let asked: { method: string; path: string; token: string | null }[]
function shopAnswers(answer: (path: string, method: string) => Response | Promise<Response>) {
  configureNet({
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const path = new URL(request.url).pathname
      const token = request.headers.get('xtoken')?.replace('Bearer ', '') ?? null
      asked.push({ method: request.method, path, token })
      return answer(path, request.method)
    },
  })
}

const stands = {
  id: 'row',
  audioBook: '/api/audio_books/salt',
  chapter: 9,
  seconds: 99,
  heardAt: '2026-01-01T00:00:00.000Z',
  eventId: null,
  deviceId: null,
  fromSeconds: null,
  serverTime: '2026-01-01T00:00:00.000Z',
  otherPlace: null,
}
const hear = (who: string, chapter: number) =>
  keepPlace(who, { slug: `salt-${crypto.randomUUID()}`, chapter, seconds: 9 })

beforeEach(async () => {
  asked = []
  anna = crypto.randomUUID()
  ben = crypto.randomUUID()
  configureNet({ origin: 'http://shop.test', exchange, renew: renewToken, tokens })
  vi.stubGlobal('localStorage', drawer)
  await tokens.clear()
})

test('PLAY-29: a log-out and log-in between two requests never mixes up the users', async () => {
  await logIn(anna)
  await hear(anna, 1)
  await hear(anna, 2)
  shopAnswers(async (_path, method) => {
    if (method === 'GET') return json({ 'hydra:member': [] })
    await tokens.clear()
    await logIn(ben)
    return json(stands)
  })
  expect(await flush(anna)).toBe('signed-out')
  expect(asked.filter(({ method }) => method === 'POST')).toMatchObject([{ token: tokenOf(anna) }])
  expect(asked.some(({ token }) => token === tokenOf(ben))).toBe(false)
  expect(await countWaiting(anna)).toBe(1)
})

test('PLAY-29: nor does a token refresh in between', async () => {
  await logIn(anna)
  await hear(anna, 1)
  shopAnswers(async () => {
    await tokens.clear()
    await logIn(ben)
    return json({ code: 401 }, 401)
  })
  const waited = await countWaiting(anna)
  expect(await flush(anna)).toBe('signed-out')
  expect(asked).toHaveLength(1)
  expect(await countWaiting(anna)).toBe(waited)
  expect(tokens.peek()?.token).toBe(tokenOf(ben))
})

test('PLAY-29: the current user’s positions are never fetched on behalf of the previous one', async () => {
  await logIn(ben)
  shopAnswers(() => json({ 'hydra:member': [stands] }))
  const pull = async () => followServer(anna, await askForPlaces(anna))
  await expect(pull()).rejects.toMatchObject({ status: 401 })
  expect(asked).toEqual([])
  expect((await listPlaces(anna)).some(({ chapter }) => chapter === 9)).toBe(false)
})

test('a call for a named user uses only that user’s token, other calls use any', async () => {
  await logIn(ben)
  shopAnswers(() => json({ 'hydra:member': [] }))
  await expect(call('GET /api/libraries', { query: {}, as: anna })).rejects.toMatchObject({ status: 401 })
  expect(asked).toEqual([])
  await call('GET /api/libraries', { query: {}, as: ben })
  await call('GET /api/libraries', { query: {} })
  expect(asked).toHaveLength(2)
})

test('after the session has ended, a call for a named user sends no request', async () => {
  shopAnswers(() => json({ slug: 'salt', audioFiles: [] }))
  const book = { params: { slug: 'salt' } }
  await expect(call('GET /api/audio_books/{slug}', { ...book, as: anna })).rejects.toMatchObject({
    kind: 'refused',
    status: 401,
  })
  expect(asked).toEqual([])
  // Calls for no particular user are answered as for a visitor.
  await expect(call('GET /api/audio_books/{slug}', book)).resolves.toMatchObject({ audioFiles: [] })
})

test('the last request of a closing page is sent synchronously, and for its own listener only', async () => {
  await logIn(ben)
  shopAnswers(() => json(stands))
  const body = { audioBook: '/api/audio_books/salt', chapter: 1, seconds: 3 }
  const apply = vi.fn(() => Promise.resolve())
  expect(sendAtOnce('POST /api/user_chapter_times', body, anna, apply)).toBeUndefined()
  const sent = sendAtOnce('POST /api/user_chapter_times', body, ben, apply)
  // Not after an await: the page may be gone by then.
  expect(asked).toMatchObject([{ path: '/api/user_chapter_times', token: tokenOf(ben) }])
  await expect(sent).resolves.toBe(true)
  expect(apply).toHaveBeenCalledWith(expect.objectContaining({ chapter: 9 }))
})

test('a refresh that ends after a log-out stores no tokens', async () => {
  await logIn(anna)
  shopAnswers(async (path) => {
    if (path !== '/api/token/refresh') return json({ code: 401 }, 401)
    await tokens.clear()
    return json({ token: tokenOf(anna, 'two'), refresh_token: 'r2' })
  })
  await expect(call('GET /api/logged-user')).rejects.toMatchObject({ status: 401 })
  expect(tokens.present()).toBe(false)
})
