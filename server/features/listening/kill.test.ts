import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { bookTimes, listeningEvents } from '#server/db/schema/listening.ts'
import { anAudioBook, aUser, inLibrary, signedIn, type TestUser } from '#tests/support/builders.ts'
import { freshDataDir, onPostgres } from '#tests/support/database.ts'
import { findPostgres, startPostgres } from '#tests/support/postgres.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'

/** A signal that can be heard and one that cannot, by turns. */
const ROUNDS = process.env.LONG ? 30 : 2
const CLIENTS = 20
const APP_KEYS = 'k'.repeat(32)
const BOOK_SECONDS = 100_000
/** A round takes three seconds; a machine that builds something else beside it may need thirty times that. */
const PATIENCE_MS = 120_000

/** Once is enough: both databases are killed in the run of the embedded one. */
describe.skipIf(onPostgres)(
  'twenty clients write their progress while the server is killed again and again',
  () => {
    test(
      'no acknowledged write is missing on the embedded database',
      async () => {
        const dataDir = await freshDataDir()
        const outcome = await killRepeatedly({ DATA_DIR: dataDir }, () => openDatabase({ dataDir }))
        expectNothingLost(outcome)
        expect(outcome.kept.size).toBeGreaterThan(ROUNDS * CLIENTS)
        rmSync(dataDir, { recursive: true })
      },
      ROUNDS * PATIENCE_MS,
    )

    test.skipIf(!findPostgres())(
      'no acknowledged write is missing on PostgreSQL',
      async () => {
        const postgres = await startPostgres()
        const env = { DATABASE_URL: postgres.url, DATA_DIR: tmpdir() }
        const outcome = await killRepeatedly(env, () =>
          openDatabase({ dataDir: tmpdir(), databaseUrl: postgres.url }),
        )
        expectNothingLost(outcome)
        expect(outcome.kept.size).toBeGreaterThan(ROUNDS * CLIENTS)
        await postgres.stop()
      },
      ROUNDS * PATIENCE_MS,
    )
  },
)

/** What each client sent, was promised and finds kept, after the last of the rounds. */
async function killRepeatedly(env: Record<string, string>, open: () => Promise<OpenDatabase>) {
  const random = randomNumbers()
  const clients = await inDatabase(open, stock)
  const settings = { ...env, APP_KEYS, CODE_KEY: APP_KEYS, DEMO: '0', PORT: await freePort() }
  let server = await startSources(settings)
  const work = { isOver: false }
  const done = Promise.all(clients.map((client) => listen(client, server.url, work)))
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // However slow the machine: everybody has been promised something before this server dies.
      const promised = promises(clients) + CLIENTS * 2
      while (promises(clients) < promised) await Promise.race([pause(20), done])
      await Promise.race([pause(random() * 600), done])
      await server.kill(round % 2 === 0)
      server = await startSources(settings)
    }
    await Promise.race([pause(500), done])
    work.isOver = true
    await done
  } finally {
    work.isOver = true
    await server.stop()
  }

  const { events, places } = await inDatabase(open, async (database) => ({
    events: await database.db.select().from(listeningEvents),
    places: await database.db.select().from(bookTimes),
  }))
  return { clients, kept: new Set(events.map(({ eventId }) => eventId)), places }
}

const promises = (clients: readonly Client[]) =>
  clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)

type Outcome = Awaited<ReturnType<typeof killRepeatedly>>

function expectNothingLost({ clients, kept, places }: Outcome): void {
  for (const { user, sent, acknowledged, broken } of clients) {
    const missing = acknowledged.filter((eventId) => !kept.has(eventId))
    expect(missing, `${missing.length} of ${acknowledged.length} acknowledged writes are lost`).toEqual([])
    const place = places.find(({ userId }) => userId === user.id)
    // The last one sent may have been written without its answer having arrived.
    expect(sent.slice(sent.indexOf(acknowledged.at(-1)!))).toContain(place?.eventId)
    expect(broken.count).toBeGreaterThan(0)
  }
}

interface Client {
  readonly user: TestUser
  readonly headers: { xtoken: string }
  readonly audioBook: string
  readonly sent: string[]
  readonly acknowledged: string[]
  /** Requests that the death of the server cut off. */
  readonly broken: { count: number }
}

async function stock({ db }: OpenDatabase): Promise<Client[]> {
  const shop = { db, config: { appKeys: [APP_KEYS] as [string] }, now: () => new Date() }
  const book = await anAudioBook(shop, { chapters: [{ title: 'Endless', seconds: BOOK_SECONDS }] })
  const clients: Client[] = []
  for (let number = 0; number < CLIENTS; number++) {
    const user = await aUser(shop)
    await inLibrary(shop, user, book)
    clients.push({
      user,
      headers: await signedIn(shop, user),
      audioBook: `/api/audio_books/${book.slug}`,
      sent: [],
      acknowledged: [],
      broken: { count: 0 },
    })
  }
  return clients
}

/** A player's outbox: one event after the other, each sent again until the server took it. */
async function listen(client: Client, url: string, work: { isOver: boolean }): Promise<void> {
  const deviceId = randomUUID()
  for (let sequence = 0; !work.isOver; sequence++) {
    const eventId = randomUUID()
    const heardAt = new Date().toISOString()
    const body = {
      audioBook: client.audioBook,
      chapter: 1,
      seconds: sequence,
      eventId,
      deviceId,
      sequence,
      heardAt,
    }
    client.sent.push(eventId)
    while (!(await send(client, url, body))) await pause(30)
    client.acknowledged.push(eventId)
  }
}

async function send(client: Client, url: string, body: object): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/user_audio_book_times`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...client.headers },
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    // 503 while the database comes back; anything else would be a fault.
    if (answer.status !== 503) expect(answer.status).toBeOneOf([200, 201])
    return answer.ok
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    client.broken.count += 1
    return false
  }
}

async function inDatabase<T>(open: () => Promise<OpenDatabase>, use: (database: OpenDatabase) => Promise<T>) {
  const database = await open()
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
