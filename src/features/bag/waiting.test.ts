// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { BookCard } from '#contract/catalogue.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { useSession } from '#session/store.ts'
import { isWaitingLine, bagOnDevice, forgetOwners, isWaiting, readWaiting } from './waiting.ts'
import { addToBag, removeFromBag } from './mutations.ts'
import { bagQuery, currentBag } from './queries.ts'
import { sendWaiting } from './send-waiting.ts'
import { bagHolder, guestCart, storeCartId, useBagStore } from './store.ts'

const CART = '0b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a11'
const ITEM = '1b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a12'
const book = (slug: string, more: object = {}) =>
  ({
    entityType: 'audioBook',
    slug,
    title: slug,
    price: 10,
    subscriptionPrice: 8,
    authors: [],
    ...more,
  }) as unknown as BookCard
const line = (slug: string, more: object = {}) => ({
  uuid: ITEM,
  cart: { uuid: CART },
  audioBook: book(slug),
  eBook: null,
  price: 10,
  discountPrice: null,
  available: true,
  ...more,
})
const cartOf = (...items: object[]) => ({ uuid: CART, items, itemCount: items.length, sumBeforeDiscount: 10 })

let shop: (request: Exchange) => unknown
let calls: string[]
let client: QueryClient
const offline = () => {
  throw new NetProblem('offline', 0)
}
const fetchBag = () => client.fetchQuery({ ...bagQuery(bagHolder()), staleTime: 0, retry: false })
const shown = () => currentBag(client)?.items.map((item) => item.audioBook?.slug)

beforeEach(() => {
  localStorage.clear()
  useBagStore.setState({ cartId: null })
  useSession.setState({ ready: true, status: 'visitor', user: null, owner: null })
  calls = []
  client = new QueryClient()
  configureNet({
    tokens: { read: async () => undefined },
    exchange: async (request: Exchange) => {
      calls.push(`${request.method} ${request.path}`)
      return shop(request)
    },
  } as unknown as Parameters<typeof configureNet>[0])
})

test('a visitor’s first title goes into the bag offline, survives a reload, and is sent to the server later', async () => {
  shop = offline
  expect(await addToBag(client, book('ferry'))).toBeUndefined()
  expect(shown()).toEqual(['ferry'])
  expect(currentBag(client)).toMatchObject({ itemCount: 1, checkedAt: 0 })
  // A reopened tab has only the device's storage.
  client = new QueryClient()
  expect(await fetchBag()).toMatchObject({ itemCount: 1 })
  shop = ({ method }) => (method === 'POST' ? line('ferry') : cartOf(line('ferry')))
  expect(await sendWaiting(client)).toBe('')
  expect(isWaiting(bagHolder())).toBe(false)
  expect(guestCart()).toBe(CART)
  expect(await fetchBag()).not.toHaveProperty('checkedAt')
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([
    'POST /api/cart_items',
    'POST /api/cart_items',
  ])
})

test('the last seen bag opens offline; additions and removals show at once', async () => {
  storeCartId(CART)
  shop = () => cartOf(line('seen'))
  await fetchBag()
  shop = offline
  client = new QueryClient()
  expect(await fetchBag()).toMatchObject({ itemCount: 1, checkedAt: expect.any(Number) as number })
  await addToBag(client, book('ferry'))
  await addToBag(client, book('ferry'))
  expect(shown()).toEqual(['seen', 'ferry'])
  const [seen, ferry] = currentBag(client)!.items
  expect([isWaitingLine(seen!), isWaitingLine(ferry!)]).toEqual([false, true])
  await removeFromBag(client, seen!)
  expect(shown()).toEqual(['ferry'])
  await removeFromBag(client, ferry!)
  expect(currentBag(client)).toBeNull()
  calls = []
  shop = ({ method }) => (method === 'DELETE' ? undefined : cartOf())
  await sendWaiting(client)
  expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([`DELETE /api/cart_items/${ITEM}`])
  expect(readWaiting()).toMatchObject({ added: [], removed: [] })
})

test('the buyer is told of a changed price, a title they own and one that can’t be bought', async () => {
  shop = offline
  for (const slug of ['dearer', 'owned', 'gone', 'same']) await addToBag(client, book(slug))
  shop = ({ json }) => {
    const slug = (json as { audioBook: string } | undefined)?.audioBook.split('/').at(-1)
    if (slug === 'gone') throw new NetProblem('refused', 422, { message: 'Not available' })
    if (slug === 'dearer') return line(slug, { price: 12 })
    if (slug === 'owned') return line(slug, { audioBook: book(slug, { inLibrary: true }), gift: true })
    return slug ? line(slug) : cartOf(line('same'))
  }
  expect(await sendWaiting(client)).toBe(
    'dearer is £12.00 now. It was £10.00 when you added it. You already own owned, so it’s now in your bag as a gift. gone isn’t in your bag: Not available.',
  )
  expect(isWaiting(bagHolder())).toBe(false)
})

test('if the server becomes unreachable again, the rest stays queued and nothing is sent twice', async () => {
  shop = offline
  for (const slug of ['one', 'two']) await addToBag(client, book(slug))
  let answers = 1
  shop = ({ method }) => {
    if (method === 'POST' && answers-- <= 0) return offline()
    return method === 'POST' ? line('one') : cartOf(line('one'))
  }
  await sendWaiting(client)
  expect(readWaiting().added.map(({ book: { slug } }) => slug)).toEqual(['two'])
  expect((await fetchBag())?.items.map((item) => item.audioBook?.slug)).toEqual(['one', 'two'])
})

test('a log-out removes the account’s bag from the device; a guest’s bag stays and joins the account that logs in', async () => {
  useSession.setState({ status: 'user', owner: { uuid: 'nell' } as never })
  shop = () => cartOf(line('seen', { giftEmail: 'una@murmur.example' }))
  await fetchBag()
  shop = offline
  await addToBag(client, book('ferry'))
  forgetOwners()
  expect(localStorage.getItem('bagWaiting')).toBeNull()
  useSession.setState({ status: 'visitor', owner: null })
  await addToBag(client, book('guest', { audioFiles: [{ url: 'signed' }], summary: 'Long' }))
  expect(localStorage.getItem('bagWaiting')).not.toContain('signed')
  forgetOwners()
  useSession.setState({ status: 'user', owner: { uuid: 'nell' } as never })
  expect(bagOnDevice(bagHolder())?.items.map((item) => item.audioBook?.slug)).toEqual(['guest'])
})

test('a refusal by the server is reported at once, and the title does not wait', async () => {
  shop = () => {
    throw new NetProblem('refused', 422, { message: 'Not available in your region' })
  }
  await expect(addToBag(client, book('ferry'))).rejects.toThrow('Not available in your region')
  expect(isWaiting(bagHolder())).toBe(false)
})

vi.mock('#net/connectivity.ts', () => ({ connectivity: { snapshot: () => 'online', note: () => undefined } }))
