import { afterAll, beforeAll, expect, test } from 'vitest'
import { membershipSecrets, subscriptions } from '#server/db/schema/membership.ts'
import { aUser } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { NotAtProvider, PaymentConflict } from '#server/integrations/stripe/problems.ts'
import { insertCustomer, selectCustomer } from './billing-queries.ts'
import {
  attachMethod,
  ensureCustomer,
  findBySecret,
  methodOf,
  openSetUp,
  payAgain,
  payWith,
  returnFromMembershipPayment,
  storeSecret,
  syncSetUp,
} from './payment-methods.ts'
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

test('a payment method that the provider refuses is not valid; a provider that is down fails the call', async () => {
  const row = { id: 'unknown here', status: 'active', providerId: 'sub_own' } as SubscriptionRow & {
    readonly providerId: string
  }
  const fake = fakeBilling()
  const pay = (problem: Error) => {
    const subscriptions = { ...fake.subscriptions, payWith: () => Promise.reject(problem) }
    return payWith({ ...shop, billing: { ...fake, subscriptions } }, row, 'pm_own')
  }
  const { id: userId } = await aUser(shop)
  const attach = (problem: Error) => {
    const customers = { ...fake.customers, keep: () => Promise.reject(problem) }
    return attachMethod({ ...shop, billing: { ...fake, customers } }, userId, 'pm_own')
  }
  for (const use of [pay, attach]) {
    for (const problem of [new NotAtProvider('pm_own'), new PaymentConflict('attached elsewhere')])
      await expect(use(problem)).rejects.toThrow('Payment method not valid')
    await expect(use(new Error('The provider is down.'))).rejects.toThrow('The provider is down.')
  }
})

async function stored(more: Partial<SubscriptionRow>): Promise<{ id: string; userId: string }> {
  const { id: userId } = await aUser(shop)
  const own = { id: crypto.randomUUID(), joinKey: crypto.randomUUID(), userId }
  const { withdrawal: _generated, ...row } = aMembership({ ...own, ...more })
  await shop.db.insert(subscriptions).values(row)
  return own
}

test('a set-up pays once it is done, unless a newer one was done before', async () => {
  const { id, userId } = await stored({ providerId: 'sub_renewed', setUpId: 'seti_new' })
  await insertCustomer(shop.db, { userId, customerId: 'cus_renewed' })
  const states = new Map([['seti_old', 'done']])
  for (const setUpId of ['seti_old', 'seti_new']) await storeSecret(shop.db, id, `${setUpId}_secret_1`)
  const fake = fakeBilling()
  const paidWith: string[] = []
  const unknown = { id: 'sub_unknown_here', metadata: {} } as never
  const billing = {
    ...fake,
    setUps: {
      ...fake.setUps,
      retrieve: async (setUpId: string) =>
        ({
          ...{ id: setUpId, customer: 'cus_renewed', method: { id: `pm_of_${setUpId}` }, refusal: null },
          state: states.get(setUpId),
        }) as never,
    },
    invoices: { ...fake.invoices, async *list() {} },
    subscriptions: {
      ...fake.subscriptions,
      async payWith(_id: string, method: string) {
        paidWith.push(method)
        return unknown
      },
      retrieve: async () => unknown,
    },
  }
  const outcome = async (setUpId: string, stateOfNew: string) => {
    states.set('seti_new', stateOfNew)
    return (await syncSetUp({ ...shop, billing }, setUpId)).outcome
  }
  expect([await outcome('seti_new', 'pending'), await outcome('seti_old', 'pending')]).toEqual([
    'checking',
    'done',
  ])
  expect([await outcome('seti_new', 'done'), await outcome('seti_old', 'done')]).toEqual(['done', 'done'])
  expect(paidWith).toEqual(['pm_of_seti_old', 'pm_of_seti_new'])
})

test('paying again says whether the bank refused, still checks, or asks the buyer to confirm', async () => {
  const { id, userId } = await stored({ status: 'past_due', providerId: 'sub_unpaid' })
  const fake = fakeBilling()
  const again = async (payment: object | null) => {
    const invoice = { id: 'in_unpaid', state: 'open', payment: payment && 'pi_unpaid' }
    const invoices = {
      ...fake.invoices,
      async *list() {
        yield* [invoice as never]
      },
      pay: () => Promise.reject(new PaymentConflict('declined')),
      retrieve: async () => ({ ...invoice, clientSecret: 'pi_unpaid_secret_1' }) as never,
    }
    const retrieve = async () => ({ id: 'sub_unknown_here', metadata: {} }) as never
    const billing = { ...fake, invoices, subscriptions: { ...fake.subscriptions, retrieve } }
    const payments = { ...shop.payments, retrievePayment: async () => payment as never }
    return (await payAgain({ ...shop, billing, payments }, userId, id)).outcome
  }
  const declined = { state: 'open', refusal: { code: 'generic_decline' } }
  expect([await again(null), await again(declined)]).toEqual(['refused', 'refused'])
  expect(await again({ state: 'pending', refusal: null })).toBe('checking')
  expect(await again({ state: 'open', refusal: null })).toBe('authenticate')
})

test('a buyer who comes back from a payment that is no invoice’s by now still learns its state', async () => {
  const { id } = await stored({ providerId: 'sub_came_back' })
  await storeSecret(shop.db, id, 'pi_back_secret_1')
  const fake = fakeBilling()
  const billing = { ...fake, invoices: { ...fake.invoices, paidBy: async () => null } }
  const payments = { ...shop.payments, retrievePayment: async (of: string) => ({ id: of }) as never }
  const intent = { intentId: 'pi_back', clientSecret: 'pi_back_secret_1' }
  const found = await returnFromMembershipPayment({ ...shop, billing, payments }, intent)
  expect(found).toMatchObject({ payment: { id: 'pi_back' }, subscriptionId: id })
})

test('only a membership that the provider renews gets a set-up', async () => {
  for (const more of [{ status: 'incomplete', providerId: 'sub_waits' }, { providerId: null }] as const) {
    const { userId } = await stored(more)
    await expect(openSetUp({ ...shop, billing: fakeBilling() }, userId)).rejects.toThrow(
      'There’s no membership to pay for.',
    )
  }
})

test('an open set-up is used again; each one that was completed is followed by a new one', async () => {
  const { userId } = await stored({ providerId: 'sub_set_ups' })
  const fake = fakeBilling()
  const created = new Map<string, string>()
  let state = 'done'
  const setUps = {
    ...fake.setUps,
    // Like the provider's: the same key returns the same set-up.
    async create(_of: unknown, key: string) {
      const id = created.get(key) ?? `seti_${created.size + 1}`
      created.set(key, id)
      return { id, clientSecret: `${id}_secret_1` } as never
    },
    retrieve: async (id: string) => ({ id, state }) as never,
  }
  const open = async () => (await openSetUp({ ...shop, billing: { ...fake, setUps } }, userId)).setUp.id
  expect([await open(), await open(), await open()]).toEqual(['seti_1', 'seti_2', 'seti_3'])
  for (state of ['open', 'pending']) expect(await open()).toBe('seti_3')
  state = 'cancelled'
  expect(await open()).toBe('seti_4')
})

test('an account has one customer, the first that was stored', async () => {
  const user = await aUser(shop)
  const fake = fakeBilling()
  const create = async () => {
    await insertCustomer(shop.db, { userId: user.id, customerId: 'cus_of_another_server' })
    return 'cus_of_this_server'
  }
  const at = { ...shop, billing: { ...fake, customers: { ...fake.customers, create } } }
  expect(await ensureCustomer(at, user.id)).toBe('cus_of_another_server')
  expect(await selectCustomer(shop.db, user.id)).toBe('cus_of_another_server')
})
