import type { PaymentSettings } from '../settings/payment-settings.ts'
import type { LetIn } from '../http/content-security-policy.ts'

/** The pages on which a card is typed: they, and no others, let the payment provider in (decision 8). */
const PAYING = /^\/(?:payment|free-trial)(?:\/|$)/

export const isPayingPage = (path: string): boolean => PAYING.test(path)

/** Stripe's own list (docs.stripe.com/security/guide), or the one origin that stands in for all of them. */
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
 * Tells the page's own code that this document lets the payment provider in. A document opened elsewhere in the shop
 * keeps its stricter policy wherever the visitor goes next (src/features/checkout/stripe-js.ts).
 */
export const markPaying = (html: string): string =>
  html.replace('</head>', '<meta name="payments" content="allowed" /></head>')
