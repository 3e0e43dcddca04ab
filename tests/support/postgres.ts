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
  url: string
  processId: number
  stop(): Promise<void>
}

/**
 * A PostgreSQL of our own on a socket in a private folder, gone without a trace after `stop`.
 *
 * @param durable waits for the disk at every commit, as in a shop; without it tests take half the time
 */
export async function startPostgres({ durable = true } = {}): Promise<RunningPostgres> {
  const programs = findPostgres()
  if (!programs) throw new Error('No PostgreSQL 15 or later here. On Debian: apt-get install postgresql')
  const folder = mkdtempSync(join(tmpdir(), 'murmur-postgres-'))
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const options = { cwd: folder, ...owner, env: { PATH: dirname(process.execPath), LC_ALL: 'C.UTF-8' } }

  const data = join(folder, 'data')
  const create = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(programs, 'initdb'), create, { ...options, stdio: 'pipe' })
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...options, stdio: 'ignore' })

  const abandon = () => server.kill('SIGQUIT')
  process.once('exit', abandon)
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`
  await answering(url, server)
  return {
    url,
    processId: server.pid!,
    stop: async () => {
      process.off('exit', abandon)
      const ended = new Promise((resolve) => server.once('exit', resolve))
      // Fast shutdown: does not wait for the clients.
      if (server.exitCode === null && server.kill('SIGINT')) await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
