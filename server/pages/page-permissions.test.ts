import { expect, test } from 'vitest'
import { paymentSettings } from '../settings/payment-settings.ts'
import {
  isPayingPage,
  allowProvider,
  markPaying,
  paymentPermissions,
  CAMERA_POLICY,
  isScannerPage,
  LET_IN_SCANNER,
  markScannerPage,
} from './page-permissions.ts'
import { pagePolicy } from '../http/security-headers.ts'

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const policy = (env: Record<string, string>) => {
  const letIn = allowProvider(paymentSettings(env))
  return pagePolicy({ scripts: [], styles: [], development: false, ...(letIn ? { letIn } : {}) })
}
const directive = (name: string, env: Record<string, string>) =>
  policy(env)
    .split('; ')
    .find((each) => each.startsWith(`${name} `))

test('the payment page allows either Stripe or its substitute, never both', () => {
  expect(directive('script-src', keys)).toContain(' https://js.stripe.com')
  expect(directive('connect-src', keys)).toContain(' https://api.stripe.com')
  expect(directive('frame-src', keys)).toContain(' https://hooks.stripe.com')
  const sandbox = {
    ...keys,
    STRIPE_API_BASE: 'http://127.0.0.1:4120',
    STRIPE_JS_URL: 'http://127.0.0.1:4120/stripe.js',
  }
  for (const name of ['script-src', 'frame-src', 'connect-src'])
    expect(directive(name, sandbox)).toMatch(/ http:\/\/127\.0\.0\.1:4120( |$)/)
  expect(policy(sandbox)).not.toContain('stripe.com')
})

test('paying: wallets may open from the provider’s frames on the payment page', () => {
  const stripe = allowProvider(paymentSettings(keys))!
  expect(paymentPermissions(stripe)).toContain('payment=(self "https://js.stripe.com"')
})

test('no provider is allowed without keys, or on any other page', () => {
  expect(policy({})).not.toMatch(/stripe|127\.0\.0\.1/)
  expect(['/payment', '/payment/'].every(isPayingPage)).toBe(true)
  expect(
    ['/', '/payment-successful', '/payment-problem', '/shopping-bag', '/info/payment'].some(isPayingPage),
  ).toBe(false)
})

test('a document that allows the provider is marked for its own code', () => {
  expect(markPaying('<head><title>x</title></head>')).toContain('<meta name="payments"')
})

const pagePolicyWith = (more: object = {}) =>
  pagePolicy({ scripts: [], styles: [], development: false, ...more })

test('the camera is allowed on the page where cards are scanned, and on no other', () => {
  expect(['/activation', '/activation/'].every(isScannerPage)).toBe(true)
  expect(['/', '/reseller', '/redemption', '/activation/more', '/library'].some(isScannerPage)).toBe(false)
  expect(CAMERA_POLICY).toContain('camera=(self)')
  expect(CAMERA_POLICY).toContain('microphone=()')
})

test('the barcode library’s WebAssembly may run there, and nothing else that a policy forbids', () => {
  expect(pagePolicyWith({ letIn: LET_IN_SCANNER })).toContain("'wasm-unsafe-eval'")
  expect(pagePolicyWith({ letIn: LET_IN_SCANNER })).not.toContain("'unsafe-eval'")
  expect(pagePolicyWith()).not.toContain('wasm-unsafe-eval')
})

test('the scanner’s document is marked for its own code', () => {
  expect(markScannerPage('<head><title>x</title></head>')).toContain('<meta name="camera"')
})
