import { afterAll, beforeAll, expect, test } from 'vitest'
import { membershipSecrets, subscriptions } from '#server/db/schema/membership.ts'
import { aUser } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { PaymentConflict } from '#server/integrations/stripe/problems.ts'
import { insertCustomer } from './billing-queries.ts'
import { findBySecret, methodOf, payWith, storeSecret } from './payment-methods.ts'
import type { SubscriptionRow } from './queries.ts'

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

test('an open invoice that the new payment method can’t pay stays open; a provider that is down fails the call', async () => {
  const fake = fakeBilling()
  const row = { id: 'unknown here', status: 'past_due', providerId: 'sub_own' } as SubscriptionRow & {
    readonly providerId: string
  }
  const subscription = { id: 'sub_own', metadata: {} } as never
  const tried: string[] = []
  const pay = (problem: Error) => {
    const subscriptions = {
      ...fake.subscriptions,
      payWith: async () => subscription,
      retrieve: async () => subscription,
    }
    const invoices = {
      ...fake.invoices,
      async *list() {
        yield* [{ id: 'in_paid', state: 'paid' } as never, { id: 'in_open', state: 'open' } as never]
      },
      async pay(id: string) {
        tried.push(id)
        throw problem
      },
    }
    return payWith({ ...shop, billing: { ...fake, subscriptions, invoices } }, row, 'pm_own')
  }
  expect(await pay(new PaymentConflict('declined'))).toBe(row)
  await expect(pay(new Error('The provider is down.'))).rejects.toThrow('The provider is down.')
  expect(tried).toEqual(['in_open', 'in_open'])
})

test('a payment is found by its secret only, also if the previous release stored the secret itself', async () => {
  const user = await aUser(shop)
  const { withdrawal: _generated, ...row } = aMembership({ id: crypto.randomUUID(), userId: user.id })
  await shop.db.insert(subscriptions).values(row)
  await storeSecret(shop.db, row.id, 'pi_now_secret_1')
  await shop.db
    .insert(membershipSecrets)
    .values({ id: 'pi_before', clientSecret: 'pi_before_secret_1', subscriptionId: row.id })
  for (const id of ['pi_now', 'pi_before']) {
    expect(await findBySecret(shop.db, id, `${id}_secret_1`)).toMatchObject({ id, userId: user.id })
    expect(await findBySecret(shop.db, id, `${id}_secret_2`)).toBeUndefined()
  }
  expect(await findBySecret(shop.db, 'pi_unknown', 'pi_unknown_secret_1')).toBeUndefined()
})
