// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { useBagCount } from './count.ts'
import { followBag } from './follow.ts'
import { guestCart, storeCartId, useBagStore } from './store.ts'

const { toast } = vi.hoisted(() => ({ toast: vi.fn() }))
vi.mock('#ui/toast.ts', () => ({ toast }))

const CART = '0b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a11'
let join: () => unknown
let bags: Record<string, number> = {}
const exchange = vi.fn(async ({ path }: Exchange): Promise<unknown> => {
  if (path.endsWith('/apply-user')) return join()
  return { uuid: path, items: [], itemCount: bags[path] ?? 0 }
})
const joined = {
  uuid: 'c1',
  items: [],
  itemCount: 3,
  merged: { added: ['Oak Gall'], alreadyInBag: [], becameGifts: [] },
}
const count = () => useBagCount.getState()

beforeAll(() => {
  becomeVisitor()
  followBag(new QueryClient())
})
beforeEach(() => {
  vi.clearAllMocks()
  bags = { [`/api/carts/${CART}`]: 2, '/api/carts/own': 1 }
  join = () => joined
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeVisitor()
})

test('SESS-13: a log-in without a guest’s bag loads the account’s bag, and a log-out clears the count', async () => {
  becomeUser({ uuid: 'u1' } as never, null)
  await soon(() => expect(count()).toBe(1))
  becomeVisitor()
  await soon(() => expect(count()).toBe(0))
  expect(exchange.mock.calls.map(([{ path }]) => path)).toEqual(['/api/carts/own'])
})

test('a guest’s bag stays on the device while the server is unreachable, then joins the account’s bag, with a message', async () => {
  storeCartId(CART)
  await soon(() => expect(count()).toBe(2))
  join = () => {
    throw new NetProblem('server', 503)
  }
  becomeUser({ uuid: 'u2' } as never, null)
  await soon(() => expect(useBagStore.getState().joinFailed).toBe(true))
  expect([guestCart(), localStorage.getItem('cartId')]).toEqual([CART, CART])
  expect(toast).not.toHaveBeenCalled()

  join = () => joined
  connectivity.lost()
  connectivity.note(true)
  await soon(() => expect(guestCart()).toBeNull())
  expect(localStorage.getItem('cartId')).toBeNull()
  expect(count()).toBe(3)
  expect(toast).toHaveBeenCalledExactlyOnceWith('Oak Gall moved to your bag.', expect.anything())
})
