import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PaymentSettings } from '#contract/payments.ts'
import { call } from '#net/call.ts'

export const askPaymentSettings = (): Promise<PaymentSettings> =>
  call('GET /api/payment_settings', { anonymous: true, background: true })

const paymentSettingsQuery = () =>
  queryOptions({
    queryKey: ['payment settings'],
    queryFn: askPaymentSettings,
    staleTime: 600_000,
    retry: false,
  })

/** The shop's owner has set no keys of a provider. While nobody knows, the shop counts as any other. */
export const useNoPaymentsYet = (): boolean => useQuery(paymentSettingsQuery()).data?.publishableKey === null
