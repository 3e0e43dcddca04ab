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

/** A hundred rounds with purchases: tests/machines/killed-embedded-database.test.ts. */
const ROUNDS = process.env.LONG ? 30 : 2
const CLIENTS = 20
/** A round takes three seconds, but up to thirty times that on a busy machine. */
const PATIENCE_MS = 120_000

test(
  'loses no acknowledged write of twenty clients while the server is killed repeatedly, with or without its PostgreSQL',
  async () => {
    const dataDir = await freshDataDir()
    const outcome = await killRepeatedly(ROUNDS, dataDir)
    expectNothingLost(outcome.clients, outcome.kept)
    expect(outcome.kept.events.size).toBeGreaterThan(ROUNDS * CLIENTS)
    rmSync(dataDir, { recursive: true })
  },
  ROUNDS * PATIENCE_MS,
)

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
      // However slow the machine is, wait until all clients have acknowledged writes before killing this server.
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

  // Each client must have lost its connection at least once.
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
