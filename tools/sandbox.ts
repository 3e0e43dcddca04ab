import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface SandboxAddress {
  readonly origin: string
  readonly keys: { readonly secret: string; readonly publishable: string; readonly webhook: string }
}

interface Wish {
  /** Stores the sandbox's state, its port and its keys across restarts. */
  readonly folder: string
  readonly webhookUrl?: string
}

/** The sandbox has printed the reason. */
export class SandboxDidNotStart extends Error {}

/** Starts the payment sandbox as a child process, which ends with this one. Resolves when it answers. */
export async function startSandbox({
  folder,
  webhookUrl,
}: Wish): Promise<SandboxAddress & { child: ChildProcess }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'sandbox/main.ts'], {
    cwd: new URL('..', import.meta.url),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
      SANDBOX_DIR: folder,
      ...(webhookUrl ? { SANDBOX_WEBHOOK_URL: webhookUrl } : {}),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => undefined)
  const [address] = (await Promise.race([once(child, 'message'), ended])) ?? []
  if (!address) throw new SandboxDidNotStart('The payment sandbox did not start; the reason stands above.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own child process sends
  return { ...(address as SandboxAddress), child }
}

export const sandboxEnvironment = ({ origin, keys }: SandboxAddress): Record<string, string> => ({
  STRIPE_SECRET_KEY: keys.secret,
  STRIPE_PUBLISHABLE_KEY: keys.publishable,
  STRIPE_WEBHOOK_SECRET: keys.webhook,
  STRIPE_API_BASE: origin,
  STRIPE_JS_URL: `${origin}/stripe.js`,
})
