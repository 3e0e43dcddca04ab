// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import type { Cart } from '#contract/bag.ts'
import { NetProblem } from '#net/problem.ts'
import type { Exchange } from '#net/settings.ts'
import { configureNet } from '#net/settings.ts'
import { NO_DISCOUNT } from './model.ts'
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
const heard = vi.fn()
const bag = { cartId: () => 'c1', heard, wait: async () => {} }

beforeEach(() => {
  vi.clearAllMocks()
  exchange.mockResolvedValue(cart)
  configureNet({ exchange })
  useDiscount.setState(NO_DISCOUNT)
})

test('DISC-03 ENT-12: a code is loading until it is valid, with the sums of the server', async () => {
  const applying = applyCode(' bookgift ', bag)
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
  expect(heard).toHaveBeenCalledExactlyOnceWith(cart)
})

test('API-76: a code is applied to the bag of whoever is here, as soon as it has an id, and answers what it takes off', async () => {
  const ids = [null, null, 'c7']
  const amount = await applyCode('bookgift', { ...bag, cartId: () => ids.shift() ?? null })
  expect(amount).toBe(12)
  expect(exchange).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ path: '/api/carts/c7/apply-coupon', json: { couponCode: 'BOOKGIFT' } }),
  )
  exchange.mockRejectedValue(new NetProblem('refused', 422, { message: 'This discount code is not valid' }))
  expect(await applyCode('nosuchcode', bag)).toBe(0)
})

test('ERR-05: a failure says what the server said, else that the discount could not be applied', async () => {
  exchange.mockRejectedValue(new NetProblem('refused', 422, { message: 'This discount code is not valid' }))
  await applyCode('nosuchcode', bag)
  expect(useDiscount.getState()).toMatchObject({
    isLoading: false,
    error: 'This discount code is not valid',
    discountCode: null,
  })
  exchange.mockRejectedValue(new NetProblem('server', 500))
  await applyCode('welcome20', bag)
  expect(useDiscount.getState().error).toBe('Error applying discount')
})

test('ERR-31: a failed refresh of a discount says nothing, and the old price stands', async () => {
  await applyCode('bookgift', bag)
  heard.mockClear()
  exchange.mockRejectedValue(new NetProblem('offline', 0))
  await refreshCode(bag)
  expect(useDiscount.getState()).toMatchObject({ isLoading: false, error: '', discountCode: 'BOOKGIFT' })
  expect(heard).not.toHaveBeenCalled()
})

test('nothing is asked twice at once, nor refreshed that needs none', async () => {
  const first = applyCode('bookgift', bag)
  await applyCode('welcome20', bag)
  await first
  expect(exchange).toHaveBeenCalledTimes(1)
  useDiscount.setState({ relativeDiscount: 20 })
  await refreshCode(bag)
  expect(exchange).toHaveBeenCalledTimes(1)
})

test('a code that could not be taken off is still shown, and says why', async () => {
  await applyCode('bookgift', bag)
  exchange.mockRejectedValue(new NetProblem('offline', 0))
  expect(await removeCode(bag)).toBe(false)
  expect(useDiscount.getState()).toMatchObject({ isLoading: false, discountCode: 'BOOKGIFT' })
  exchange.mockResolvedValue({ ...cart, discount: null })
  expect(await removeCode(bag)).toBe(true)
  expect(useDiscount.getState()).toEqual(NO_DISCOUNT)
})
