import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT, SOURCE_ARGUMENTS } from '../../tools/server-command.ts'

/** The real server as a process that can be killed. */
export interface ServerProcess {
  readonly url: string
  /** Kills it without a shutdown, as a power cut would; `everything` includes its PostgreSQL. */
  kill(everything: boolean): Promise<void>
  /** Kills only the embedded PostgreSQL, which the server restarts. */
  killDatabase(): Promise<void>
  /** Sends SIGINT, as Ctrl-C does. */
  stop(): Promise<void>
  /** Sends SIGTERM, as a supervisor does; returns the exit code. */
  end(): Promise<number | null>
  /** Closes the IPC channel to `npm start`; returns the exit code. */
  abandon(): Promise<number | null>
  /** Suspends it: it accepts requests and answers none until `wake`. */
  hang(): void
  wake(): void
}

const ROOT = join(import.meta.dirname, '../..')

/** The built server. `root` selects another release: a folder with server and client. */
export const startServer = (env: Record<string, string>, root = ROOT): Promise<ServerProcess> =>
  start(SERVER_ARGUMENTS, env, root)

/** The server run from the current sources, for tests that need no client and can't rely on a build. */
export const startSources = (env: Record<string, string>): Promise<ServerProcess> =>
  start(SOURCE_ARGUMENTS, env, ROOT)

/** Resolves when the server answers requests. */
async function start(
  serverArguments: readonly string[],
  env: Record<string, string>,
  root: string,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...serverArguments], {
    cwd: root,
    env: { PATH: process.env.PATH, ...SERVER_ENVIRONMENT, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own, so that all of it can be killed at once.
    detached: true,
  })
  const output: string[] = []
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text: Buffer) => output.push(text.toString()))
  const abandon = () => killGroup(child)
  process.once('exit', abandon)
  const ended = once(child, 'exit').finally(() => process.off('exit', abandon))
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
  if (!isReady) throw new Error(`The server did not start:\n${output.join('')}`)
  return {
    url: `http://127.0.0.1:${env.PORT}`,
    kill: async (everything) => {
      const postgres = everything ? childrenOf(child.pid!) : []
      child.kill('SIGKILL')
      await ended
      for (const id of postgres) await killPostgres(id)
    },
    killDatabase: async () => {
      const [postgres] = childrenOf(child.pid!)
      await killPostgres(postgres!)
    },
    stop: async () => {
      child.kill('SIGINT')
      // A suspended process would receive it only when it is woken.
      child.kill('SIGCONT')
      await ended
    },
    end: async () => {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
    abandon: async () => {
      child.disconnect()
      return (await ended)[0]
    },
    hang: () => void process.kill(-child.pid!, 'SIGSTOP'),
    wake: () => void process.kill(-child.pid!, 'SIGCONT'),
  }
}

/** Below the system's ephemeral ports, so that no other process is given this port before the server listens. */
const FIRST_PORT = 12_000
const PORTS = 20_000
let asked = 0

export async function freePort(): Promise<string> {
  // Processes that search at the same time start at different ports.
  const port = FIRST_PORT + ((process.pid * 64 + (asked += 1)) % PORTS)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Kills all processes of a PostgreSQL at once, like a power cut. */
async function killPostgres(id: number): Promise<void> {
  const family = [id, ...childrenOf(id)]
  for (const each of family) killIfThere(each)
  while (family.some(isThere)) await pause(5)
}

const killIfThere = (id: number) => void (isThere(id) && process.kill(id, 'SIGKILL'))

/** Whether the process is alive; a zombie counts as ended. */
function isThere(id: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Child processes; the server's only child is its PostgreSQL. */
function childrenOf(id: number): number[] {
  return readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
