import { type ChildProcess, execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beginPostgres, initialise } from '#server/db/embedded/cluster.ts'
import { findPrograms, type User, userFor } from '#server/db/embedded/programs.ts'

export interface RunningPostgres {
  readonly url: string
  /** The folder of its Unix socket; connections reach whichever PostgreSQL is listening there. */
  readonly folder: string
  readonly processId: number
  stop(): Promise<void>
  /** Kills it without a shutdown, then restarts it on the same data. */
  crash(): Promise<void>
  kill(): Promise<void>
  /** Restarts it after it has ended. */
  start(): Promise<void>
  /** Starts a synchronous standby: an acknowledged commit is in both. */
  standby(): Promise<RunningPostgres>
}

interface Options {
  /** Waits for the disk at every commit, as in production; tests take half the time without it. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string | number>>
  /** Environment variables of the PostgreSQL processes. */
  readonly environment?: Readonly<Record<string, string>>
  /** Creates the contents of its empty data folder. */
  readonly prepare?: (data: string, owner: User | undefined) => void
}

/** Faster; tests don't need their data after a crash of the machine. */
export const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Starts a PostgreSQL like one that an owner runs. `stop` removes its data. */
export function startPostgres({
  durable = true,
  settings = {},
  environment,
  prepare,
}: Options = {}): Promise<RunningPostgres> {
  return begin({
    environment,
    settings: {
      ...(durable ? {} : NOT_DURABLE),
      max_connections: '100',
      wal_level: 'replica',
      max_wal_senders: '4',
      ...settings,
    },
    make: async (data, owner) => {
      if (prepare) prepare(data, owner)
      else mkdirSync(data, { mode: 0o700 })
      if (owner) chownSync(data, owner.uid, owner.gid)
      await initialise(data, await findPrograms(tmpdir(), owner), owner)
    },
  })
}

/** Writes a `postgres` wrapper that sets the variables, which the product doesn't pass on; returns its folder. */
function withEnvironment(bin: string, folder: string, environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  writeFileSync(
    join(folder, 'postgres'),
    `#!/bin/sh\nexec env ${variables.join(' ')} ${bin}/postgres "$@"\n`,
    {
      mode: 0o755,
    },
  )
  return folder
}

interface Beginning {
  readonly settings: Readonly<Record<string, string | number>>
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly make: (data: string, owner: User | undefined) => Promise<void>
}

async function begin({ settings, environment, make }: Beginning): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-postgres-'))
  const user = userFor(folder)
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  await make(data, user)

  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`
  const found = await findPrograms(tmpdir(), user)
  const programs = environment ? { ...found, bin: withEnvironment(found.bin, folder, environment) } : found
  const asText = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
  let server: ChildProcess
  const start = async () => {
    server = await beginPostgres({
      cluster: data,
      programs,
      user,
      log: { info() {}, warn() {}, error() {} },
      settings: asText,
      socketFolder: folder,
    })
  }
  const isRunning = () => server.exitCode === null && server.signalCode === null
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    if (isRunning() && server.kill(signal)) await ended
  }
  const abandon = () => server.kill('SIGQUIT')
  process.once('exit', abandon)
  await start()
  return {
    url,
    folder,
    get processId() {
      return server.pid!
    },
    // Fast shutdown: does not wait for the clients.
    stop: async () => {
      process.off('exit', abandon)
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
    kill: () => end('SIGQUIT'),
    crash: async () => {
      await end('SIGQUIT')
      await start()
    },
    start: async () => {
      if (!isRunning()) await start()
    },
    standby: async () => {
      const other = await begin({
        settings,
        make: async (copy) => {
          await copyRunning(url, data, copy)
          writeFileSync(join(copy, 'standby.signal'), '')
          appendFileSync(
            join(copy, 'postgresql.auto.conf'),
            `primary_conninfo = 'host=${folder} user=postgres'\n`,
          )
        },
      })
      await ask(url, `alter system set synchronous_standby_names = '*'`)
      await ask(url, 'select pg_reload_conf()')
      return other
    },
  }
}

/** Does what pg_basebackup does, which the npm package lacks. */
async function copyRunning(url: string, data: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    execFileSync('cp', ['-a', data, copy])
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(copy, file), { force: true })
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
    )
    writeFileSync(join(copy, 'backup_label'), rows[0]!.label)
    // The WAL up to here, which the copy starts from.
    execFileSync('cp', ['-a', join(data, 'pg_wal'), copy])
  } finally {
    await client.end()
  }
}

async function ask(url: string, question: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(question)
  await client.end()
}
