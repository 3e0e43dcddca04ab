import { BadSetting } from './bad-setting.ts'

export interface PaymentSettings {
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** True for live keys, which move real money. */
  readonly live: boolean
  /** Another service with Stripe's API; undefined for Stripe. */
  readonly apiBase: URL | undefined
  /** A script that defines `window.Stripe` instead of Stripe's; its origin also serves the frames. */
  readonly scriptUrl: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined without any key. @throws {BadSetting} if only some of the keys are set */
export function paymentSettings(env: Environment): PaymentSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env
  const webhookSecret = env.STRIPE_WEBHOOK_SECRET
  const given = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  }
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length === 3 && !env.STRIPE_API_BASE && !env.STRIPE_JS_URL) return undefined
  if (!secretKey || !publishableKey || !webhookSecret)
    throw new BadSetting(`Payments need three keys; ${missing.join(' and ')} must be set too.`)

  const live = modeOf('STRIPE_SECRET_KEY', secretKey, ['sk', 'rk'])
  if (live !== modeOf('STRIPE_PUBLISHABLE_KEY', publishableKey, ['pk']))
    throw new BadSetting(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys or both test keys.',
    )
  if (!webhookSecret.startsWith('whsec_'))
    throw new BadSetting(
      'STRIPE_WEBHOOK_SECRET must begin with whsec_: the signing secret of the webhook endpoint.',
    )

  const apiBase = urlSetting('STRIPE_API_BASE', env.STRIPE_API_BASE)
  const scriptUrl = urlSetting('STRIPE_JS_URL', env.STRIPE_JS_URL)
  if (live && (apiBase || scriptUrl))
    throw new BadSetting(
      'STRIPE_API_BASE and STRIPE_JS_URL are for test keys only: take them or the live keys away.',
    )
  // Otherwise the browser would tokenise cards at one provider and the server charge them at another.
  if (!apiBase !== !scriptUrl) throw new BadSetting('STRIPE_API_BASE and STRIPE_JS_URL must be set together.')
  return { secretKey, publishableKey, webhookSecret, live, apiBase, scriptUrl: scriptUrl?.href }
}

function modeOf(name: string, key: string, kinds: readonly string[]): boolean {
  const [, kind, mode] = /^(sk|rk|pk)_(live|test)_\w+$/.exec(key) ?? []
  // Never print the key itself: the message may be logged.
  if (!kind || !kinds.includes(kind))
    throw new BadSetting(
      `${name} must begin with ${kinds.map((each) => `${each}_live_ or ${each}_test_`).join(', ')}.`,
    )
  return mode === 'live'
}

function urlSetting(name: string, text: string | undefined): URL | undefined {
  if (!text) return undefined
  const url = URL.parse(text)
  const isSafe =
    url &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && /^(?:127\.|localhost$|\[::1\]$)/.test(url.hostname)))
  if (!isSafe) throw new BadSetting(`${name} must be an https address, or an http address of this machine.`)
  return url
}
