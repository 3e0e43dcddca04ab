import type { PaymentSettings } from '../settings/payment-settings.ts'
import type { LetIn } from '../http/security-headers.ts'

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

/** Apple Pay and Google Pay open from the provider's frames, which need the permission, too. */
export const paymentPermissions = ({ frames }: LetIn): string =>
  `camera=(), geolocation=(), microphone=(), payment=(self ${frames
    .split(' ')
    .map((origin) => `"${origin}"`)
    .join(' ')})`

/** A document opened elsewhere keeps its stricter policy (src/features/checkout/stripe-js.ts). */
export const markPaying = (html: string): string =>
  html.replace('</head>', '<meta name="payments" content="allowed" /></head>')

/** Cards are scanned on this page; only its document may ask for the camera. */
const COUNTER = /^\/activation\/?$/

export const isScannerPage = (path: string): boolean => COUNTER.test(path)

/** Browsers without a barcode reader use a WebAssembly library (src/features/outlets/scanner.ts). */
export const LET_IN_SCANNER: LetIn = { scripts: "'wasm-unsafe-eval'", frames: '', calls: '' }

export const CAMERA_POLICY = 'camera=(self), geolocation=(), microphone=(), payment=()'

export const markScannerPage = (html: string): string =>
  html.replace('</head>', '<meta name="camera" content="allowed" /></head>')
