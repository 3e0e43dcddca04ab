import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Clocks } from './billing/clocks.ts'
import { reactions } from './billing/reactions.ts'
import { clockOf } from './clock.ts'
import { serveControl } from './control.ts'
import { parseForm } from './form.ts'
import { refuseLiveKeys } from './keys.ts'
import { event } from './objects/others.ts'
import { servePages } from './pages/serve-pages.ts'
import { serveBilling } from './rest/billing.ts'
import { serveCoupons } from './rest/coupons.ts'
import { serveCustomers } from './rest/customers.ts'
import { answerProblems } from './rest/serve-rest.ts'
import { servePaymentIntents } from './rest/payment-intents.ts'
import { servePaymentMethods } from './rest/payment-methods.ts'
import { serveReads } from './rest/reads.ts'
import { serveRefunds } from './rest/refunds.ts'
import { serveSetupIntents } from './rest/setup-intents.ts'
import { Store } from './store.ts'
import { Webhooks } from './webhooks.ts'
import { type Keys, type World, randomText } from './world.ts'

export interface SandboxOptions {
  /** The folder of the sandbox's state; created if missing. */
  readonly folder: string
  /** Generated at the first start if not given. */
  readonly keys?: Keys
  /** Receives the events; the previous URL stays if not given. */
  readonly webhookUrl?: string
}

export interface Sandbox {
  readonly app: FastifyInstance
  readonly keys: Keys
  listen(port: number): Promise<string>
  close(): Promise<void>
}

/**
 * A replacement for Stripe on this machine.
 *
 * @throws for live keys
 */
export function openSandbox({ folder, keys: given, webhookUrl }: SandboxOptions): Sandbox {
  if (given) refuseLiveKeys([given.secret, given.publishable, given.webhook])
  const store = new Store(folder)
  const keys = keysOf(store, given)
  const webhooks = new Webhooks(store, keys.webhook)
  const clock = clockOf(store)
  let origin = ''
  const world: World = {
    store,
    clock,
    keys,
    origin: () => origin,
    calls: [],
    react: reactions,
    emit(type, object, before) {
      const made = event(clock.now(), type, object, before)
      store.put('event', made)
      webhooks.enqueue(made)
    },
  }

  const clocks = new Clocks(world)

  const app = Fastify({ forceCloseConnections: true, bodyLimit: 256 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => parseForm(body),
  )
  answerProblems(app)
  servePaymentIntents(app, world)
  serveSetupIntents(app, world)
  servePaymentMethods(app, world)
  serveCustomers(app, world)
  serveRefunds(app, world)
  serveCoupons(app, world)
  serveReads(app, world)
  serveBilling(app, world, clocks)
  servePages(app, world)
  serveControl(app, world, webhooks, clocks)
  app.addHook('onClose', async () => {
    await clocks.close()
    await webhooks.close()
  })

  return {
    app,
    keys,
    async listen(port) {
      origin = await listenOn(app, port || (store.get<Port>('setting', 'port')?.port ?? 0), port === 0)
      store.put<Port>('setting', { id: 'port', port: Number(new URL(origin).port) })
      if (webhookUrl) webhooks.wish({ url: webhookUrl })
      webhooks.start()
      clocks.start()
      return origin
    },
    close: () => app.close(),
  }
}

interface Port {
  readonly id: 'port'
  readonly port: number
}

/** Uses the previous port if it is free, so that open browser pages still work. */
async function listenOn(app: FastifyInstance, port: number, mayMove: boolean): Promise<string> {
  try {
    return await app.listen({ host: '127.0.0.1', port })
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!mayMove || port === 0 || !isTaken) throw error
    return app.listen({ host: '127.0.0.1', port: 0 })
  }
}

function keysOf(store: Store, given: Keys | undefined): Keys {
  const kept = store.get<Keys & { id: 'keys' }>('setting', 'keys')
  const keys = given ?? kept ?? newKeys()
  store.put('setting', { id: 'keys', ...keys })
  return { secret: keys.secret, publishable: keys.publishable, webhook: keys.webhook }
}

const newKeys = (): Keys => ({
  secret: `sk_test_${randomText(40)}`,
  publishable: `pk_test_${randomText(40)}`,
  webhook: `whsec_${randomText(32)}`,
})
