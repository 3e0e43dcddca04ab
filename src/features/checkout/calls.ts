import type { Checkout, PaymentOutcome, PaymentRefusal } from '#contract/checkout.ts'
import type { TokenPair } from '#contract/account.ts'
import { call } from '#net/call.ts'
import { settings } from '#net/settings.ts'
import { intentOf } from './pay.ts'
import type { NewAccount } from './purchase.ts'

/** What the page shows is sent along: a total that changed meanwhile is not charged (contract/checkout.ts). */
export const checkoutCart = (
  cartId: string,
  body: { couponCode: string | null; amount: number; waiver: boolean },
): Promise<Checkout> => call('POST /api/carts/{id}/checkout', { params: { id: cartId }, body })

export const registerAtTill = async (cartId: string, account: NewAccount): Promise<TokenPair> =>
  call('POST /api/carts/{id}/register', {
    params: { id: cartId },
    body: { ...account, terms: true, ...(await settings.device()) },
  })

/** What became of a payment; settles it where it is paid. Needs no log-in: the secret is the proof (ROLE-22). */
export const askPayment = (
  intent: string,
  secret: string,
): Promise<{ outcome: PaymentOutcome; order: string | null; refusal?: PaymentRefusal }> =>
  call('POST /api/payments/return', {
    body: { paymentIntent: intent, clientSecret: secret },
    background: true,
  })

export const outcomeOf = async (secret: string): Promise<PaymentOutcome> =>
  (await askPayment(intentOf(secret), secret)).outcome
