import { expect, test, vi } from 'vitest'
import type { Order, OrderMember } from '#contract/orders.ts'
import { askOnce, ORDER_TIMEOUT_MS, type ConfirmationDeps, type Waiting } from './confirmation.ts'

const order = { uuid: 'o1', status: 'paid' } as Order
const waiting: Waiting = {
  order: undefined,
  secret: undefined,
  redirected: false,
  hint: undefined,
  signedIn: true,
}
const doors = (change: Partial<ConfirmationDeps> = {}): ConfirmationDeps => ({
  outcome: async () => ({ outcome: 'paid', order: 'o1' }),
  order: async () => order,
  newest: async () => undefined,
  isPaid: ({ status }) => status === 'paid',
  ...change,
})
const payPal: Waiting = { ...waiting, secret: 'pi_1_secret_2', redirected: true }

test('the order is shown as soon as the server says that it is paid, and not before', async () => {
  expect(await askOnce({ ...waiting, order: 'o1' }, doors())).toEqual({ is: 'order', order })
  const open = doors({ order: async () => ({ ...order, status: 'awaiting_payment' }) })
  expect(await askOnce({ ...waiting, order: 'o1' }, open)).toBeUndefined()
  expect(await askOnce({ ...waiting, secret: 'pi_1_secret_2' }, doors())).toEqual({ is: 'order', order })
})

test('a page that was told nothing finds the order that was paid just now', async () => {
  expect(await askOnce(waiting, doors())).toBeUndefined()
  const newest = order as unknown as OrderMember
  expect(await askOnce(waiting, doors({ newest: async () => newest }))).toEqual({
    is: 'order',
    order: newest,
  })
})

test('trap 26: an address that says failed is not believed where the provider says paid', async () => {
  expect(await askOnce({ ...payPal, hint: 'failed' }, doors())).toEqual({ is: 'order', order })
  const open = doors({ outcome: async () => ({ outcome: 'open', order: null }) })
  expect(await askOnce({ ...payPal, hint: 'failed' }, open)).toEqual({ is: 'paypal-problem' })
  expect(await askOnce({ ...payPal, hint: 'succeeded' }, open)).toBeUndefined()
})

test('somebody who is not logged in is told that it was paid, and nothing of the order', async () => {
  const asked = vi.fn(async () => order)
  const there = doors({ order: asked })
  expect(await askOnce({ ...payPal, signedIn: false }, there)).toEqual({ is: 'paid' })
  expect(asked).not.toHaveBeenCalled()
})

test('nobody who can be asked now is no answer: it is asked again', async () => {
  const broken = doors({
    outcome: async () => Promise.reject(new Error('offline')),
    order: async () => Promise.reject(new Error('offline')),
  })
  expect(await askOnce(payPal, broken)).toBeUndefined()
  expect(await askOnce({ ...waiting, order: 'o1' }, broken)).toBeUndefined()
})

test('where the payment cannot be asked about, its order is asked for', async () => {
  const silent = doors({ outcome: async () => Promise.reject(new Error('offline')) })
  const till = { ...waiting, order: 'o1', secret: 'pi_1_secret_2' }
  expect(await askOnce(till, silent)).toEqual({ is: 'order', order })
  expect(await askOnce({ ...till, order: undefined }, silent)).toBeUndefined()
})

test('a refused card leads on, one that the bank still looks at is waited for', async () => {
  const say = (outcome: 'refused' | 'checking' | 'cancelled') =>
    askOnce(
      { ...waiting, secret: 'pi_1_secret_2' },
      doors({ outcome: async () => ({ outcome, order: null }) }),
    )
  expect(await say('refused')).toEqual({ is: 'refused' })
  expect(await say('cancelled')).toEqual({ is: 'refused' })
  expect(await say('checking')).toBeUndefined()
  expect(ORDER_TIMEOUT_MS).toBe(30_000)
})
