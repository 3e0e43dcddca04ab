import { expect, test } from 'vitest'
import { isDemo } from './demo-mode.ts'

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

test.each<Record<string, string>>([
  {},
  { PORT: '8080' },
  { HOST: '' },
  { HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' },
  { HOST: '127.0.0.2', PUBLIC_URL: 'http://127.0.0.2:3000/' },
  { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' },
  { DATABASE_URL: '', SMTP_URL: '', TRUSTED_PROXIES: '', PUBLIC_URL: '', DEMO: '' },
  { NODE_ENV: 'test' },
  { DEMO: '1', PUBLIC_URL: 'https://shop.example' },
  { DEMO: '1', HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1', NODE_ENV: 'production', ...STRIPE },
])('%j is the demo', (env) => expect(isDemo(env)).toBe(true))

test.each<Record<string, string>>([
  { DEMO: '0' },
  { DEMO: 'yes' },
  { PUBLIC_URL: 'https://shop.example' },
  { PUBLIC_URL: 'http://192.168.1.20:3000' },
  { PUBLIC_URL: 'https://127.0.0.1.shop.example' },
  { PUBLIC_URL: 'https://localhost@shop.example' },
  { PUBLIC_URL: 'shop.example' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.20' },
  { HOST: 'localhost.shop.example' },
  { TRUSTED_PROXIES: '127.0.0.1' },
  { DATABASE_URL: 'postgres://db/shop' },
  { SMTP_URL: 'smtp://mail.example' },
  { MEDIA_S3_URL: 'https://k:s@s3.example/media' },
  { NODE_ENV: 'production' },
  { STRIPE_SECRET_KEY: STRIPE.STRIPE_SECRET_KEY },
  { STRIPE_PUBLISHABLE_KEY: STRIPE.STRIPE_PUBLISHABLE_KEY },
  { STRIPE_WEBHOOK_SECRET: STRIPE.STRIPE_WEBHOOK_SECRET },
])('%j is a real shop, never automatically the demo', (env) => expect(isDemo(env)).toBe(false))
