import { type Billing, noBilling } from './billing.ts'
import { openClient } from './client.ts'
import { noPayments, type Payments } from './payments.ts'
import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { stripeCustomers } from './stripe-customers.ts'
import { stripeInvoices } from './stripe-invoices.ts'
import { stripePayments } from './stripe-payments.ts'
import { priceKeys, stripePrices } from './stripe-prices.ts'
import { stripeSetUps } from './stripe-set-ups.ts'
import { stripeSubscriptions } from './stripe-subscriptions.ts'

export interface Provider {
  readonly payments: Payments
  readonly billing: Billing
}

/** The shop's payment provider; without keys one that takes no payments. */
export function openProvider(settings: PaymentSettings | undefined): Provider {
  if (!settings) return { payments: noPayments, billing: noBilling }
  const client = openClient(settings)
  const keys = priceKeys()
  return {
    payments: stripePayments(settings, client),
    billing: {
      customers: stripeCustomers(client),
      prices: stripePrices(client),
      setUps: stripeSetUps(client),
      subscriptions: stripeSubscriptions(client, keys),
      invoices: stripeInvoices(client, keys),
    },
  }
}
