import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js'
import { expect, test, vi } from 'vitest'
import { confirmPayment } from './stripe.ts'

const card = {} as StripeCardNumberElement
const how = { returnUrl: 'https://murmur.example/payment-successful', card, name: ' Ada Novak ' }

function provider(status: string) {
  const stripe = {
    confirmCardPayment: vi.fn(async () => ({ paymentIntent: { status } })),
    confirmCardSetup: vi.fn(async () => ({ setupIntent: { status } })),
    confirmPayPalPayment: vi.fn(async () => ({})),
  }
  return { ...stripe, as: stripe as unknown as Stripe }
}

test('PAY-20: only an intent whose id begins with seti stores the card; any other is charged', async () => {
  const setup = provider('succeeded')
  expect(await confirmPayment(setup.as, { ...how, method: 'card', secret: 'seti_1_secret_2' })).toBe('done')
  const given = {
    payment_method: { card, billing_details: { name: 'Ada Novak' } },
    return_url: how.returnUrl,
  }
  expect(setup.confirmCardSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret_2', given)
  expect(setup.confirmCardPayment).not.toHaveBeenCalled()

  const payment = provider('processing')
  const secret = 'pi_1_secret_9seti_2'
  expect(await confirmPayment(payment.as, { ...how, method: 'card', secret })).toBe('done')
  expect(payment.confirmCardPayment).toHaveBeenCalledExactlyOnceWith(secret, given)
  expect(payment.confirmCardSetup).not.toHaveBeenCalled()
})

test('a card neither charged nor awaiting the bank has failed, as has one without Stripe', async () => {
  const secret = 'pi_1_secret_2'
  const open = provider('requires_payment_method')
  expect(await confirmPayment(open.as, { ...how, method: 'card', secret })).toBe('failed')
  expect(await confirmPayment(null, { ...how, method: 'card', secret })).toBe('failed')
})
