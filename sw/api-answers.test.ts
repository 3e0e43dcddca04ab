import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SHOP_HEADER } from '#contract/limits.ts'
import { forgetPersonalAnswers, personalCacheName } from '#storage/messages.ts'
import { removeValue, writeValue } from '#storage/values.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { fakeCaches } from '#tests/support/fake-caches.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { handleCatalogue } from './api-answers.ts'
import { isServerSilent, noteSilence } from './silence.ts'
import type { FetchCall } from './request-handler.ts'

const SHOP = 'http://shop.test'
const uuid = '11111111-1111-4111-8111-111111111111'
const other = '22222222-2222-4222-8222-222222222222'
let network: (request: Request) => Response | Promise<Response>

/** A same-origin answer as the browser returns it. */
function ours(body: unknown, init: ResponseInit & { redirected?: boolean; type?: string } = {}) {
  const response = fromShop(typeof body === 'string' ? body : JSON.stringify(body), {
    headers: { 'content-type': 'application/ld+json; charset=utf-8' },
    ...init,
  })
  Object.defineProperty(response, 'type', { value: init.type ?? 'basic' })
  Object.defineProperty(response, 'redirected', { value: init.redirected ?? false })
  return response
}
/** An answer of a captive portal or a host. */
function strange(body: unknown, init: ResponseInit = {}) {
  const response = ours(body, init)
  response.headers.delete(SHOP_HEADER)
  return response
}
const silence = () => Promise.reject(new TypeError('Failed to fetch'))

/** The page's answer, after all of the worker's background work has ended. */
async function ask(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const waits: Promise<unknown>[] = []
  const request = new Request(SHOP + path, { headers, ...init })
  const event = { request, waitUntil: (work: Promise<unknown>) => waits.push(work) }
  const answer = handleCatalogue(event as unknown as FetchCall, new URL(request.url))
  if (!answer) return undefined
  const response = await answer
  await Promise.all(waits)
  return response
}
const as = (who: string, token = 'one') => ({ xtoken: `Bearer ${tokenOf(who, token)}` })
const asUser = as(uuid)
/** The device's remembered user; during a log-in, it is still the previous one. */
const deviceOf = (who: string) => writeValue('rememberedUser', { uuid: who, firstName: '', fullName: '' })
const said = async (response: Response | undefined) => [
  response?.headers.get('x-murmur-kept'),
  ((await response?.json()) as { v: number } | undefined)?.v,
]

beforeEach(async () => {
  vi.useRealTimers()
  vi.stubGlobal('caches', fakeCaches())
  vi.stubGlobal('fetch', async (input: Request | string) => network(new Request(input)))
  await removeValue('rememberedUser')
})

describe('public answers', () => {
  test('a cached answer is served offline, marked as `silence`', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    network = () => ours({ v: 1 })
    expect(await said(await ask('/api/audio_books?page=1'))).toEqual([null, 1])
    vi.advanceTimersByTime(2 * 60_000)
    network = silence
    expect(await said(await ask('/api/audio_books?page=1'))).toEqual(['silence', 1])
    await expect(ask('/api/audio_books?page=2')).rejects.toThrow('Failed to fetch')
  })

  test('within a minute a cached answer is shown at once and refreshed in the background', async () => {
    network = () => ours({ v: 1 })
    await ask('/api/styles')
    network = () => ours({ v: 2 })
    expect(await said(await ask('/api/styles'))).toEqual(['fresh', 1])
    expect(await said(await ask('/api/styles'))).toEqual(['fresh', 2])
  })

  test('trap 22: a server that never answers gets three seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    network = () => ours({ v: 1 })
    await ask('/api/styles')
    vi.advanceTimersByTime(2 * 60_000)
    network = () => new Promise(() => undefined)
    const request = new Request(`${SHOP}/api/styles`)
    const event = { request, waitUntil: () => undefined } as unknown as FetchCall
    const answer = handleCatalogue(event, new URL(request.url))
    await vi.advanceTimersByTimeAsync(3_100)
    expect(await said(await answer)).toEqual(['silence', 1])
  })

  test('trap 22: waits 100 ms after a page was shown from the device for lack of an answer', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    network = () => ours({ v: 1 })
    await ask('/api/styles')
    vi.advanceTimersByTime(2 * 60_000)
    network = () => new Promise(() => undefined)
    let answered = () => {}
    noteSilence(new Promise<void>((resolve) => (answered = resolve)))
    const request = new Request(`${SHOP}/api/styles`)
    const event = { request, waitUntil: () => undefined } as unknown as FetchCall
    const answer = handleCatalogue(event, new URL(request.url))
    await vi.advanceTimersByTimeAsync(110)
    expect(await said(await answer)).toEqual(['silence', 1])
    answered()
    await vi.advanceTimersByTimeAsync(0)
    expect(isServerSilent()).toBe(false)
  })

  test.each([
    ['a captive portal', () => ours('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a stranger who speaks JSON', () => strange({ v: 9 })],
    ['a stranger’s refusal', () => strange({ v: 9 }, { status: 403 })],
    ['a broken server', () => ours({ v: 9 }, { status: 500 })],
  ])('trap 22: %s does not replace the cached answer', async (_what, answer) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    network = () => ours({ v: 1 })
    await ask('/api/styles')
    vi.advanceTimersByTime(2 * 60_000)
    network = answer
    expect(await said(await ask('/api/styles'))).toEqual(['silence', 1])
  })

  test.each([
    ['redirected', () => ours({ v: 1 }, { redirected: true })],
    ['opaque', () => ours({ v: 1 }, { type: 'opaque' })],
    ['partial', () => ours({ v: 1 }, { status: 206 })],
    [
      'private',
      () => ours({ v: 1 }, { headers: { 'content-type': 'application/json', 'cache-control': 'private' } }),
    ],
  ])('traps 4 and 18: a %s answer is never cached', async (_what, answer) => {
    network = answer
    await ask('/api/styles')
    expect(await (await caches.open('murmur-catalogue')).keys()).toEqual([])
  })

  test('trap 12: a full device stores nothing more but still answers', async () => {
    const full = fakeCaches()
    const put = async () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    vi.stubGlobal('caches', { ...full, open: async (name: string) => ({ ...(await full.open(name)), put }) })
    network = () => ours({ v: 1 })
    expect(await said(await ask('/api/styles'))).toEqual([null, 1])
    await writeValue('rememberedUser', { uuid, firstName: '', fullName: '' })
    expect(await said(await ask('/api/libraries', asUser))).toEqual([null, 1])
  })

  test('a title that the server has removed is removed here too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    network = () => ours({ v: 1 })
    await ask('/api/audio_books/salt')
    vi.advanceTimersByTime(2 * 60_000)
    network = () => ours({}, { status: 404 })
    expect((await ask('/api/audio_books/salt'))?.status).toBe(404)
    network = silence
    await expect(ask('/api/audio_books/salt')).rejects.toThrow()
  })

  test('trap 22: a captive portal’s 404 removes nothing, and its list is not cached', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    network = () => ours({ v: 1 })
    await ask('/api/audio_books/salt')
    vi.advanceTimersByTime(2 * 60_000)
    network = () => strange({ v: 9 }, { status: 404 })
    await ask('/api/audio_books/salt')
    network = () => strange({ v: 9 })
    await ask('/api/audio_books/salt')
    network = silence
    expect(await said(await ask('/api/audio_books/salt'))).toEqual(['silence', 1])
  })

  test('the cache has a maximum size, and the least recently used entry is removed', async () => {
    network = () => ours({ v: 1 })
    for (let page = 0; page < 305; page++) await ask(`/api/audio_books?page=${page}`)
    const keys = await (await caches.open('murmur-catalogue')).keys()
    expect(keys).toHaveLength(300)
    expect(keys[0]?.url).toBe(`${SHOP}/api/audio_books?page=5`)
  })
})

describe('personal answers', () => {
  test('they are cached for their user only, and removed at log-out', async () => {
    await deviceOf(uuid)
    network = () => ours({ v: 1 })
    await ask('/api/libraries?page=1', asUser)
    network = silence
    expect(await said(await ask('/api/libraries?page=1', asUser))).toEqual(['silence', 1])
    // A renewed token still belongs to the same user.
    expect(await said(await ask('/api/libraries?page=1', as(uuid, 'two')))).toEqual(['silence', 1])

    await expect(ask('/api/libraries?page=1', as(other))).rejects.toThrow()
    await deviceOf(other)
    await expect(ask('/api/libraries?page=1', asUser)).rejects.toThrow()
    await expect(ask('/api/libraries?page=1', as(other))).rejects.toThrow()

    await deviceOf(uuid)
    await forgetPersonalAnswers()
    await expect(ask('/api/libraries?page=1', asUser)).rejects.toThrow()
  })

  test('the library opens from the device after 300 ms, and is replaced by the answer', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    await deviceOf(uuid)
    network = () => ours({ v: 1 })
    await ask('/api/libraries?page=1', asUser)

    const told: unknown[] = []
    const get = async () => ({ postMessage: (message: unknown) => told.push(message) })
    vi.stubGlobal('self', { clients: { get } })
    let comes: (response: Response) => void = () => undefined
    network = () => new Promise((resolve) => (comes = resolve))
    const waits: Promise<unknown>[] = []
    const request = new Request(`${SHOP}/api/libraries?page=1`, { headers: asUser })
    const event = { request, waitUntil: (work: Promise<unknown>) => waits.push(work) } as unknown as FetchCall
    const shown = handleCatalogue(event, new URL(request.url))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(310)
    expect(await said(await shown)).toEqual(['late', 1])
    expect(told).toEqual([])

    comes(ours({ v: 2 }))
    await Promise.all(waits)
    expect(told).toEqual([{ type: 'SHELF_RENEWED', ownerUuid: uuid }])
    // The page fetches again and gets the new copy without the slow network.
    network = silence
    expect(await said(await ask('/api/libraries?page=1', asUser))).toEqual(['fresh', 2])
    expect(await said(await ask('/api/libraries?page=1', asUser))).toEqual(['silence', 2])
  })

  test('a log-in on a slow line waits for its own answer, and never shows the previous user', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    await deviceOf(uuid)
    network = () => ours({ uuid, v: 1 })
    await ask('/api/logged-user', asUser)

    let comes: (response: Response) => void = () => undefined
    network = () => new Promise((resolve) => (comes = resolve))
    let answer: Response | undefined
    const asked = ask('/api/logged-user', as(other)).then((response) => (answer = response))
    await vi.advanceTimersByTimeAsync(3_100)
    expect(answer).toBeUndefined()
    comes(ours({ uuid: other, v: 2 }))
    await asked
    expect(await said(answer)).toEqual([null, 2])

    // Nor is the new user's answer cached as the previous one's.
    network = silence
    expect(await said(await ask('/api/logged-user', asUser))).toEqual(['silence', 1])
  })

  test('a proxy’s error during a log-in is passed on unchanged', async () => {
    await deviceOf(uuid)
    network = () => ours({ v: 1 })
    await ask('/api/logged-user', asUser)
    network = () => ours({}, { status: 503 })
    expect((await ask('/api/logged-user', as(other)))?.status).toBe(503)
    expect(await said(await ask('/api/logged-user', asUser))).toEqual(['silence', 1])
  })

  test('a token without a user id uses the network, and its answers are not cached', async () => {
    await deviceOf(uuid)
    network = () => ours({ v: 1 })
    expect(await said(await ask('/api/libraries', { xtoken: 'Bearer t' }))).toEqual([null, 1])
    expect(await caches.has(personalCacheName(uuid))).toBe(false)
  })

  test('an answer that arrives after the log-out is not cached', async () => {
    await writeValue('rememberedUser', { uuid, firstName: '', fullName: '' })
    network = async () => {
      await removeValue('rememberedUser')
      return ours({ v: 1 })
    }
    await ask('/api/libraries', asUser)
    expect(await caches.has(personalCacheName(uuid))).toBe(false)
  })

  test('a visitor never gets a user’s cached answer for the same address', async () => {
    await writeValue('rememberedUser', { uuid, firstName: '', fullName: '' })
    network = () => ours({ v: 1 })
    await ask('/api/audio_books/salt', asUser)
    network = silence
    await expect(ask('/api/audio_books/salt')).rejects.toThrow()
  })
})

test.each([
  ['/api/login', {}],
  ['/api/health', {}],
  ['/api/token/refresh', {}],
  ['/api/user_audio_book_times', asUser],
  ['/media/sound/a.mp3', {}],
])('trap 18: %s is left to the network', async (path, headers) => {
  network = () => ours({ v: 1 })
  expect(await ask(path, headers)).toBeUndefined()
  expect(await ask('/api/styles', {}, { method: 'POST' })).toBeUndefined()
})
