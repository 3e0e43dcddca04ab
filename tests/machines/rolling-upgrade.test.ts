import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { watchEveryCall } from '#tests/support/watched-requests.ts'
import { LISTENERS_KEY, promisesTo } from '#tests/support/listeners.ts'
import { closeStreams } from '#tests/support/live-stream.ts'
import { peopleAt } from '#tests/support/simulated-users.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { findProgram, type Proxy, startCaddy, startNginx } from '#tests/support/proxies.ts'
import { testSandbox } from '#tests/support/sandbox.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { changeOver, type Slot, SLOTS } from '../../tools/change-over.ts'
import { isReadyAt, lead } from '../../tools/serving.ts'

const ROUNDS = 10
/** The pause between two upgrades and after the last one. */
const QUIET_MS = 3_000

const closings: (() => unknown)[] = []
afterEach(async () => {
  closeStreams()
  for (const close of closings.splice(0).toReversed()) await close()
})

/** The values in murmur.env.example and murmur@.service. */
const { TRUSTED_PROXIES, DRAIN_SECONDS } = parseEnv(
  readFileSync('docs/operations/deployment/murmur.env.example', 'utf8'),
) as Record<'TRUSTED_PROXIES' | 'DRAIN_SECONDS', string>

/** A machine with two slots, upgraded as by `npm run upgrade`, but with processes instead of systemd units. */
async function aMachine(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-slots-'))
  chmodSync(folder, 0o755)
  const ports = { '0': await freePort(), '1': await freePort() }
  const socket = (slot: Slot) => join(folder, `${slot}.sock`)
  const serving = join(folder, 'serving')
  const running = new Map<Slot, ServerProcess>()
  closings.push(async () => {
    await Promise.all([...running.values()].map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  })
  const task = {
    supervisor: {
      isRunning: async (slot: Slot) => running.has(slot),
      start: async (slot: Slot) =>
        void running.set(slot, await startServer({ ...env, PORT: ports[slot], SOCKET: socket(slot) })),
      end: async (slot: Slot) => {
        expect(await running.get(slot)!.end()).toBe(0)
        running.delete(slot)
      },
      isReady: (slot: Slot) => isReadyAt(socket(slot)),
      lead: async (slot: Slot) => lead(serving, socket(slot)),
      keep: async () => undefined,
    },
    prepare: async () => true,
    sharesDatabase: true,
    noticeMs: Number(DRAIN_SECONDS) * 1_000,
    say: () => undefined,
  }
  return { serving, ports: SLOTS.map((slot) => `127.0.0.1:${ports[slot]}`), upgrade: () => changeOver(task) }
}
type Machine = Awaited<ReturnType<typeof aMachine>>

/** Returns the calls that failed. */
async function upgradesWhilePeopleAreThere(
  startProxy: (machine: Machine) => Promise<Proxy>,
): Promise<readonly string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'murmur-machines-'))
  closings.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const postgres = await startPostgres()
  closings.push(() => postgres.stop())
  const sandbox = await testSandbox()
  closings.push(() => sandbox.close())
  const database = await openDatabase({ dataDir, databaseUrl: postgres.url })
  closings.push(() => database.close())
  const machine = await aMachine({
    ...sandbox.env,
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    APP_KEYS: LISTENERS_KEY,
    CODE_KEY: LISTENERS_KEY,
    DEMO: '0',
    TRUSTED_PROXIES,
    DRAIN_SECONDS,
  })
  await machine.upgrade()
  const proxy = await startProxy(machine)
  closings.push(() => proxy.close())
  await sandbox.tell(proxy.url)
  const calls = watchEveryCall(proxy.url)
  closings.push(() => calls.stop())
  const people = await peopleAt({ url: proxy.url, database, dataDir, sandbox })
  for (let round = 0; round < ROUNDS; round++) {
    await pause(QUIET_MS)
    await machine.upgrade()
    const said = `after upgrade ${round + 1}: ${proxy.complaints().slice(-2_000)}`
    expect([calls.failed, people.complaints], said).toEqual([[], []])
  }
  await pause(QUIET_MS)
  console.log(`${calls.answered()} calls were answered:`, {
    ...people.did,
    places: promisesTo(people.listeners),
  })
  await people.expectAllIsThere()
  // Enough of each kind that some of them hit every phase of every upgrade.
  expect(calls.answered()).toBeGreaterThan(ROUNDS * 1_000)
  expect(people.did.pages).toBeGreaterThan(ROUNDS * 100)
  for (const what of ['purchases', 'downloads', 'streams', 'logIns'] as const)
    expect([what, people.did[what]]).toEqual([what, expect.toSatisfy((times: number) => times >= ROUNDS)])
  return calls.failed
}

describe.runIf(process.env.LONG)('nobody notices an upgrade', () => {
  test.runIf(findProgram('nginx'))(
    'behind nginx: no call fails, nothing is lost, and downloads come to their end',
    { timeout: 1_200_000 },
    async () => expect(await upgradesWhilePeopleAreThere(({ serving }) => startNginx(serving))).toEqual([]),
  )
  test.runIf(findProgram('caddy'))(
    'behind Caddy: no call fails, nothing is lost, and downloads come to their end',
    { timeout: 1_200_000 },
    async () => expect(await upgradesWhilePeopleAreThere(({ ports }) => startCaddy(ports))).toEqual([]),
  )
})
