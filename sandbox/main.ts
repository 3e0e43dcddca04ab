import { refuseLiveKeys } from './keys.ts'
import { openSandbox } from './server.ts'

/**
 * The sandbox as a process of its own: `SANDBOX_DIR` keeps its state, `SANDBOX_PORT` is where it listens (0 for
 * any, and then the same again), `SANDBOX_WEBHOOK_URL` is told what happens.
 */
const { env } = process
refuseLiveKeys([env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY])
const sandbox = openSandbox({
  folder: env.SANDBOX_DIR ?? 'var/sandbox',
  ...(env.SANDBOX_WEBHOOK_URL ? { webhookUrl: env.SANDBOX_WEBHOOK_URL } : {}),
})
const origin = await sandbox.listen(Number(env.SANDBOX_PORT ?? 0))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
// It lives for the one who started it and ends with them, however they end.
process.once('disconnect', () => void sandbox.close().then(() => process.exit(0)))
process.send?.({ origin, keys: sandbox.keys })
if (!process.send)
  console.log(`The payment sandbox listens at ${origin}; nothing that is paid there moves money.`)
