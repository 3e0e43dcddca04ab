import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Billing, openProvider, type Payments } from '#server/integrations/stripe/provider.ts'
import { WEBHOOK_PATH } from '#server/integrations/stripe/events.ts'
import { paymentSettings } from '#server/settings/payment-settings.ts'
import { sandboxEnvironment, startSandbox } from '../../tools/sandbox.ts'

type Fields = Readonly<Record<string, string>>
type Answer = Record<string, unknown>

/** The payment sandbox in its own process, with a buyer's browser. */
export interface TestSandbox {
  /** The environment variables that connect a shop to this sandbox. */
  readonly env: Record<string, string>
  readonly payments: Payments
  readonly billing: Billing
  readonly origin: string
  /** The buyer pays with a test card number; 3-D Secure and PayPal then wait for `decide`. */
  confirm(payment: Confirmable, card?: string): Promise<Answer>
  /** The buyer approves in a wallet's sheet. */
  confirmByWallet(payment: Confirmable, wallet: 'applepay' | 'googlepay' | 'link'): Promise<Answer>
  /** The buyer's browser continues a payment that the server has confirmed with a stored card. */
  resume(payment: Confirmable): Promise<Answer>
  confirmPayPal(payment: Confirmable, returnUrl: string): Promise<Answer>
  confirmSetUp(setUp: Confirmable, card?: string): Promise<Answer>
  confirmSetUpPayPal(setUp: Confirmable, returnUrl: string): Promise<Answer>
  /** The buyer's decision in the bank's dialog or at PayPal; returns the URL they are redirected to, if any. */
  decide(confirmed: Answer, decision: 'approve' | 'refuse'): Promise<string | undefined>
  /** Controls the sandbox: `control('webhooks', { hold: 'true' })` (sandbox/control.ts). */
  control(path: string, fields?: Fields): Promise<Answer>
  /** Sends events to this shop from now on. */
  tell(shopUrl: string): Promise<void>
  kill(): Promise<void>
  /** Restarts at the same address with the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

interface Confirmable {
  readonly id: string
  readonly clientSecret: string
}

/** How long a card is valid, counted from the sandbox's time. */
const CARD_YEARS = 9

const cardFields = (now: Date, number = '4242424242424242'): Fields => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': String(now.getFullYear() + CARD_YEARS),
  'payment_method_data[card][cvc]': '123',
})

const payPalFields = (returnUrl: string): Fields => ({
  'payment_method_data[type]': 'paypal',
  return_url: returnUrl,
})

export async function testSandbox(): Promise<TestSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-sandbox-'))
  let { child, ...address } = await startSandbox({ folder })
  const env = sandboxEnvironment(address)
  let now = new Date()

  const post = async (key: string, path: string, fields: Fields): Promise<Answer> => {
    const response = await fetch(address.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams(fields),
    })
    return (await response.json()) as Answer
  }
  const confirm = (kind: 'payment' | 'setup', { id, clientSecret }: Confirmable, fields: Fields) =>
    post(address.keys.publishable, `/v1/${kind}_intents/${id}/confirm`, {
      client_secret: clientSecret,
      ...fields,
    })
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  return {
    env,
    origin: address.origin,
    ...openProvider(paymentSettings(env)),
    confirm: (payment, card) => confirm('payment', payment, cardFields(now, card)),
    confirmByWallet: (payment, wallet) =>
      confirm('payment', payment, {
        'payment_method_data[type]': 'card',
        'payment_method_data[card][token]': `tok_${wallet}_visa`,
      }),
    resume: (payment) => confirm('payment', payment, { use_stripe_sdk: 'true' }),
    confirmPayPal: (payment, returnUrl) => confirm('payment', payment, payPalFields(returnUrl)),
    confirmSetUp: (setUp, card) => confirm('setup', setUp, cardFields(now, card)),
    confirmSetUpPayPal: (setUp, returnUrl) => confirm('setup', setUp, payPalFields(returnUrl)),
    async decide(confirmed, decision) {
      const action = confirmed.next_action as {
        redirect_to_url?: { url: string }
        use_stripe_sdk?: { stripe_js: string }
      }
      const page = action.redirect_to_url?.url ?? action.use_stripe_sdk!.stripe_js
      const answer = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ decision }),
        redirect: 'manual',
      })
      return answer.headers.get('location') ?? undefined
    },
    async control(path, fields = {}) {
      const answer = await post(address.keys.secret, `/_sandbox/${path}`, fields)
      if (path === 'clock') now = new Date(Number(answer.now) * 1000)
      return answer
    },
    async tell(shopUrl) {
      await post(address.keys.secret, '/_sandbox/webhooks', { url: shopUrl + WEBHOOK_PATH })
    },
    kill: () => stop('SIGKILL'),
    async start() {
      ;({ child, ...address } = await startSandbox({ folder }))
    },
    async close() {
      await stop('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
