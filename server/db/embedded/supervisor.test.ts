import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freshDataDir, onPostgres } from '#tests/support/database.ts'
import {
  DatabaseInUse,
  isUnavailable,
  joinDatabase,
  type OpenDatabase,
  openDatabase,
  type OpenOptions,
} from '../open.ts'

describe.skipIf(onPostgres)('the process of the embedded database, while its server runs', () => {
  let dataDir: string
  let database: OpenDatabase
  beforeAll(async () => {
    dataDir = await freshDataDir()
    database = await openDatabase({ dataDir, embedded: { longestQueryMs: 6_000 } })
  })
  afterAll(async () => {
    await database.close()
    rmSync(dataDir, { recursive: true })
  })

  test('Ctrl-C in the terminal reaches it too, and it waits for its server to end', async () => {
    const [childId] = database.processIds()
    process.kill(childId!, 'SIGINT')
    process.kill(childId!, 'SIGTERM')
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(database.processIds()).toEqual([childId])
  })

  test('a second server on the same folder is told so in one sentence, and nothing is damaged', async () => {
    const second = openDatabase({ dataDir, embedded: { patienceMs: 200 } })
    await expect(second).rejects.toThrow(DatabaseInUse)
    await expect(second).rejects.toThrow(
      /^The data folder \S+ is in use by another Murmur \(process \d+\): [^.]+\.$/,
    )
    await database.pool.query('CREATE TABLE undamaged AS SELECT 1 AS id')
    expect((await database.pool.query('SELECT * FROM undamaged')).rows).toHaveLength(1)
  })

  test('a command beside the server works on the same database', async () => {
    await database.pool.query('CREATE TABLE imported (id int)')
    const heard: string[] = []
    await database.listen('catalogue_changed', (payload) => heard.push(payload))
    expect(statSync(join(dataDir, 'run.json')).mode & 0o777).toBe(0o600)

    const command = await joinDatabase({ dataDir })
    await command.pool.query('INSERT INTO imported VALUES (1)')
    await command.pool.query("NOTIFY catalogue_changed, 'one title'")
    await command.close()
    expect((await database.pool.query('SELECT * FROM imported')).rows).toHaveLength(1)
    await expect.poll(() => heard).toEqual(['one title'])
  })

  test('a listener hears again after a restart, and knows that it may have missed something', async () => {
    const heard: string[] = []
    const stop = await database.listen(
      'news',
      (payload) => heard.push(payload),
      () => heard.push('gap'),
    )
    await database.pool.query("NOTIFY news, 'before'")
    await expect.poll(() => heard).toEqual(['before'])
    process.kill(database.processIds()[0]!, 'SIGKILL')
    await expect.poll(() => heard).toEqual(['before', 'gap'])
    await database.pool.query("NOTIFY news, 'after'")
    await expect.poll(() => heard).toEqual(['before', 'gap', 'after'])
    await stop()
    await database.pool.query("NOTIFY news, 'too late'")
    await database.pool.query('SELECT 1')
    expect(heard).toEqual(['before', 'gap', 'after'])
  })

  test('killed while many write, it is back within seconds and has every row it acknowledged', async () => {
    await database.pool.query('CREATE TABLE written (id int PRIMARY KEY)')
    const acknowledged: number[] = []
    const refusals: unknown[] = []
    let stopped = false
    let next = 0
    const writer = async () => {
      while (!stopped) {
        const id = next++
        try {
          await database.pool.query('INSERT INTO written VALUES ($1)', [id])
          acknowledged.push(id)
        } catch (error) {
          refusals.push(error)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    }
    const transactions = async () => {
      while (!stopped) {
        const id = next++
        await database.db
          .transaction((tx) => tx.execute(`INSERT INTO written VALUES (${id})`))
          .then(
            () => acknowledged.push(id),
            (error) => refusals.push(error),
          )
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const writers = [...Array.from({ length: 20 }, writer), transactions()]
    for (let kills = 0; kills < 2; kills++) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 200)
      const [killed] = database.processIds()
      process.kill(killed!, 'SIGKILL')
      await expect.poll(() => isAlive(killed!)).toBe(false)
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 200)
    stopped = true
    await Promise.all(writers)

    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM written')
    const stored = new Set(rows.map(({ id }) => id))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals.filter((error) => !isUnavailable(error))).toEqual([])
  })

  test('a query that never ends is killed with its process, and the others are served again', async () => {
    const endless = database.pool.query('SELECT count(*) FROM generate_series(1, 1000000000) a')
    await expect(endless).rejects.toSatisfy(isUnavailable)
    await expect
      .poll(
        () =>
          database.pool.query('SELECT 1 AS one').then(
            ({ rows }) => rows[0].one,
            () => 0,
          ),
        // A process that was killed starts again, on a machine that may be busy.
        { timeout: 120_000 },
      )
      .toBe(1)
  })
})

describe.skipIf(onPostgres)('the folder of the embedded database', () => {
  let dataDir: string
  const opened: OpenDatabase[] = []
  beforeAll(async () => {
    dataDir = await freshDataDir()
  })
  afterEach(() => Promise.all(opened.splice(0).map((database) => database.close())))
  afterAll(() => rmSync(dataDir, { recursive: true }))

  async function open(embedded: OpenOptions['embedded'] = {}): Promise<OpenDatabase> {
    const database = await openDatabase({ dataDir, embedded })
    opened.push(database)
    return database
  }

  test('when its server is killed it ends, lets go of the folder and leaves nothing behind', async () => {
    const { server, childId } = await serverOn(dataDir)
    const { host } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'))
    expect(existsSync(host)).toBe(true)
    server.kill('SIGKILL')
    await once(server, 'exit')
    await expect.poll(() => isAlive(childId)).toBe(false)
    expect(existsSync(join(dataDir, 'run.json'))).toBe(false)
    expect(existsSync(host)).toBe(false)
    const database = await open({ patienceMs: 0 })
    expect((await database.pool.query('SELECT id FROM written')).rows).toEqual([{ id: 1 }])
  })

  test('a start waits for a predecessor that is about to end', async () => {
    const first = await openDatabase({ dataDir })
    const second = open()
    await first.close()
    expect((await (await second).pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('of six that start at once exactly one wins', async () => {
    const racers = await Promise.allSettled(Array.from({ length: 6 }, () => open({ patienceMs: 0 })))
    const losers = racers.filter((racer) => racer.status === 'rejected').map(({ reason }) => reason)
    expect(losers).toHaveLength(5)
    expect(losers.filter((reason) => !(reason instanceof DatabaseInUse))).toEqual([])
    expect((await opened[0]!.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('a command opens the database itself when no server runs, whatever a killed one left behind', async () => {
    const stale = { host: join(tmpdir(), 'murmur-gone'), port: 5432, password: 'old', processId: 1 }
    writeFileSync(join(dataDir, 'run.json'), JSON.stringify(stale))
    const command = await joinDatabase({ dataDir })
    opened.push(command)
    expect(command.processIds()).toHaveLength(1)
    expect((await command.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })
})

/** A server of its own that has written one row. */
async function serverOn(dataDir: string): Promise<{ server: ChildProcess; childId: number }> {
  const script = `
    import { openDatabase } from ${JSON.stringify(new URL('../open.ts', import.meta.url).href)}
    const database = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} })
    await database.pool.query('CREATE TABLE written (id int)')
    await database.pool.query('INSERT INTO written VALUES (1)')
    console.log(database.processIds()[0])
  `
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  return { server, childId: Number(String(line)) }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch {
    return false
  }
}
