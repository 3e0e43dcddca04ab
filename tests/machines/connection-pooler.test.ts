import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { watchEveryCall } from '#tests/support/watched-requests.ts'
import { LISTENERS_KEY } from '#tests/support/listeners.ts'
import { closeStreams } from '#tests/support/live-stream.ts'
import { peopleAt } from '#tests/support/simulated-users.ts'
import { type RunningPostgres, startPostgres } from '#tests/support/postgres.ts'
import { findProgram } from '#tests/support/proxies.ts'
import { testSandbox } from '#tests/support/sandbox.ts'
import { freePort, type ServerProcess, startSources } from '#tests/support/server-process.ts'

const THERE_MS = 60_000
/** Fewer than a single server would keep open. */
const CONNECTIONS = 4

const closings: (() => unknown)[] = []
afterEach(async () => {
  closeStreams()
  for (const close of closings.splice(0).toReversed()) await close()
})

/** Starts PgBouncer in transaction mode; returns its URL. */
async function startPooler({ folder: host }: RunningPostgres): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-pooler-'))
  closings.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o777)
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
postgres = host=${host} user=postgres
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
`,
  )
  // Like PostgreSQL, it refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const pooler = spawn(findProgram('pgbouncer')!, ['-q', ...user, config], { stdio: 'ignore' })
  closings.push(async () => {
    const ended = once(pooler, 'exit')
    if (pooler.exitCode === null && pooler.kill('SIGINT')) await ended
  })
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${port}`
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (isThere) return url
    if (pooler.exitCode !== null) throw new Error('PgBouncer did not start')
    await pause(50)
  }
}

describe.runIf(process.env.LONG && findProgram('pgbouncer'))(
  'servers with a pooler between them and PostgreSQL',
  () => {
    test(
      'two instances share fewer connections than one needs: no call fails, nothing is lost, and each is notified of the other’s changes',
      { timeout: 600_000 },
      async () => {
        const dataDir = mkdtempSync(join(tmpdir(), 'murmur-machines-'))
        closings.push(() => rmSync(dataDir, { recursive: true, force: true }))
        const postgres = await startPostgres()
        closings.push(() => postgres.stop())
        const sandbox = await testSandbox()
        closings.push(() => sandbox.close())
        const database = await openDatabase({ dataDir, databaseUrl: `${postgres.url}&application_name=test` })
        closings.push(() => database.close())
        const settings = {
          ...sandbox.env,
          DATABASE_URL: await startPooler(postgres),
          DATABASE_DIRECT_URL: `${postgres.url}&application_name=direct`,
          DATA_DIR: dataDir,
          APP_KEYS: LISTENERS_KEY,
          CODE_KEY: LISTENERS_KEY,
          DEMO: '0',
        }
        // Purchases at one server are announced by the other, whose job handles the provider's events.
        const servers: ServerProcess[] = []
        for (const ROLE of ['web', 'jobs'])
          servers.push(await startSources({ ...settings, ROLE, PORT: await freePort() }))
        closings.push(() => Promise.all(servers.map((server) => server.stop())))
        const { url } = servers[0]!
        await sandbox.tell(url)
        const calls = watchEveryCall(url)
        closings.push(() => calls.stop())
        const people = await peopleAt({ url, database, dataDir, sandbox })
        await pause(THERE_MS)
        const { rows } = await database.pool.query<{ count: number }>(
          `select count(*)::int from pg_stat_activity where backend_type = 'client backend' and application_name = ''`,
        )
        console.log(`${calls.answered()} calls were answered over ${rows[0]!.count} connections:`, people.did)
        expect(rows[0]!.count).toBeLessThanOrEqual(CONNECTIONS)
        await people.expectAllIsThere()
        expect(calls.failed).toEqual([])
        for (const what of ['purchases', 'downloads', 'words', 'logIns'] as const)
          expect([what, people.did[what]]).toEqual([what, expect.toSatisfy((times: number) => times > 5)])
      },
    )
  },
)
