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
import { type Watch, watched } from './instrumented.ts'

export interface Provider {
  readonly payments: Payments
  readonly billing: Billing
}

export function openProvider(settings: PaymentSettings | undefined, watch: Watch): Provider {
  if (!settings) return { payments: noPayments, billing: noBilling }
  const client = openClient(settings)
  const keys = priceKeys()
  return {
    payments: watched(stripePayments(settings, client), watch),
    billing: {
      customers: watched(stripeCustomers(client), watch, 'customers.'),
      prices: watched(stripePrices(client), watch, 'prices.'),
      setUps: watched(stripeSetUps(client), watch, 'setUps.'),
      subscriptions: watched(stripeSubscriptions(client, keys), watch, 'subscriptions.'),
      invoices: watched(stripeInvoices(client, keys), watch, 'invoices.'),
    },
  }
}
