import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** The folder with the newest PostgreSQL's programs, if there is one that the shop can use (15 or later). */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  const folders = [
    ...versions.sort((a, b) => b - a).map((version) => join(debian, String(version), 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

export interface RunningPostgres {
  readonly url: string
  /** Of its socket: who connects there finds whoever listens there. */
  readonly folder: string
  readonly processId: number
  stop(): Promise<void>
  /** Ends without a word, and begins again with all that it had. */
  crash(): Promise<void>
  kill(): Promise<void>
  /** Again, if it has ended. */
  start(): Promise<void>
  /** Another one that follows it from now on; what is acknowledged is in both. */
  standby(): Promise<RunningPostgres>
}

interface Options {
  /** Waits for the disk at every commit, as in a shop; without it tests take half the time. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string | number>>
  /** Makes the folder of its data, which is empty. */
  readonly prepare?: (data: string, owner: Owner | undefined) => void
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** A PostgreSQL of our own on a socket in a private folder, gone without a trace after `stop`. */
export function startPostgres({
  durable = true,
  settings = {},
  prepare,
}: Options = {}): Promise<RunningPostgres> {
  const create = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  return begin({
    settings: {
      ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
      ...settings,
    },
    make: (run, data, owner) => {
      prepare?.(data, owner)
      run('initdb', ['-D', data, ...create])
    },
  })
}

type Run = (program: string, args: readonly string[]) => void

interface Beginning {
  readonly settings: Readonly<Record<string, string | number>>
  readonly make: (run: Run, data: string, owner: Owner | undefined) => void
}

async function begin({ settings, make }: Beginning): Promise<RunningPostgres> {
  const programs = findPostgres()
  if (!programs) throw new Error('No PostgreSQL 15 or later here. On Debian: apt-get install postgresql')
  const folder = mkdtempSync(join(tmpdir(), 'murmur-postgres-'))
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const options = { cwd: folder, ...owner, env: { PATH: dirname(process.execPath), LC_ALL: 'C.UTF-8' } }
  const data = join(folder, 'data')
  make(
    (program, args) => void execFileSync(join(programs, program), args, { ...options, stdio: 'pipe' }),
    data,
    owner,
  )

  const all = { listen_addresses: '', unix_socket_directories: folder, ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`
  let server: ChildProcess
  const start = async () => {
    server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...options, stdio: 'ignore' })
    await answering(url, server)
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
        make: (run, copy) =>
          run('pg_basebackup', ['-D', copy, '-d', url, '-X', 'stream', '-R', '-c', 'fast']),
      })
      await ask(url, `alter system set synchronous_standby_names = '*'`)
      await ask(url, 'select pg_reload_conf()')
      return other
    },
  }
}

async function ask(url: string, question: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(question)
  await client.end()
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (server.exitCode !== null) throw new Error('PostgreSQL did not start', { cause: error })
      await pause(50)
    }
  }
}

function unprivilegedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
