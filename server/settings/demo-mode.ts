import { isIP } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that only somebody's business has; each of them turns the demo off by itself. */
const BUSINESS = [
  'DATABASE_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'MEDIA_S3_URL',
  'TRUSTED_PROXIES',
] as const

/**
 * The demo's mail opens every account, so it is on by itself only where nobody else can be meant (README.md,
 * Settings). Anywhere else it has to be said: `DEMO=1`.
 */
export function isDemo(env: Environment): boolean {
  if (env.DEMO) return env.DEMO === '1'
  return (
    BUSINESS.every((name) => !env[name]) &&
    env.NODE_ENV !== 'production' &&
    isLoopback(env.HOST || '127.0.0.1') &&
    (!env.PUBLIC_URL || isLoopback(URL.parse(env.PUBLIC_URL)?.hostname ?? ''))
  )
}

/** True for this machine's own names and addresses; an IPv6 address may stand in brackets. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
