import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { paymentSettings } from './payment-settings.ts'

const test_ = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const live = { ...test_, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
const elsewhere = {
  STRIPE_API_BASE: 'http://127.0.0.1:4120',
  STRIPE_JS_URL: 'http://localhost:4120/stripe.js',
}

test('a shop without keys takes no payments; one with all three does', () => {
  expect(paymentSettings({})).toBeUndefined()
  // Its pages know it.
  expect(readConfig({ DEMO: '1' }).details.ofPages.takesNoPayments).toBe(true)
  expect(readConfig({ ...test_, DEMO: '1' }).details.ofPages.takesNoPayments).toBeUndefined()
  expect(paymentSettings(test_)).toMatchObject({ live: false, apiBase: undefined, scriptUrl: undefined })
  expect(paymentSettings(live)).toMatchObject({ live: true })
  expect(paymentSettings({ ...test_, ...elsewhere })).toMatchObject({
    live: false,
    apiBase: new URL('http://127.0.0.1:4120'),
    scriptUrl: 'http://localhost:4120/stripe.js',
  })
})

test.each([
  ['live keys with another provider’s address', { ...live, STRIPE_API_BASE: elsewhere.STRIPE_API_BASE }],
  ['live keys with another provider’s script', { ...live, STRIPE_JS_URL: elsewhere.STRIPE_JS_URL }],
  ['a restricted live key likewise', { ...live, ...elsewhere, STRIPE_SECRET_KEY: 'rk_live_1' }],
  ['a live and a test key', { ...test_, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }],
  ['a publishable key in the place of the secret one', { ...test_, STRIPE_SECRET_KEY: 'pk_test_1' }],
  ['a secret key in the place of the publishable one', { ...test_, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }],
  ['half a set', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  ['addresses without keys', elsewhere],
  ['a script of one and an API of another', { ...test_, STRIPE_JS_URL: elsewhere.STRIPE_JS_URL }],
  ['keys in clear over the network', { ...test_, ...elsewhere, STRIPE_API_BASE: 'http://10.0.0.1' }],
])('%s is refused, and the message names no key', (_, env) => {
  expect(() => paymentSettings(env)).toThrow(/STRIPE_/)
  expect(() => paymentSettings(env)).not.toThrow(/_1\b/)
})
