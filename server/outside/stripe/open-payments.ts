import { openClient } from './client.ts'
import { noPayments, type Payments } from './payments.ts'
import type { PaymentSettings } from './settings.ts'
import { stripePayments } from './stripe-payments.ts'

/** The shop's payment provider; without keys one that takes no payments. */
export const openPayments = (settings: PaymentSettings | undefined): Payments =>
  settings ? stripePayments(settings, openClient(settings)) : noPayments
