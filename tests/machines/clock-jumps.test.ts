import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { watchEveryCall } from '#tests/support/watched-requests.ts'
import { LISTENERS_KEY, whatWasKept } from '#tests/support/listeners.ts'
import { closeStreams } from '#tests/support/live-stream.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { peopleAt } from '#tests/support/simulated-users.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { testSandbox } from '#tests/support/sandbox.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'
import { soon } from '#tests/support/wait-for.ts'

/** Changes the time of day for one process (Debian’s `faketime`), but not the monotonic clock. */
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
const THERE_MS = 20_000

const closings: (() => unknown)[] = []
afterEach(async () => {
  closeStreams()
  for (const close of closings.splice(0).toReversed()) await close()
})

describe.runIf(process.env.LONG && LIBRARY)('one of two machines has a wrong clock', () => {
  test(
    'a clock that jumps an hour ahead and two back: no call fails, no session ends, and email is sent throughout',
    { timeout: 600_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'murmur-machines-'))
      closings.push(() => rmSync(folder, { recursive: true, force: true }))
      const postgres = await startPostgres()
      closings.push(() => postgres.stop())
      const sandbox = await testSandbox()
      closings.push(() => sandbox.close())
      const post = await mailServer()
      closings.push(() => post.close())
      const database = await openDatabase({ dataDir: folder, databaseUrl: postgres.url })
      closings.push(() => database.close())

      const clock = join(folder, 'clock')
      const set = (aheadSeconds: number) =>
        writeFileSync(clock, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}`)
      set(0)
      const settings = {
        ...sandbox.env,
        DATABASE_URL: postgres.url,
        DATA_DIR: folder,
        APP_KEYS: LISTENERS_KEY,
        CODE_KEY: LISTENERS_KEY,
        DEMO: '0',
        SMTP_URL: post.url,
      }
      const other = await startSources({ ...settings, ROLE: 'web', PORT: await freePort() })
      closings.push(() => other.stop())
      // Only this server runs jobs.
      const stepping = await startSources({
        ...settings,
        PORT: await freePort(),
        LD_PRELOAD: LIBRARY!,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      })
      closings.push(() => stepping.stop())
      await sandbox.tell(other.url)
      const calls = [watchEveryCall(stepping.url), watchEveryCall(other.url)]
      closings.push(() => calls.forEach((each) => each.stop()))
      const people = await peopleAt({ url: stepping.url, database, dataDir: folder, sandbox })

      const logIn = async (url: string) => {
        const { email, password } = people.listeners[0]!.user
        const answer = await fetch(`${url}/api/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        })
        return ((await answer.json()) as { token: string }).token
      }
      const tokens: string[] = []
      for (const aheadSeconds of [0, 3600, -3600, 0]) {
        set(aheadSeconds)
        await soon(async () => {
          const { headers } = await fetch(`${stepping.url}/api/health`)
          const ahead = Date.parse(headers.get('date')!) - Date.now()
          expect(Math.abs(ahead - aheadSeconds * 1000)).toBeLessThan(5_000)
        })
        tokens.push(await logIn(stepping.url), await logIn(other.url))
        for (const url of [stepping.url, other.url])
          for (const token of tokens) {
            const answer = await fetch(`${url}/api/logged-user`, { headers: { xtoken: `Bearer ${token}` } })
            expect([aheadSeconds, answer.status]).toEqual([aheadSeconds, 200])
          }
        const [mails, bought, downloads] = [post.received.length, people.did.purchases, people.did.downloads]
        await pause(THERE_MS)
        expect(people.complaints).toEqual([])
        expect([aheadSeconds, people.did.purchases > bought, people.did.downloads > downloads]).toEqual([
          aheadSeconds,
          true,
          true,
        ])
        expect([aheadSeconds, post.received.length - mails]).toEqual([
          aheadSeconds,
          expect.toSatisfy((times: number) => times > 1),
        ])
      }
      await people.expectAllIsThere()
      expect(calls.flatMap(({ failed }) => failed)).toEqual([])
      console.log(`${calls.reduce((all, each) => all + each.answered(), 0)} calls were answered:`, people.did)
    },
  )
})

describe.runIf(process.env.LONG && LIBRARY)('the clock of the whole machine stands still', () => {
  test(
    'while the clock is stopped, people browse, buy, download and listen; nothing is lost when it runs again',
    { timeout: 300_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'murmur-machines-'))
      closings.push(() => rmSync(folder, { recursive: true, force: true }))
      chmodSync(folder, 0o755)
      const clock = join(folder, 'clock')
      writeFileSync(clock, '+0', { mode: 0o644 })
      const faked = {
        LD_PRELOAD: LIBRARY!,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }
      const postgres = await startPostgres({ environment: faked })
      closings.push(() => postgres.stop())
      const sandbox = await testSandbox()
      closings.push(() => sandbox.close())
      const database = await openDatabase({ dataDir: folder, databaseUrl: postgres.url })
      closings.push(() => database.close())
      const server = await startSources({
        ...{ ...sandbox.env, ...faked, DATABASE_URL: postgres.url, DATA_DIR: folder },
        ...{ APP_KEYS: LISTENERS_KEY, CODE_KEY: LISTENERS_KEY, DEMO: '0', PORT: await freePort() },
      })
      closings.push(() => server.stop())
      await sandbox.tell(server.url)
      const calls = watchEveryCall(server.url)
      closings.push(() => calls.stop())
      const people = await peopleAt({ url: server.url, database, dataDir: folder, sandbox })

      const timeOfServer = async () => (await fetch(`${server.url}/api/health`)).headers.get('date')
      const timeOfDatabase = async () =>
        (await database.db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`)).rows[0]!.now
      // With an absolute time faketime stops the clock.
      writeFileSync(clock, new Date().toISOString().slice(0, 19).replace('T', ' '))
      await soon(async () => {
        const stopped = await timeOfDatabase()
        expect([await timeOfServer(), await timeOfDatabase()]).toEqual([expect.anything(), stopped])
      })
      const [stoppedAt, before] = [await timeOfServer(), { ...people.did }]
      await pause(THERE_MS)
      expect([await timeOfServer(), people.complaints]).toEqual([stoppedAt, []])
      expect(people.did.purchases).toBeGreaterThan(before.purchases)
      expect(people.did.downloads).toBeGreaterThan(before.downloads)
      expect(people.did.logIns).toBeGreaterThan(before.logIns)
      const runsAgainAt = new Date()
      writeFileSync(clock, '+0')
      // The server notices within a second; until then it dates new places before the stored ones.
      await soon(async () => {
        const { places } = await whatWasKept(database)
        expect(places.filter(({ heardAt }) => heardAt < runsAgainAt)).toEqual([])
      })
      await people.expectAllIsThere()
      expect(calls.failed).toEqual([])
      console.log(`${calls.answered()} calls were answered:`, people.did)
    },
  )
})
