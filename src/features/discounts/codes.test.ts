// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Cart } from '#contract/bag.ts'
import { couponCode } from '#contract/limits.ts'
import { bagKey, currentBag } from '#features/bag/queries.ts'
import { bagHolder, useBagStore } from '#features/bag/store.ts'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { APART_MS, applyCode, codeProblemMessage, refreshCode, removeCode } from './codes.ts'

const discount = {
  discount_code: 'BOOKGIFT',
  discount_type: 'all',
  relative_discount: 100 as number | null,
  discount_amount: null as number | null,
  saved: 12,
} as const
const cart = { uuid: 'c1', discount, discountMessage: null } as unknown as Cart

const exchange = vi.fn<(request: Exchange) => Promise<unknown>>()
let queryClient: QueryClient
const fillBag = (uuid: string, applied: object | null = null) =>
  queryClient.setQueryData(bagKey(bagHolder()), { uuid, discount: applied })
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (problem: unknown) => codeProblemMessage(problem),
  )

beforeEach(() => {
  vi.clearAllMocks()
  exchange.mockResolvedValue(cart)
  configureNet({ exchange })
  becomeVisitor()
  useBagStore.setState({ cartId: 'c1' })
  queryClient = new QueryClient()
  fillBag('c1')
})
afterEach(() => vi.useRealTimers())

test('DISC-01: a code is upper-cased and trimmed', () => {
  expect(couponCode('  welcome20 \n')).toBe('WELCOME20')
})

test('ENT-12: stores the server’s bag with the discount and the new sums', async () => {
  await applyCode(queryClient, ' bookgift ')
  expect(exchange.mock.calls[0]![0]).toMatchObject({
    method: 'PATCH',
    path: '/api/carts/c1/apply-coupon',
    json: { couponCode: 'BOOKGIFT' },
  })
  expect(currentBag(queryClient)).toEqual(cart)
})

test('DISC-12: a fixed amount is stored as such, and not as a percentage', async () => {
  const fiver = { ...discount, relative_discount: null, discount_amount: 5 }
  exchange.mockResolvedValue({ ...cart, discount: fiver })
  expect(await applyCode(queryClient, 'fiver')).toMatchObject({ discount_amount: 5, relative_discount: null })
})

test('API-76 DISC-05: waits for the bag’s id, a second between attempts, then applies the code and reports the reduction', async () => {
  vi.useFakeTimers()
  queryClient.removeQueries()
  const applying = applyCode(queryClient, 'bookgift')
  await vi.advanceTimersByTimeAsync(3.5 * APART_MS)
  expect(exchange).not.toHaveBeenCalled()
  fillBag('c7')
  await vi.advanceTimersByTimeAsync(APART_MS)
  expect((await applying).saved).toBe(12)
  expect(exchange).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ path: '/api/carts/c7/apply-coupon', json: { couponCode: 'BOOKGIFT' } }),
  )
})

test('ERR-07 DISC-05: after five attempts without a bag, shows the specified message', async () => {
  vi.useFakeTimers()
  queryClient.removeQueries()
  const failing = messageOf(applyCode(queryClient, 'bookgift'))
  await vi.advanceTimersByTimeAsync(4 * APART_MS)
  expect(await failing).toBe('Unable to apply discount: Cart not available')
  expect(exchange).not.toHaveBeenCalled()
})

test('ERR-05: a failure shows the server’s message, else that the discount could not be applied', async () => {
  exchange.mockRejectedValue(new NetProblem('refused', 422, { message: 'This discount code is not valid' }))
  expect(await messageOf(applyCode(queryClient, 'nosuchcode'))).toBe('This discount code is not valid')
  expect(exchange).toHaveBeenCalledOnce()
  exchange.mockRejectedValue(new NetProblem('server', 500))
  expect(await messageOf(applyCode(queryClient, 'welcome20'))).toBe('Error applying discount')
  exchange.mockResolvedValue({
    ...cart,
    discount: null,
    discountMessage: 'This discount code was already used',
  })
  expect(await messageOf(applyCode(queryClient, 'oneuse'))).toBe('This discount code was already used')
})

test('DISC-08 BAG-18: 100% and a fixed amount are calculated again when the bag changes, any other code is not', async () => {
  await refreshCode(queryClient)
  fillBag('c1', { ...discount, relative_discount: 20 })
  await refreshCode(queryClient)
  expect(exchange).not.toHaveBeenCalled()
  fillBag('c1', discount)
  await refreshCode(queryClient)
  fillBag('c1', { ...discount, relative_discount: null, discount_amount: 5 })
  await refreshCode(queryClient)
  expect(exchange).toHaveBeenCalledTimes(2)
})

test('DISC-13: calculating again tries three times, a second apart, while the bag has no id', async () => {
  vi.useFakeTimers()
  fillBag('', discount)
  const failing = refreshCode(queryClient)
  await vi.advanceTimersByTimeAsync(1.5 * APART_MS)
  fillBag('c1', discount)
  await vi.advanceTimersByTimeAsync(APART_MS)
  await failing
  expect(exchange).toHaveBeenCalledOnce()

  exchange.mockClear()
  fillBag('', discount)
  const late = refreshCode(queryClient)
  await vi.advanceTimersByTimeAsync(2 * APART_MS)
  await late
  expect(exchange).not.toHaveBeenCalled()
})

test('ERR-31: a discount that cannot be calculated again shows no message, and the old price stays', async () => {
  fillBag('c1', discount)
  const before = currentBag(queryClient)
  exchange.mockRejectedValue(new NetProblem('offline', 0))
  await refreshCode(queryClient)
  expect(currentBag(queryClient)).toBe(before)
})

test('a code that could not be removed stays with the bag, with a message', async () => {
  fillBag('c1', discount)
  exchange.mockRejectedValue(new NetProblem('offline', 0))
  expect(await messageOf(removeCode(queryClient))).toBe('Error applying discount')
  expect(currentBag(queryClient)?.discount).toEqual(discount)
  exchange.mockResolvedValue({ ...cart, discount: null })
  await removeCode(queryClient)
  expect(currentBag(queryClient)?.discount).toBeNull()
})
