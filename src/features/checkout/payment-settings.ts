import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PaymentSettings } from '#contract/payments.ts'
import { call } from '#net/call.ts'
import { useSession } from '#session/store.ts'

export const askPaymentSettings = (): Promise<PaymentSettings> =>
  call('GET /api/payment_settings', { anonymous: true, background: true })

export const paymentSettingsQuery = () =>
  queryOptions({
    queryKey: ['payment settings'],
    queryFn: askPaymentSettings,
    staleTime: 600_000,
    retry: false,
  })

/** The shop's owner has set no keys of a provider. While nobody knows, the shop counts as any other. */
export const useNoPaymentsYet = (): boolean => useQuery(paymentSettingsQuery()).data?.publishableKey === null

/** No money moves (docs/demo.md, Payments): the checkout says so. */
export const useTestPayments = (): boolean => useQuery(paymentSettingsQuery()).data?.test === true

/** The countries that can be chosen where somebody buys; undefined for all of them. */
export const useCountriesSold = (): readonly string[] | undefined =>
  useQuery(paymentSettingsQuery()).data?.sells?.to

/** The device's country as the server sees it; undefined if it is unknown, or if the shop sells everywhere. */
export const useCountryHere = (): string | undefined =>
  useQuery(paymentSettingsQuery()).data?.sells?.from ?? undefined

/**
 * The name of a country that the shop does not sell to, where it is the account's or the one that its owner is in. Undefined for
 * everybody else, and while nobody knows.
 */
export function useUnsoldCountry(): string | undefined {
  const own = useSession(({ user }) => user?.countryCode)
  const sells = useQuery(paymentSettingsQuery()).data?.sells
  const code = sells && [own, sells.from].find((each) => each && !sells.to.includes(each))
  return code ? new Intl.DisplayNames('en-GB', { type: 'region' }).of(code) : undefined
}
