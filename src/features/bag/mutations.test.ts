// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { becomeUser, useSession } from '#session/store.ts'
import { addToBag, joinGuestBag, saveGift } from './mutations.ts'
import { bagQuery, currentBag } from './queries.ts'
import { bagHolder, guestCart, storeCartId, useBagStore } from './store.ts'

const CART = '0b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a11'
const ferry = { entityType: 'audioBook', slug: 'the-quiet-ferry' } as const
const exchange = vi.fn(async ({ method }: Exchange): Promise<unknown> =>
  method === 'POST' ? { cart: { uuid: CART } } : { items: [] },
)
const net = (read: () => Promise<unknown>) =>
  configureNet({ exchange, tokens: { read } } as unknown as Parameters<typeof configureNet>[0])
const forEver = () => new Promise<never>(() => undefined)

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  localStorage.clear()
  useBagStore.setState({ cartId: null })
  useSession.setState({ ready: false, status: 'visitor', user: null, owner: null })
  net(async () => null)
})
afterEach(() => void vi.useRealTimers())

test('a session that stays unknown blocks no lock: after three seconds the book goes into a guest’s bag', async () => {
  const added = addToBag(new QueryClient(), ferry)
  await vi.advanceTimersByTimeAsync(2_999)
  expect(exchange).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await added).toMatchObject({ cart: { uuid: CART } })
  expect(exchange.mock.calls).toMatchObject([[{ method: 'POST', anonymous: true }]])
  expect(guestCart()).toBe(CART)
})

test('ROLE-03: a visitor’s first title creates a bag, and the next title joins it', async () => {
  useSession.setState({ ready: true })
  const client = new QueryClient()
  await addToBag(client, ferry)
  expect(localStorage.getItem('cartId')).toBe(CART)
  await addToBag(client, { entityType: 'eBook', slug: 'nine-winters' })
  const sent = exchange.mock.calls.flatMap(([{ method, json }]) => (method === 'POST' ? [json] : []))
  expect(sent).toEqual([
    { audioBook: '/api/audio_books/the-quiet-ferry' },
    { cart: `/api/carts/${CART}`, eBook: '/api/e_books/nine-winters' },
  ])
})

test('a guest’s bag that the server no longer has is replaced by a new one with the title', async () => {
  useSession.setState({ ready: true })
  storeCartId('deleted')
  exchange.mockImplementationOnce(() => Promise.reject(new NetProblem('refused', 404)))
  expect(await addToBag(new QueryClient(), ferry)).toMatchObject({ cart: { uuid: CART } })
  const sent = exchange.mock.calls.flatMap(([{ method, json }]) => (method === 'POST' ? [json] : []))
  const audioBook = '/api/audio_books/the-quiet-ferry'
  expect(sent).toEqual([{ cart: '/api/carts/deleted', audioBook }, { audioBook }])
  expect(guestCart()).toBe(CART)
})

test('a press that hangs in the device’s storage doesn’t block the next one', async () => {
  becomeUser({ uuid: 'u1' } as never, null)
  exchange.mockImplementationOnce(forEver)
  const hanging = addToBag(new QueryClient(), ferry).catch((problem: unknown) => problem)
  await vi.advanceTimersByTimeAsync(0)
  const next = addToBag(new QueryClient(), ferry)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(exchange).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await hanging).toMatchObject({ kind: 'offline' })
  expect(await next).toMatchObject({ cart: { uuid: CART } })
})

test('changes to one gift are sent in order, the first at once, and a failed one doesn’t stop the next', async () => {
  const ends: ((problem?: Error) => void)[] = []
  exchange.mockImplementation(
    () => new Promise((resolve, reject) => ends.push((problem) => (problem ? reject(problem) : resolve({})))),
  )
  const sent = () => exchange.mock.calls.map(([{ json }]) => json)
  const client = new QueryClient()
  const failed = saveGift(client, 'i1', { gift: true }).catch((problem: unknown) => problem)
  const words = saveGift(client, 'i1', { gift: true, giftMessage: 'For you.' })
  const other = saveGift(client, 'i2', { gift: true })
  await vi.advanceTimersByTimeAsync(0)
  expect(sent()).toEqual([{ gift: true }, { gift: true }])
  ends[0]!(new Error('nobody answers'))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent().at(-1)).toEqual({ gift: true, giftMessage: 'For you.' })
  ends.slice(1).forEach((end) => end())
  await Promise.all([failed, words, other])
})

test('ignores a response with the account’s bag that was requested before the guest’s bag was merged', async () => {
  let early: (bag: unknown) => void = () => undefined
  exchange.mockImplementation(({ method }) =>
    method === 'GET'
      ? new Promise((resolve) => (early = resolve))
      : Promise.resolve({ uuid: 'b1', items: [{ uuid: 'i1' }, { uuid: 'i2' }], merged: { moved: 1 } }),
  )
  storeCartId(CART)
  becomeUser({ uuid: 'u1' } as never, null)
  const client = new QueryClient()
  const asked = client.fetchQuery(bagQuery(bagHolder())).catch(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  await joinGuestBag(client)
  early({ uuid: 'b1', items: [{ uuid: 'i1' }] })
  await asked
  expect(currentBag(client)?.items).toHaveLength(2)
  expect(guestCart()).toBeNull()
})

test('PLAY-29: a bag merged into one account is not shown to a user who logs in meanwhile', async () => {
  becomeUser({ uuid: 'u1' } as never, null)
  storeCartId(CART)
  let answer = (_cart: unknown) => {}
  exchange.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
  const client = new QueryClient()
  const joining = joinGuestBag(client)
  await vi.advanceTimersByTimeAsync(0)
  expect(exchange).toHaveBeenCalledOnce()
  becomeUser({ uuid: 'u2' } as never, null)
  answer({ uuid: CART, items: [{ uuid: 'i1' }], merged: { added: 1 } })
  expect(await joining).toBeUndefined()
  expect(currentBag(client)).toBeNull()
  expect(guestCart()).toBeNull()
})

test('a bag whose request was cut off by a change of network is requested again, once', () => {
  const { retry } = bagQuery({ kind: 'guest', cartId: CART })
  const isRetried = (failures: number, problem: NetProblem) =>
    typeof retry === 'function' && retry(failures, problem)
  expect(isRetried(0, new NetProblem('offline', 0))).toBe(true)
  expect(isRetried(1, new NetProblem('offline', 0))).toBe(false)
  expect(isRetried(0, new NetProblem('server', 503))).toBe(true)
  expect(isRetried(0, new NetProblem('server', 500))).toBe(false)
  expect(isRetried(0, new NetProblem('refused', 409))).toBe(false)
})
