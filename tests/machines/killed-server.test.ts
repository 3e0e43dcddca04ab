import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { auditAll } from '#server/features/audit/service.ts'
import { reconcileMemberships } from '#server/features/membership/sync-due-memberships.ts'
import { reconcile } from '#server/features/checkout/reconcile-payments.ts'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { anAudioBook, aUser, signedIn } from '#tests/support/builders.ts'
import { buyOverHttp, type HttpBuyer } from '#tests/support/buy-over-http.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { bodyFor, callsOnMembership } from '../contract/generated-bodies.ts'
import type { Described } from '../contract/reply-schema.ts'

const RUNS = 20
const APP_KEYS = 'k'.repeat(32)
const PATIENCE_MS = 180_000

describe.runIf(process.env.LONG)('a server that is killed repeatedly', () => {
  let sandbox: TestSandbox
  let dataDir: string
  beforeAll(async () => {
    sandbox = await testSandbox()
    await sandbox.billing.prices.setUp(membershipPrices())
    dataDir = await freshDataDir()
  })
  afterAll(async () => {
    await sandbox?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Opens the same data while the server is down. */
  async function within<T>(use: (shop: TestShop) => Promise<T>): Promise<T> {
    const database = await openDatabase({ dataDir })
    const { payments, billing } = sandbox
    const shop = await testShop({ env: { DEMO: '0', APP_KEYS }, database, payments, billing })
    shop.clock.set(new Date())
    try {
      return await use(shop)
    } finally {
      await shop.close()
      await database.close()
    }
  }

  test(
    'killed while people buy, join and change memberships: the audit finds no difference afterwards',
    async () => {
      const random = randomNumbers()
      const buyers = await within(async (shop) => {
        const made: HttpBuyer[] = []
        for (let run = 0; run < RUNS; run++) {
          const user = await aUser(shop, { confirmedAt: shop.now() })
          made.push({ headers: await signedIn(shop, user), book: await anAudioBook(shop) })
        }
        return made
      })
      const env = { ...sandbox.env, DATA_DIR: dataDir, APP_KEYS, DEMO: '0', PORT: await freePort() }
      const shop = { server: await startSources(env) }
      await sandbox.tell(shop.server.url)
      const described = await describedAt(shop.server.url)
      const names = Object.entries(described).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const later = callsOnMembership(names)
      const join = async ({ headers }: HttpBuyer) => {
        const ask = sender(() => shop.server.url, headers)
        const begun = await ask('POST', '/api/subscriptions', { plan: 4, startNow: true })
        if (!begun?.id || !begun.paymentIntent) return
        const { id, paymentIntent: secret } = begun
        await sandbox
          .confirm({ id: secret.split('_secret_')[0]!, clientSecret: secret })
          .catch(() => undefined)
        for (let call = 0; call < 5; call++) {
          const name = later[Math.floor(random() * later.length)]!
          const [method = '', path = ''] = name.split(' ')
          await ask(method, path.replace('{id}', id), bodyFor(described, name, 'pm_card_visa'))
        }
      }
      try {
        for (const [run, buyer] of buyers.entries()) {
          const busy = Promise.all([buyOverHttp(() => shop.server.url, sandbox, buyer), join(buyer)])
          await pause(random() * 500)
          await shop.server.kill(run % 2 === 0)
          shop.server = await startSources(env)
          await busy
        }
      } finally {
        await shop.server.stop()
      }
      await within(async (again) => {
        // Run what the scheduled jobs would have done by then.
        again.clock.advance(20 * 60)
        await reconcile(again)
        await reconcileMemberships(again)
        const options = { signal: new AbortController().signal, paceMs: 0, secondLookMs: 0 }
        const { accounts, findings } = await auditAll(again, options)
        expect(accounts).toBe(RUNS)
        expect(findings).toEqual([])
      })
    },
    RUNS * PATIENCE_MS,
  )
})

type Answer = { readonly id?: string; readonly paymentIntent?: string } | undefined

/** Sends each call once, without retries, like a page that was closed. */
const sender =
  (urlOf: () => string, headers: Record<string, string>) =>
  async (method: string, path: string, body: object): Promise<Answer> => {
    try {
      const answer = await fetch(urlOf() + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return (await answer.json()) as Answer
    } catch {
      return undefined
    }
  }

async function describedAt(url: string): Promise<Described> {
  const { paths } = (await (await fetch(`${url}/api/docs.json`)).json()) as { paths: Described }
  return paths
}
