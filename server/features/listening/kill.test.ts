import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { freshDataDir } from '#tests/support/database.ts'
import {
  expectNothingLost,
  hearOn,
  LISTENERS_KEY as APP_KEYS,
  promisesTo,
  someListeners,
  whatWasKept,
} from '#tests/support/listeners.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'

/** The whole group and the server alone, by turns. A hundred with purchases: tests/machines/the-embedded-database-is-killed.test.ts. */
const ROUNDS = process.env.LONG ? 30 : 2
const CLIENTS = 20
/** A round takes three seconds; a machine that builds something else beside it may need thirty times that. */
const PATIENCE_MS = 120_000

test(
  'twenty clients write their progress while the server is killed again and again, with its PostgreSQL or without: no acknowledged write is missing',
  async () => {
    const dataDir = await freshDataDir()
    const outcome = await killRepeatedly(ROUNDS, dataDir)
    expectNothingLost(outcome.clients, outcome.kept)
    expect(outcome.kept.events.size).toBeGreaterThan(ROUNDS * CLIENTS)
    rmSync(dataDir, { recursive: true })
  },
  ROUNDS * PATIENCE_MS,
)

/** What each client sent, was promised and finds kept, after the last of the rounds. */
async function killRepeatedly(rounds: number, dataDir: string) {
  const open = () => openDatabase({ dataDir })
  const random = randomNumbers()
  const clients = await inDatabase(open, (database) => someListeners(database, CLIENTS))
  const settings = { DATA_DIR: dataDir, APP_KEYS, CODE_KEY: APP_KEYS, DEMO: '0', PORT: await freePort() }
  let server = await startSources(settings)
  const work = { isOver: false }
  const done = Promise.all(clients.map((client) => hearOn(client, () => server.url, work)))
  try {
    for (let round = 0; round < rounds; round++) {
      // However slow the machine: everybody has been promised something before this server dies.
      const promised = promisesTo(clients) + CLIENTS * 2
      while (promisesTo(clients) < promised) await Promise.race([pause(20), done])
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

  // It had to die under each of them.
  for (const { broken } of clients) expect(broken.count).toBeGreaterThan(0)
  return { clients, kept: await inDatabase(open, whatWasKept) }
}

async function inDatabase<T>(open: () => Promise<OpenDatabase>, use: (database: OpenDatabase) => Promise<T>) {
  const database = await open()
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}
