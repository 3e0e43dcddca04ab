import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type OpenDatabase } from '#server/db/open.ts'
import { cartItems } from '#server/db/schema/bag.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook, aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { buyOverHttp, type HttpBuyer } from '#tests/support/buy-over-http.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'

const RUNS = process.env.LONG ? 50 : 4
const APP_KEYS = 'k'.repeat(32)
/** A run takes three seconds; on a machine that is building something else it may take thirty times as long. */
const PATIENCE_MS = 120_000

let sandbox: TestSandbox
let dataDir: string
beforeAll(async () => {
  sandbox = await testSandbox()
  dataDir = await freshDataDir()
})
afterAll(async () => {
  await sandbox?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Buyer extends HttpBuyer {
  readonly user: TestUser
}

/** One database is enough, because it is the server that is killed. */
test(
  'a server killed at any moment of a purchase leaves one order, one charge, one library entry, one email',
  async () => {
    const random = randomNumbers()
    const buyers = await inDatabase(stock)
    const env = { ...sandbox.env, DATA_DIR: dataDir, APP_KEYS, DEMO: '0', PORT: await freePort() }
    const shop = { server: await startSources(env) }
    await sandbox.tell(shop.server.url)
    try {
      for (const [run, buyer] of buyers.entries()) {
        const bought = buyOverHttp(() => shop.server.url, sandbox, buyer)
        // A purchase takes some tenths of a second.
        await pause(random() * 250)
        await shop.server.kill(run % 2 === 0)
        shop.server = await startSources(env)
        await bought
      }
    } finally {
      await shop.server.stop()
    }
    expect(buyers).toHaveLength(RUNS)
    await inDatabase((database) => expectOneEach(database, buyers))
  },
  RUNS * PATIENCE_MS,
)

async function stock({ db }: OpenDatabase): Promise<Buyer[]> {
  const shop = { db, config: { appKeys: [APP_KEYS] as [string] }, now: () => new Date() }
  const buyers: Buyer[] = []
  for (let run = 0; run < RUNS; run++) {
    const user = await aUser(shop)
    buyers.push({ user, headers: await signedIn(shop, user), book: await anAudioBook(shop) })
  }
  return buyers
}

async function expectOneEach({ db }: OpenDatabase, buyers: readonly Buyer[]): Promise<void> {
  const charged = new Map<string, number>()
  for await (const payment of sandbox.payments.listPayments({}))
    if (payment.state === 'paid')
      charged.set(payment.metadata.order!, payment.amountMinor - payment.refundedMinor)
  expect(charged.size).toBe(buyers.length)
  for (const { user, book } of buyers) {
    const own = await db.select().from(orders).where(eq(orders.userId, user.id))
    expect(own.map(({ state }) => state)).toEqual(['paid'])
    expect(charged.get(own[0]!.id)).toBe(own[0]!.totalMinor)
    const shelf = await db.select().from(libraryEntries).where(eq(libraryEntries.userId, user.id))
    expect(shelf.map(({ bookId }) => bookId)).toEqual([book.id])
    expect(await db.$count(mails, eq(mails.recipient, user.email))).toBe(1)
  }
  expect(await db.$count(cartItems)).toBe(0)
}

async function inDatabase<T>(use: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
