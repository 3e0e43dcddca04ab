import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook, aUser, signedIn } from '#tests/support/builders.ts'
import { buyOverHttp } from '#tests/support/buy-over-http.ts'
import { expectNothingLost, LISTENERS_KEY } from '#tests/support/listeners.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { type TestSandbox, testSandbox } from '#tests/support/sandbox.ts'
import { inDatabase, shopUnderLoad } from '#tests/support/shop-under-load.ts'
import { slowWayTo } from '#tests/support/slow-network.ts'

const BUYERS = 12
/** Longer than the shop's timeout for the provider. */
const NEVER_MS = 60_000

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

/** A buyer whose browser repeats the confirmation until the provider says that the card was charged. */
const patient = (sandbox: TestSandbox): TestSandbox => ({
  ...sandbox,
  async confirm(...given) {
    for (;;) {
      const answer = await sandbox.confirm(...given).catch(() => ({ error: { code: 'away' } }))
      const { code } = (answer.error ?? {}) as { code?: string }
      if (!answer.error || code === 'payment_intent_unexpected_state') return answer
      await pause(100)
    }
  },
})

/** Customers who buy one book after the other until they are stopped. */
async function buyersIn(database: OpenDatabase, urlOf: () => string, sandbox: TestSandbox) {
  const stock = { db: database.db, config: { appKeys: [LISTENERS_KEY] as [string] }, now: () => new Date() }
  const work = { isOver: false }
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      const user = await aUser(stock)
      return { user, headers: await signedIn(stock, user), bought: 0 }
    }),
  )
  const done = Promise.all(
    buyers.map(async (buyer) => {
      while (!work.isOver) {
        await buyOverHttp(urlOf, sandbox, { headers: buyer.headers, book: await anAudioBook(stock) })
        buyer.bought += 1
      }
    }),
  )
  // Errors are handled where `done` is awaited; this only prevents an unhandled rejection.
  done.catch(() => undefined)
  return {
    buyers,
    /** Waits until every buyer has bought another book. */
    async buyMore() {
      const before = buyers.map(({ bought }) => bought)
      while (buyers.some(({ bought }, index) => bought <= before[index]!))
        await Promise.race([pause(50), done])
    },
    async end() {
      work.isOver = true
      await done
    },
  }
}

describe.runIf(process.env.LONG)('while the provider of payments goes wrong', () => {
  test(
    'the provider is slow, hangs, is down, limits requests and loses responses: listeners are not affected, and each book is paid for once',
    { timeout: 900_000 },
    async () => {
      const postgres = await startPostgres({})
      closings.push(() => postgres.stop())
      const sandbox = await testSandbox()
      closings.push(() => sandbox.close())
      const way = await slowWayTo(sandbox.origin)
      closings.push(() => way.close())
      const shop = await shopUnderLoad({
        databaseUrl: postgres.url,
        instances: 2,
        env: { ...sandbox.env, STRIPE_API_BASE: way.origin },
      })
      closings.push(() => shop.close())
      await sandbox.tell(shop.servers[0]!.url)

      await inDatabase(postgres.url, async (database) => {
        const people = await buyersIn(database, shop.url, patient(sandbox))
        await people.buyMore()

        way.takes(1_500)
        await people.buyMore()

        way.takes(NEVER_MS)
        for (let seconds = 0; seconds < 30; seconds += 10) {
          await pause(10_000)
          // Requests that wait for the provider must not hold locks or connections that others need.
          await shop.promisesMore()
        }
        way.takes(0)
        await people.buyMore()

        await sandbox.kill()
        await pause(15_000)
        await shop.promisesMore()
        await sandbox.start()
        await people.buyMore()

        for (const wish of [
          { path: 'answers/refuse', status: '429' },
          { path: 'answers/refuse', status: '500' },
          { path: 'answers/lose' },
        ]) {
          const { path, ...more } = wish
          await sandbox.control(path, { count: '150', path: '/v1/payment_intents', ...more })
          await people.buyMore()
        }
        await people.end()

        expect([shop.refused(), shop.broken()]).toEqual([0, 0])
        const sold = people.buyers.reduce((all, { bought }) => all + bought, 0)
        console.log(`${sold} books were bought`)
        for (const { user, bought } of people.buyers)
          expect(await database.db.$count(libraryEntries, eq(libraryEntries.userId, user.id))).toBe(bought)
        expect(await database.db.$count(orders, eq(orders.state, 'paid'))).toBe(sold)
        const charged: string[] = []
        for await (const payment of sandbox.payments.listPayments({}))
          if (payment.state === 'paid') charged.push(payment.metadata.order!)
        expect(new Set(charged).size).toBe(charged.length)
        expect(charged).toHaveLength(sold)
        const left = await database.db
          .select({ state: orders.state, times: sql<number>`count(*)::int` })
          .from(orders)
          .groupBy(orders.state)
        expect(left.map(({ state }) => state)).toEqual(['paid'])
      })
      expectNothingLost(...(await shop.end()))
    },
  )
})
