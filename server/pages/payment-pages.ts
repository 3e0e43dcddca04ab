import type { PaymentSettings } from '../settings/payment-settings.ts'
import type { LetIn } from '../http/content-security-policy.ts'

/** Pages with a payment form. Only they allow the payment provider (decision 8). */
const PAYING = /^\/(?:payment|free-trial)(?:\/|$)/

export const isPayingPage = (path: string): boolean => PAYING.test(path)

/** Stripe's own list (docs.stripe.com/security/guide). A substitute's single origin replaces all of it. */
const STRIPE: LetIn = {
  scripts: 'https://js.stripe.com https://*.js.stripe.com',
  frames: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  calls: 'https://api.stripe.com',
}

export function allowProvider(payments: PaymentSettings | undefined): LetIn | undefined {
  if (!payments) return undefined
  if (!payments.scriptUrl) return STRIPE
  const { origin } = new URL(payments.scriptUrl)
  return { scripts: origin, frames: origin, calls: origin }
}

/**
 * Tells the page's code that this document allows the payment provider. A document opened elsewhere keeps its stricter
 * policy while the visitor navigates in the app (src/features/checkout/stripe-js.ts).
 */
export const markPaying = (html: string): string =>
  html.replace('</head>', '<meta name="payments" content="allowed" /></head>')
