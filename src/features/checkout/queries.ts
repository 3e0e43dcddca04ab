import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TokenPair } from '#contract/account.ts'
import type { Checkout, PaymentOutcome, PaymentRefusal } from '#contract/checkout.ts'
import type { PaymentSettings } from '#contract/payments.ts'
import { call } from '#net/call.ts'
import { settings } from '#net/settings.ts'
import { shop } from '#features/shop-details/shop.ts'
import { useSession } from '#session/store.ts'
import { intentOf } from './pay.ts'
import type { NewAccount } from './purchase.ts'

/**
 * Sends the displayed total: if it has changed meanwhile, the server charges nothing (contract/checkout.ts).
 */
export const checkoutCart = (
  cartId: string,
  body: { couponCode: string | null; amount: number; waiver?: boolean; consent?: string; saveCard?: true },
): Promise<Checkout> => call('POST /api/carts/{id}/checkout', { params: { id: cartId }, body })

export const registerAtCheckout = async (cartId: string, account: NewAccount): Promise<TokenPair> =>
  call('POST /api/carts/{id}/register', {
    params: { id: cartId },
    body: { ...account, terms: true, ...(await settings.device()) },
  })

interface Answered {
  readonly outcome: PaymentOutcome
  readonly order: string | null
  readonly refusal?: PaymentRefusal
  readonly subscription?: string | null
  readonly trialUsed?: true
}

/**
 * Fetches the outcome of a payment; the server settles it if it is paid. Needs no log-in: the secret is the
 * proof (ROLE-22).
 */
export const askPayment = (intent: string, secret: string): Promise<Answered> =>
  intent.startsWith('seti_')
    ? askSetUp(intent, secret)
    : call('POST /api/payments/return', {
        body: { paymentIntent: intent, clientSecret: secret },
        background: true,
      })

/**
 * The outcome for a card or PayPal account that is only stored: nothing is charged, and there is no order.
 */
async function askSetUp(intent: string, secret: string) {
  const { outcome } = await call('POST /api/set_ups/return', {
    body: { setupIntent: intent, clientSecret: secret },
    background: true,
  })
  if (outcome === 'trial_used') return { outcome: 'paid' as const, order: null, trialUsed: true as const }
  return { outcome: outcome === 'done' ? ('paid' as const) : outcome, order: null }
}

export const isAddressKnown = async (email: string): Promise<boolean> =>
  (await call('POST /api/users/known', { body: { email }, anonymous: true, background: true })).known

/** Registration for a membership, which has no bag to move to the account (OP-43). */
export const registerSubscriber = async (account: NewAccount): Promise<TokenPair> =>
  call('POST /api/ecommerce-register', { body: { ...account, terms: true, ...(await settings.device()) } })

export const outcomeOf = async (secret: string): Promise<PaymentOutcome> =>
  (await askPayment(intentOf(secret), secret)).outcome

export const askPaymentSettings = (): Promise<PaymentSettings> =>
  call('GET /api/payment_settings', { anonymous: true, background: true })

export const paymentSettingsQuery = () =>
  queryOptions({
    queryKey: ['payment settings'],
    queryFn: askPaymentSettings,
    staleTime: 600_000,
    retry: false,
  })

/** True if the shop has no Stripe keys. Pages know it too, so that nothing moves once the settings are loaded. */
export function useNoPaymentsYet(): boolean {
  const { data } = useQuery(paymentSettingsQuery())
  return data ? data.publishableKey === null : shop().takesNoPayments === true
}

/** No money moves (docs/demo.md, Payments): the checkout says so. */
export const useTestPayments = (): boolean => useQuery(paymentSettingsQuery()).data?.test === true

/** The country codes that the shop sells to; undefined for all. */
export const useCountriesSold = (): readonly string[] | undefined =>
  useQuery(paymentSettingsQuery()).data?.sells?.to

/**
 * The device's country as the server sees it; undefined if it is unknown, or if the shop sells everywhere.
 */
export const useCountryHere = (): string | undefined =>
  useQuery(paymentSettingsQuery()).data?.sells?.from ?? undefined

/**
 * The name of the account's country, or else of the device's, if the shop does not sell there; otherwise, and
 * while loading, undefined.
 */
export function useUnsoldCountry(): string | undefined {
  const own = useSession(({ user }) => user?.countryCode)
  const sells = useQuery(paymentSettingsQuery()).data?.sells
  const code = sells && [own, sells.from].find((each) => each && !sells.to.includes(each))
  return code ? new Intl.DisplayNames('en-GB', { type: 'region' }).of(code) : undefined
}
