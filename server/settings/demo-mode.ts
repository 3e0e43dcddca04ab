import { isIP } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/** Settings that only a real shop has; each of them turns off the automatic demo mode. */
const BUSINESS = [
  'DATABASE_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'MEDIA_S3_URL',
  'TRUSTED_PROXIES',
] as const

/** Automatic only on this machine, because the demo's mailbox gives access to every account. */
export function isDemo(env: Environment): boolean {
  if (env.DEMO) return env.DEMO === '1'
  return (
    BUSINESS.every((name) => !env[name]) &&
    env.NODE_ENV !== 'production' &&
    isLoopback(env.HOST || '127.0.0.1') &&
    (!env.PUBLIC_URL || isLoopback(URL.parse(env.PUBLIC_URL)?.hostname ?? ''))
  )
}

export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
