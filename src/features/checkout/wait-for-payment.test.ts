import { beforeEach, expect, test, vi } from 'vitest'
import type { PaymentOutcome } from '#contract/checkout.ts'
import type { Order, OrderMember } from '#contract/orders.ts'
import { askNewestOrders, askOrder } from '#features/orders/queries.ts'
import { askPayment } from './queries.ts'
import { askOnce, ORDER_TIMEOUT_MS, type Waiting } from './wait-for-payment.ts'

vi.mock('./queries.ts', () => ({ askPayment: vi.fn() }))
vi.mock('#features/orders/queries.ts', () => ({ askNewestOrders: vi.fn(), askOrder: vi.fn() }))

const order = { uuid: 'o1', status: 'paid', createdAt: new Date().toISOString() } as Order
const waiting: Waiting = {
  order: undefined,
  secret: undefined,
  redirected: false,
  hint: undefined,
  signedIn: true,
}
const payPal: Waiting = { ...waiting, secret: 'pi_1_secret_2', redirected: true }

const becomes = (outcome: PaymentOutcome) => vi.mocked(askPayment).mockResolvedValue({ outcome, order: null })
const newestAre = (...orders: Order[]) =>
  vi.mocked(askNewestOrders).mockResolvedValue({
    'hydra:member': orders as unknown as OrderMember[],
  } as Awaited<ReturnType<typeof askNewestOrders>>)
const offline = async () => Promise.reject(new Error('offline'))

beforeEach(() => {
  vi.resetAllMocks()
  vi.mocked(askPayment).mockResolvedValue({ outcome: 'paid', order: 'o1' })
  vi.mocked(askOrder).mockResolvedValue(order)
  newestAre()
})

test('shows the order as soon as the server reports it as paid, and not before', async () => {
  expect(await askOnce({ ...waiting, order: 'o1' })).toEqual({ is: 'order', order })
  vi.mocked(askOrder).mockResolvedValueOnce({ ...order, status: 'awaiting_payment' })
  expect(await askOnce({ ...waiting, order: 'o1' })).toBeUndefined()
  expect(await askOnce({ ...waiting, secret: 'pi_1_secret_2' })).toEqual({ is: 'order', order })
  expect(askPayment).toHaveBeenLastCalledWith('pi_1', 'pi_1_secret_2')
})

test('without a payment or an order id, finds the order that was just paid', async () => {
  expect(await askOnce(waiting)).toBeUndefined()
  newestAre(order)
  expect(await askOnce(waiting)).toEqual({ is: 'order', order })
})

test('trap 26: ignores `failed` in the URL if Stripe says paid', async () => {
  expect(await askOnce({ ...payPal, hint: 'failed' })).toEqual({ is: 'order', order })
  becomes('open')
  expect(await askOnce({ ...payPal, hint: 'failed' })).toEqual({ is: 'paypal-problem' })
  expect(await askOnce({ ...payPal, hint: 'succeeded' })).toBeUndefined()
})

test('a visitor sees that it was paid, and nothing of the order', async () => {
  expect(await askOnce({ ...payPal, signedIn: false })).toEqual({ is: 'paid' })
  expect(askOrder).not.toHaveBeenCalled()
})

test('an unreachable server is no outcome: the page asks again', async () => {
  vi.mocked(askPayment).mockImplementation(offline)
  vi.mocked(askOrder).mockImplementation(offline)
  expect(await askOnce(payPal)).toBeUndefined()
  expect(await askOnce({ ...waiting, order: 'o1' })).toBeUndefined()
})

test('if the payment’s outcome can’t be fetched, the order is fetched instead', async () => {
  vi.mocked(askPayment).mockImplementation(offline)
  const silent = { ...waiting, order: 'o1', secret: 'pi_1_secret_2' }
  expect(await askOnce(silent)).toEqual({ is: 'order', order })
  expect(await askOnce({ ...silent, order: undefined })).toBeUndefined()
})

test('a refused card leads on; a payment that the bank is still checking is waited for', async () => {
  const say = (outcome: PaymentOutcome) => {
    becomes(outcome)
    return askOnce({ ...waiting, secret: 'pi_1_secret_2' })
  }
  expect(await say('refused')).toEqual({ is: 'refused' })
  expect(await say('cancelled')).toEqual({ is: 'refused' })
  expect(await say('checking')).toBeUndefined()
  expect(ORDER_TIMEOUT_MS).toBe(30_000)
})
