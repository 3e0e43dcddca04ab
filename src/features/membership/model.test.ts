import { expect, test } from 'vitest'
import { freeMonths, offerOf, planOf, TIERS } from './model.ts'

test('MEMB-01: three tiers, each with monthly and yearly billing', () => {
  expect(TIERS.map((tier) => [planOf(tier, false).id, planOf(tier, true).id])).toEqual([
    [6, 7],
    [4, 5],
    [1, 2],
  ])
})

test('a yearly plan of any tier costs ten months', () => {
  expect(TIERS.map(freeMonths)).toEqual([2, 2, 2])
})

test('MEMB-18: a Reader is offered an upgrade, a downgrade and the other billing period; only her own plan is marked', () => {
  const offers = (current: 5 | undefined, yearly = false) =>
    TIERS.map((tier) => offerOf(planOf(tier, yearly), current))
  expect(offers(5)).toEqual(['Downgrade', 'Switch to monthly', 'Upgrade'])
  expect(offers(5, true)).toEqual(['Downgrade', 'Your plan', 'Upgrade'])
  expect(offers(undefined)).toEqual(['Get plan', 'Get plan', 'Get plan'])
})
