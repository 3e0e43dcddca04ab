import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { insertCustomer } from './billing-queries.ts'
import { methodOf } from './payment-methods.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('a set-up gives its payment method only once it is done, and only to the account of its customer', async () => {
  const [own, stranger] = [await aUser(shop), await aUser(shop)]
  await insertCustomer(shop.db, {
    ...{ userId: own.id, customerId: 'cus_own', toldEmail: own.email, toldName: 'Own' },
  })
  const fake = fakeBilling()
  const asked = (userId: string, setUp: object) => {
    const retrieve = async () =>
      ({ state: 'done', method: { id: 'pm_own' }, customer: 'cus_own', ...setUp }) as never
    const billing = { ...fake, setUps: { ...fake.setUps, retrieve } }
    return methodOf({ ...shop, billing }, userId, 'seti_own')
  }
  expect(await asked(own.id, {})).toBe('pm_own')
  for (const setUp of [{ state: 'open' }, { method: null }, { customer: 'cus_other' }, { customer: null }])
    await expect(asked(own.id, setUp)).rejects.toThrow('Payment method not valid')
  await expect(asked(stranger.id, {})).rejects.toThrow('Payment method not valid')
  await expect(asked(stranger.id, { customer: null })).rejects.toThrow('Payment method not valid')
})
