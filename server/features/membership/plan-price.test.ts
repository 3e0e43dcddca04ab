import { expect, test } from 'vitest'
import { DISCOUNT_TYPES } from '#contract/discounts.ts'
import { PLANS } from '#contract/plans.ts'
import { isForPlan, planPrice } from './plan-price.ts'

const percent = (of: number) => ({ type: 'all' as const, percent: of, amountMinor: null })
const pounds = (of: number) => ({ type: 'all' as const, percent: null, amountMinor: of * 100 })

test('DISC-06: codes of memberships and of everything are for every plan, monthly and yearly ones for theirs, and no other', () => {
  const plans = Object.values(PLANS)
  expect(
    DISCOUNT_TYPES.map((type) => [
      type,
      plans.filter((plan) => isForPlan({ type }, plan)).map(({ id }) => id),
    ]),
  ).toEqual([
    ['cheapest_book', []],
    ['all', [1, 2, 3, 4, 5, 6, 7]],
    ['subscription', [1, 2, 3, 4, 5, 6, 7]],
    ['monthly', [1, 4, 6]],
    ['yearly', [2, 5, 7]],
    ['book', []],
  ])
})

test('DISC-10: a plan’s price with a code is exact to the penny, half a penny up, and not rounded to pounds', () => {
  expect(planPrice(PLANS[4], null)).toBe(800)
  expect(planPrice(PLANS[4], percent(33))).toBe(536)
  expect(planPrice(PLANS[6], percent(45))).toBe(165)
  expect(planPrice({ ...PLANS[6], priceMinor: 299 }, percent(50))).toBe(150)
  expect(planPrice(PLANS[2], percent(25))).toBe(9000)
  expect(planPrice(PLANS[4], pounds(5))).toBe(300)
})

test('no code takes a plan below nothing, and a rest that no card can be charged is given away', () => {
  expect(planPrice(PLANS[6], pounds(5))).toBe(0)
  expect(planPrice(PLANS[4], percent(100))).toBe(0)
  expect(planPrice(PLANS[6], percent(91))).toBe(0)
  expect(planPrice(PLANS[6], percent(90))).toBe(30)
})
