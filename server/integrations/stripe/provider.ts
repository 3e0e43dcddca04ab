import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { type Instruments, openClient } from './client.ts'
import { openCustomers, openSetUps } from './customers.ts'
import { openEvents } from './events.ts'
import { openInvoices } from './invoices.ts'
import { openPayments } from './payments.ts'
import { openPrices, priceKeys } from './prices.ts'
import { openSubscriptions } from './subscriptions.ts'

/**
 * Without settings every call throws `NoProvider`. Any call may throw `PaymentsUnavailable`: whether it was carried
 * out is then unknown, and it is safe to repeat it with the same key. The same key with other parameters throws
 * `PaymentConflict`, an unknown id `NotAtProvider`.
 */
export function openProvider(settings: PaymentSettings | undefined, instruments?: Instruments) {
  const client = openClient(settings, instruments)
  const keys = priceKeys()
  return {
    payments: { ...openPayments(client, settings), ...openEvents(client, settings) },
    billing: {
      customers: openCustomers(client),
      prices: openPrices(client),
      setUps: openSetUps(client),
      subscriptions: openSubscriptions(client, keys),
      invoices: openInvoices(client, keys),
    },
  }
}

export type Provider = ReturnType<typeof openProvider>
export type Payments = Provider['payments']
export type Billing = Provider['billing']
