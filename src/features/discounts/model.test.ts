import { expect, test, vi } from 'vitest'
import { couponCode } from '#contract/limits.ts'
import { NetProblem } from '#net/problem.ts'
import {
  afterFailure,
  appliedState,
  applyWithRetry,
  ATTEMPTS,
  couponProblem,
  needsRefresh,
  NO_DISCOUNT,
  NoCart,
} from './model.ts'

test('DISC-01: a code is upper-cased and trimmed', () => {
  expect(couponCode('  welcome20 \n')).toBe('WELCOME20')
})

test('DISC-05: a code waits for the bag’s id, five attempts, one second apart', async () => {
  const ids = [null, null, null, null, 'c1']
  const wait = vi.fn(async () => {})
  const apply = vi.fn(async () => ({ amount: 9 }))
  const answer = await applyWithRetry({
    cartId: () => ids.shift() ?? null,
    apply,
    attempts: ATTEMPTS.apply,
    wait,
  })
  expect(answer).toEqual({ amount: 9 })
  expect(apply).toHaveBeenCalledExactlyOnceWith('c1')
  expect(wait.mock.calls).toEqual([[1000], [1000], [1000], [1000]])
})

test('DISC-13: a code that is looked at again has three attempts, one second apart', async () => {
  const wait = vi.fn(async () => {})
  const cartId = vi.fn(() => null)
  await expect(
    applyWithRetry({ cartId, apply: async () => 1, attempts: ATTEMPTS.refresh, wait }),
  ).rejects.toThrow(NoCart)
  expect(cartId).toHaveBeenCalledTimes(3)
  expect(wait.mock.calls).toEqual([[1000], [1000]])
})

test('ERR-07: attempts that never find a bag say so in the given words', async () => {
  const failed = await applyWithRetry({
    cartId: () => null,
    apply: async () => 1,
    attempts: ATTEMPTS.apply,
    wait: async () => {},
  }).catch(couponProblem)
  expect(failed).toBe('Unable to apply discount: Cart not available')
})

test('what the server refuses is not tried again, and what it says is what is shown', async () => {
  const apply = vi.fn(async () => {
    throw new NetProblem('refused', 422, { message: 'This discount code is not valid' })
  })
  const said = await applyWithRetry({
    cartId: () => 'c1',
    apply,
    attempts: 5,
    wait: async () => {},
  }).catch(couponProblem)
  expect(said).toBe('This discount code is not valid')
  expect(apply).toHaveBeenCalledTimes(1)
  expect(couponProblem(new NetProblem('offline', 0))).toBe('Error applying discount')
})

test('ERR-06: a code that was already used stays with what was said of it, any other goes', () => {
  expect(afterFailure('ONEUSE', 'This discount code was already used')).toEqual({
    ...NO_DISCOUNT,
    discountCode: 'ONEUSE',
    error: 'This discount code was already used',
  })
  expect(afterFailure('LASTYEAR', 'This discount code is not valid').discountCode).toBeNull()
})

const applied = { discount_code: 'X', relative_discount: null, discount_amount: null }

test('DISC-08 BAG-18: a code of everything and a fixed amount are looked at again when the bag changes', () => {
  const state = (change: Partial<typeof applied> | Record<string, number>) =>
    appliedState({ ...applied, ...change })
  expect(needsRefresh(state({ relative_discount: 100 }))).toBe(true)
  expect(needsRefresh(state({ discount_amount: 5 }))).toBe(true)
  expect(needsRefresh(state({ relative_discount: 20 }))).toBe(false)
  expect(needsRefresh(NO_DISCOUNT)).toBe(false)
})

test('DISC-12: a fixed amount is held as such, and not as a percentage', () => {
  expect(appliedState({ ...applied, discount_amount: 5 })).toMatchObject({
    discountAmount: 5,
    relativeDiscount: null,
  })
})
