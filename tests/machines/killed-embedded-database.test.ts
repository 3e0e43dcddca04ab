import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { joinDatabase, type OpenDatabase } from '#server/db/open.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { orders } from '#server/db/schema/orders.ts'
import { examineShop, lineOf } from '#server/checks/doctor.ts'
import { wrongPrices } from '#server/features/membership/join.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { BusinessClock } from '#server/clock.ts'
import { readConfig } from '#server/settings/config.ts'
import { anAudioBook, aUser, signedIn, type TestBook, type TestUser } from '#tests/support/builders.ts'
import { buyOverHttp, type HttpBuyer } from '#tests/support/buy-over-http.ts'
import { freshDataDir } from '#tests/support/database.ts'
import {
  expectNothingLost,
  hearOn,
  LISTENERS_KEY,
  promisesTo,
  someListeners,
  whatWasKept,
} from '#tests/support/listeners.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { freePort, type ServerProcess, startSources } from '#tests/support/server-process.ts'
import { soon } from '#tests/support/wait-for.ts'

const ROUNDS = 100
const LISTENERS = 20
const BUYERS = 3
const BOOKS = 30
/** A round takes some seconds; on a machine that is also building something it may take thirty times as long. */
const PATIENCE_MS = 120_000

/** In turn: kill the server with its database, the server alone, and the database, which the server restarts. */
const DEATHS: readonly ((server: ServerProcess) => Promise<void>)[] = [
  (server) => server.kill(true),
  (server) => server.kill(false),
  (server) => server.killDatabase(),
]

interface Buyer extends HttpBuyer {
  readonly user: TestUser
}

const closings: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

// A short round of each half runs in every `npm test`: server/features/{listening,checkout}/kill.test.ts.
test.runIf(process.env.LONG)(
  'the embedded database is killed at any moment: what was promised is there after each start, the catalogue is whole, and the doctor content',
  async () => {
    const random = randomNumbers()
    const sandbox = await testSandbox()
    closings.push(() => sandbox.close())
    const dataDir = await freshDataDir()
    closings.push(() => rmSync(dataDir, { recursive: true, force: true }))
    const keys = { APP_KEYS: LISTENERS_KEY, CODE_KEY: LISTENERS_KEY }
    const env = { ...sandbox.env, ...keys, DATA_DIR: dataDir, DEMO: '0', PORT: await freePort() }
    let server = await startSources(env)
    closings.push(() => server.stop())
    await sandbox.tell(server.url)
    await sandbox.billing.prices.setUp(membershipPrices(readConfig(env, []).details.plans))
    const look = <T>(use: (database: OpenDatabase) => Promise<T>) => beside(dataDir, use)

    const books = await look(stock)
    const listeners = await look((database) => someListeners(database, LISTENERS))
    await look((database) => putFiles(database, dataDir))
    const catalogue = await look(catalogueOf)
    const work = { isOver: false }
    const heard = Promise.all(listeners.map((listener) => hearOn(listener, () => server.url, work)))
    heard.catch(() => undefined)
    closings.push(() => (work.isOver = true))

    const buyers: Buyer[] = []
    const began = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const newcomers = await look((database) => newBuyers(database, books, random))
      const promised = promisesTo(listeners) + LISTENERS
      while (promisesTo(listeners) < promised) await Promise.race([pause(20), heard])
      const bought = newcomers.map((buyer) => buyOverHttp(() => server.url, sandbox, buyer))
      // A purchase takes some tenths of a second.
      await pause(random() * 600)
      const isServerAlive = round % DEATHS.length === 2
      await DEATHS[round % DEATHS.length]!(server)
      const acknowledged = listeners.map((listener) => [...listener.acknowledged])
      if (isServerAlive) await soon(() => expectReady(server))
      else server = await startSources(env)

      const { events } = await look(whatWasKept)
      for (const [index, { user }] of listeners.entries()) {
        const lost = acknowledged[index]!.filter((eventId) => !events.has(eventId))
        expect(lost, `of ${user.email} after round ${round}`).toEqual([])
      }
      await Promise.all(bought)
      buyers.push(...newcomers)
      await look(async (database) => {
        await expectBought(database, buyers)
        expect(await catalogueOf(database)).toEqual(catalogue)
        expect(await brokenOf(database, env, sandbox), `after round ${round}`).toEqual([])
      })
    }
    work.isOver = true
    await heard
    expectNothingLost(listeners, await look(whatWasKept))
    const charged: (string | undefined)[] = []
    for await (const { state, metadata } of sandbox.payments.listPayments({}))
      if (state === 'paid') charged.push(metadata.order)
    expect(charged).toHaveLength(buyers.length)
    expect(new Set(charged).size).toBe(buyers.length)
    console.log(
      `${ROUNDS} rounds in ${Math.round((performance.now() - began) / 1000)} s: ${promisesTo(listeners)} places and ${buyers.length} purchases promised, all kept`,
    )
  },
  ROUNDS * PATIENCE_MS,
)

async function expectReady(server: ServerProcess): Promise<void> {
  expect((await fetch(`${server.url}/api/health/ready`)).status).toBe(200)
}

const builder = ({ db }: OpenDatabase) => ({
  db,
  config: { appKeys: [LISTENERS_KEY] as [string] },
  now: () => new Date(),
})

async function stock(database: OpenDatabase): Promise<TestBook[]> {
  const books: TestBook[] = []
  for (let book = 0; book < BOOKS; book++)
    books.push(await anAudioBook(builder(database), { title: `Book ${book}` }))
  return books
}

/** Sparse files of the right size instead of the audio: the doctor checks that each file exists, and its size. */
async function putFiles({ db }: OpenDatabase, dataDir: string): Promise<void> {
  for (const { bytes, ...file } of await db.select().from(mediaFiles)) {
    const path = join(dataDir, 'media', mediaPath(file))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    truncateSync(path, bytes)
  }
}

async function newBuyers(
  database: OpenDatabase,
  books: readonly TestBook[],
  random: () => number,
): Promise<Buyer[]> {
  const buyers: Buyer[] = []
  for (let buyer = 0; buyer < BUYERS; buyer++) {
    const user = await aUser(builder(database))
    const headers = await signedIn(builder(database), user)
    buyers.push({ user, headers, book: books[Math.floor(random() * BOOKS)]! })
  }
  return buyers
}

async function expectBought({ db }: OpenDatabase, buyers: readonly Buyer[]): Promise<void> {
  const paid = await db.select({ userId: orders.userId }).from(orders).where(eq(orders.state, 'paid'))
  const shelves = await db.select().from(libraryEntries)
  for (const { user, book } of buyers) {
    expect(paid.filter(({ userId }) => userId === user.id)).toHaveLength(1)
    expect(shelves.filter(({ userId }) => userId === user.id).map(({ bookId }) => bookId)).toEqual([book.id])
  }
}

/** A checksum of the catalogue, without the popularity, which a job recalculates. */
async function catalogueOf({ db }: OpenDatabase): Promise<unknown> {
  const rows = (table: string, columns = 't') =>
    sql.raw(`(select md5(string_agg(${columns}::text, ' ' order by ${columns}::text)) from ${table} t)`)
  const books = rows('books', '(id, format, slug, title, price_minor, listed_at)')
  return (await db.execute(sql`select ${books}, ${rows('chapters')}, ${rows('media_files')} files`)).rows
}

/** The doctor's findings that need a repair. */
async function brokenOf(
  database: OpenDatabase,
  env: Record<string, string>,
  { payments, billing }: TestSandbox,
): Promise<string[]> {
  const config = readConfig(env, [])
  const faults: string[] = []
  const shop = { config, db: database.db, database, media: mediaFolder(config.dataDir), payments, billing }
  const now = () => new Date()
  const given = { now, clock: new BusinessClock(now), isDeep: false, wrongPrices: () => wrongPrices(shop) }
  for await (const finding of examineShop({ ...shop, ...given }))
    if (finding.state === 'broken') faults.push(lineOf(finding))
  return faults
}

async function beside<T>(dataDir: string, use: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await joinDatabase({ dataDir })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
