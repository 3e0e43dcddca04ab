import { afterAll, beforeAll, expect, test } from 'vitest'
import { DISCOUNT_TYPES, planDiscount } from '#contract/discounts.ts'
import { PLANS } from '#contract/plans.ts'
import { discounts, discountUses } from '#server/db/schema/discounts.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { calculatePrices } from '../prices/pricing.ts'
import { reductionOf } from './service.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
  await shop.db.insert(discounts).values([
    { code: 'HALF', type: 'subscription', percent: 50 },
    { code: 'FIFTH', type: 'all', percent: 20 },
    { code: 'YEAR25', type: 'yearly', percent: 25, duration: 'repeating', durationMonths: 2 },
    { code: 'FREE', type: 'subscription', percent: 100 },
    { code: 'OVER', type: 'all', percent: 10, active: false },
    { code: 'CHEAP', type: 'cheapest_book', percent: 100 },
    { code: 'TWOOFF', type: 'monthly', amountMinor: 250, duration: 'forever' },
    { code: 'ONCE', type: 'subscription', percent: 50, oncePerAccount: true },
  ])
})
afterAll(() => shop.close())

test('API-75: the response says whether a code is valid for a plan and the price with it, and nothing is stored', async () => {
  const ask = async (code: string, plan: number) =>
    shop.app.inject(`/api/discounts/${code}/sub-apply-coupon?plan=${plan}`)
  const half = (await ask('half', 1)).json()
  expect(misfits(planDiscount.reply, half)).toEqual([])
  expect(half).toMatchObject({
    valid: true,
    price: 12,
    discountPrice: 6,
    vat: 1,
    discountDuration: 'once',
    free: false,
  })
  expect((await ask('YEAR25', 5)).json()).toMatchObject({
    valid: true,
    discountPrice: 60,
    discountDurationMonths: 2,
  })
  expect((await ask('YEAR25', 4)).json()).toMatchObject({
    valid: false,
    message: 'This discount code is not valid',
    discountPrice: 8,
    vat: 1.33,
    relative_discount: null,
  })
  expect((await ask('FREE', 4)).json()).toMatchObject({ valid: true, discountPrice: 0, free: true })
  expect((await ask('TWOOFF', 4)).json()).toMatchObject({
    valid: true,
    discountPrice: 5.5,
    relative_discount: null,
    discount_amount: 2.5,
    discountDuration: 'forever',
  })
  expect((await ask('OVER', 4)).json()).toMatchObject({ valid: false })
  expect((await ask('CHEAP', 4)).json()).toMatchObject({
    valid: false,
    message: 'This discount code is not valid',
  })
  expect((await ask('NOSUCHCODE', 4)).statusCode).toBe(404)
  expect((await ask('HALF', 8)).statusCode).toBe(400)
})

test('API-75: a code for one use per account is not valid after the account has used it; other codes can be used again', async () => {
  const buyer = await aBuyer(shop)
  const valid = async (code: string, who: Pick<typeof buyer, 'ask'>) =>
    (await who.ask('GET', `/api/discounts/${code}/sub-apply-coupon?plan=4`)).json()
  expect(await valid('ONCE', buyer)).toMatchObject({ valid: true })
  await shop.db.insert(discountUses).values(['ONCE', 'HALF'].map((code) => ({ code, userId: buyer.user.id })))
  expect(await valid('ONCE', buyer)).toMatchObject({
    valid: false,
    message: 'This discount code was already used',
    discountPrice: 8,
  })
  expect(await valid('HALF', buyer)).toMatchObject({ valid: true })
  expect(await valid('ONCE', await aBuyer(shop))).toMatchObject({ valid: true })
})

type Type = (typeof DISCOUNT_TYPES)[number]
const priceOf = (
  plan: number,
  originalMinor: number,
  type: Type,
  off: { percent?: number; amountMinor?: number },
) =>
  calculatePrices(
    [{ sold: { kind: 'membership', plan }, originalMinor }],
    reductionOf(
      { type, percent: off.percent ?? null, amountMinor: off.amountMinor ?? null, bookIds: null },
      'membership',
    ),
  ).totalMinor

test('DISC-06: codes for memberships and for everything apply to every plan, monthly and yearly codes only to theirs', () => {
  const reduced = DISCOUNT_TYPES.map((type) => [
    type,
    Object.values(PLANS)
      .filter(({ id, priceMinor }) => priceOf(id, priceMinor, type, { percent: 50 }) < priceMinor)
      .map(({ id }) => id),
  ])
  expect(reduced).toEqual([
    ['cheapest_book', []],
    ['all', [1, 2, 3, 4, 5, 6, 7]],
    ['subscription', [1, 2, 3, 4, 5, 6, 7]],
    ['monthly', [1, 4, 6]],
    ['yearly', [2, 5, 7]],
    ['book', []],
  ])
})

test('DISC-10: a plan’s price with a code is exact to the penny, rounded half up, and not rounded to pounds', () => {
  expect(priceOf(4, 800, 'all', { percent: 20 })).toBe(640)
  expect(priceOf(4, 800, 'subscription', { percent: 33 })).toBe(536)
  expect(priceOf(6, 299, 'monthly', { percent: 50 })).toBe(150)
  expect(priceOf(4, 800, 'all', { amountMinor: 500 })).toBe(300)
  // Never below zero. A price that is too small for a card is given away.
  expect(priceOf(6, 300, 'all', { amountMinor: 500 })).toBe(0)
  expect(priceOf(6, 300, 'all', { percent: 91 })).toBe(0)
  expect(priceOf(6, 300, 'all', { percent: 90 })).toBe(30)
})
