import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { causedBy } from '../../log/log-context.ts'
import { withDeadline } from './deadline.ts'
import { openLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { paymentSettings } from '../../settings/payment-settings.ts'
import { openProvider, type Provider } from './provider.ts'
import { PaymentsUnavailable } from './problems.ts'

/** Accepts connections and never answers, like a hanging provider. */
let frozen: Server
let provider: Provider
const lines: string[] = []
const metrics = new Metrics()

beforeAll(async () => {
  frozen = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => frozen.once('listening', resolve))
  const address = frozen.address()
  const settings = paymentSettings({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_JS_URL: 'http://127.0.0.1/v3/',
    STRIPE_API_BASE: `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`,
  })
  provider = openProvider(settings, {
    log: openLog('info', { write: (line) => void lines.push(line) }),
    metrics,
  })
})
afterAll(() => frozen.close())

test('a caller gets an error in time while the provider hangs, and the log names the provider', async () => {
  const waiting = (id: string, work: () => Promise<unknown>) =>
    causedBy({ request: id }, () => withDeadline({ answerBy: performance.now() + 200, isOver: false }, work))
  const startedAt = performance.now()
  await expect(
    waiting('buyer-one', () => provider.payments.createPayment({ amountMinor: 100, metadata: {} }, 'k')),
  ).rejects.toThrow(PaymentsUnavailable)
  await expect(
    waiting('buyer-two', async () => {
      for await (const invoice of provider.billing.invoices.list({ subscription: 'sub_1' })) return invoice
      return null
    }),
  ).rejects.toThrow(PaymentsUnavailable)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      fault: 'provider',
      provider: 'createPayment',
      outcome: 'unavailable',
      request: 'buyer-one',
    },
    { fault: 'provider', provider: 'invoices.list', request: 'buyer-two' },
  ])
  expect([...metrics.providerCalls.series].map(({ labels }) => labels)).toEqual([
    { call: 'createPayment', outcome: 'unavailable' },
    { call: 'invoices.list', outcome: 'unavailable' },
  ])
})
