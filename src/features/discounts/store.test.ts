// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Cart } from '#contract/bag.ts'
import { bagKey, currentBag } from '#features/bag/queries.ts'
import { bagHolder, useBagStore } from '#features/bag/store.ts'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { APART_MS, NO_DISCOUNT } from './model.ts'
import { applyCode, refreshCode, removeCode, useDiscount } from './store.ts'

const discount = {
  discount_code: 'BOOKGIFT',
  discount_type: 'all',
  relative_discount: 100,
  discount_amount: null,
  saved: 12,
} as const
const cart = { uuid: 'c1', discount, discountMessage: null } as unknown as Cart

const exchange = vi.fn<(request: Exchange) => Promise<unknown>>()
let queryClient: QueryClient
const fillBag = (uuid: string) => queryClient.setQueryData(bagKey(bagHolder()), { uuid, discount: null })

beforeEach(() => {
  vi.clearAllMocks()
  exchange.mockResolvedValue(cart)
  configureNet({ exchange })
  useDiscount.setState(NO_DISCOUNT)
  becomeVisitor()
  useBagStore.setState({ cartId: 'c1' })
  queryClient = new QueryClient()
  fillBag('c1')
})
afterEach(() => vi.useRealTimers())

test('DISC-03 ENT-12: a code is loading until it is valid, with the sums of the server', async () => {
  const applying = applyCode(' bookgift ', queryClient)
  expect(useDiscount.getState().isLoading).toBe(true)
  await applying
  expect(exchange.mock.calls[0]![0]).toMatchObject({
    method: 'PATCH',
    path: '/api/carts/c1/apply-coupon',
    json: { couponCode: 'BOOKGIFT' },
  })
  expect(useDiscount.getState()).toMatchObject({
    isLoading: false,
    error: '',
    discountCode: 'BOOKGIFT',
    relativeDiscount: 100,
  })
  expect(Object.keys(useDiscount.getState()).sort()).toEqual([
    'discountAmount',
    'discountCode',
    'error',
    'isLoading',
    'relativeDiscount',
  ])
  expect(currentBag(queryClient)).toEqual(cart)
})

test('API-76: a code is applied to the bag of whoever is here, as soon as it has an id, and answers what it takes off', async () => {
  vi.useFakeTimers()
  queryClient.removeQueries()
  const amount = applyCode('bookgift', queryClient)
  await vi.advanceTimersByTimeAsync(1.5 * APART_MS)
  fillBag('c7')
  await vi.advanceTimersByTimeAsync(APART_MS)
  expect(await amount).toBe(12)
  expect(exchange).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ path: '/api/carts/c7/apply-coupon', json: { couponCode: 'BOOKGIFT' } }),
  )
  exchange.mockRejectedValue(new NetProblem('refused', 422, { message: 'This discount code is not valid' }))
  expect(await applyCode('nosuchcode', queryClient)).toBe(0)
})

test('ERR-05: a failure says what the server said, else that the discount could not be applied', async () => {
  exchange.mockRejectedValue(new NetProblem('refused', 422, { message: 'This discount code is not valid' }))
  await applyCode('nosuchcode', queryClient)
  expect(useDiscount.getState()).toMatchObject({
    isLoading: false,
    error: 'This discount code is not valid',
    discountCode: null,
  })
  exchange.mockRejectedValue(new NetProblem('server', 500))
  await applyCode('welcome20', queryClient)
  expect(useDiscount.getState().error).toBe('Error applying discount')
})

test('ERR-31: a failed refresh of a discount says nothing, and the old price stands', async () => {
  await applyCode('bookgift', queryClient)
  const before = currentBag(queryClient)
  exchange.mockRejectedValue(new NetProblem('offline', 0))
  await refreshCode(queryClient)
  expect(useDiscount.getState()).toMatchObject({ isLoading: false, error: '', discountCode: 'BOOKGIFT' })
  expect(currentBag(queryClient)).toBe(before)
})

test('nothing is asked twice at once, nor refreshed that needs none', async () => {
  const first = applyCode('bookgift', queryClient)
  await applyCode('welcome20', queryClient)
  await first
  expect(exchange).toHaveBeenCalledTimes(1)
  useDiscount.setState({ relativeDiscount: 20 })
  await refreshCode(queryClient)
  expect(exchange).toHaveBeenCalledTimes(1)
})

test('a code that could not be taken off is still shown, and says why', async () => {
  await applyCode('bookgift', queryClient)
  exchange.mockRejectedValue(new NetProblem('offline', 0))
  expect(await removeCode(queryClient)).toBe(false)
  expect(useDiscount.getState()).toMatchObject({ isLoading: false, discountCode: 'BOOKGIFT' })
  exchange.mockResolvedValue({ ...cart, discount: null })
  expect(await removeCode(queryClient)).toBe(true)
  expect(useDiscount.getState()).toEqual(NO_DISCOUNT)
})
