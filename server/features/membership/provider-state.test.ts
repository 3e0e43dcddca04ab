import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { aPaidMembership } from '#tests/support/paid-membership.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { returnedPeriods } from './provider-state.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('the money of a period went back if it was refunded in full, or if a dispute of it is open or lost', async () => {
  const { id } = await aPaidMembership(shop)
  const fake = fakeBilling()
  const found = (payment: object, dispute = 'open') => {
    const whole = { id: 'pi_1', amountMinor: 800, refundedMinor: 0, disputed: false, ...payment }
    const retrieve = async () => ({ payment: 'pi_1' }) as never
    const billing = { ...fake, invoices: { ...fake.invoices, retrieve } }
    const asked = { retrievePayment: async () => whole as never, disputeOf: async () => dispute as never }
    return returnedPeriods({ ...shop, billing, payments: { ...shop.payments, ...asked } }, id)
  }
  const { periodStart: from, periodEnd: until } = aMembership()
  expect([await found({}), await found({ refundedMinor: 799 })]).toEqual([[], []])
  expect(await found({ refundedMinor: 800 })).toEqual([{ span: { from, until }, isDisputed: false }])
  for (const dispute of ['open', 'lost'])
    expect(await found({ disputed: true }, dispute)).toEqual([{ span: { from, until }, isDisputed: true }])
  expect(await found({ disputed: true }, 'won')).toEqual([])
})
