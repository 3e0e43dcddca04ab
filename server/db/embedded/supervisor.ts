import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getCompileCacheDir } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DatabaseInUse } from '../errors.ts'
import type { Order, Report } from './messages.ts'
import { type Address, readRunFile } from './run-file.ts'

export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** How long to wait for another process to let go of the folder. */
  patienceMs?: number
  idleInTransactionMs?: number
  /** A query that runs longer cannot be cancelled, only killed, and nobody else is answered meanwhile. */
  longestQueryMs?: number
}

export interface EmbeddedDatabase {
  /** Stays the same when the process is restarted. */
  address: Address
  processIds(): number[]
  close(): Promise<void>
}

const LONGEST_SOCKET_PATH = 107
const STOP_MS = 10_000
const TICKS = 12

/** Runs the embedded database in a process of its own and starts it again whenever that one dies. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { remove, ...place } = socketPlace()
  const password = randomBytes(18).toString('base64url')
  let port = place.port
  let child: ChildProcess | undefined
  let closing = false

  const start = async (): Promise<void> => {
    const begun = launch({ ...options, ...place, port, password }, (exited) => {
      if (child !== exited) return
      child = undefined
      if (closing) return
      log.error('the embedded database ended unexpectedly and is started again')
      void restart()
    })
    child = begun.child
    try {
      const ready = await begun.ready
      // Creating a database leaves a hundred megabytes in use; a fresh process starts without them.
      if (ready === 'created') return await start()
      port = ready.port
    } catch (error) {
      child = undefined
      throw error
    }
  }
  const restart = async (): Promise<void> => {
    for (let wait = 100; !closing; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await start()
      } catch (error) {
        if (!closing) log.error(error instanceof Error ? error.message : String(error))
        await pause(wait)
      }
    }
  }

  try {
    await start()
  } catch (error) {
    remove()
    throw error
  }
  return {
    address: { host: place.host, port, password },
    processIds: () => (child?.pid === undefined ? [] : [child.pid]),
    close: async () => {
      closing = true
      if (child) await stop(child)
      remove()
    },
  }
}

type Launch = EmbeddedOptions &
  Omit<Extract<Order, { kind: 'start' }>, 'kind' | 'patienceMs' | 'idleInTransactionMs'>

function launch(options: Launch, onExit: (child: ChildProcess) => void) {
  const {
    dataDir,
    log,
    patienceMs = 5_000,
    idleInTransactionMs = 5_000,
    longestQueryMs = 60_000,
    ...rest
  } = options
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
    execPath: process.execPath,
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'],
    // It gets none of the server's secrets from the environment; two arenas save a third of the memory.
    ...(process.platform === 'win32' ? {} : { env: { MALLOC_ARENA_MAX: '2', ...compileCache() } }),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const sendOrder = (order: Order) => child.connected && child.send(order, () => {})
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2_000)
    log.warn(`embedded database: ${text.trim()}`)
  })

  // A child that is busy with one query for too long does not answer, and cannot be asked to stop. Counted
  // in ticks, not by the clock, so that a pause of this process is not held against it.
  let unanswered = 0
  let pulse: NodeJS.Timeout | undefined
  const beat = () => {
    if (unanswered > TICKS) {
      log.error('a query of the embedded database took too long; its process is killed')
      child.kill('SIGKILL')
    } else if (unanswered++ === 0) {
      sendOrder({ kind: 'ping' })
    }
  }

  const ready = new Promise<{ port: number } | 'created'>((resolve, reject) => {
    child.on('message', (report: Report) => {
      if (report.kind === 'pong') unanswered = 0
      else if (report.kind === 'ready') {
        // Not before: after a crash the log is replayed first, in one piece.
        pulse = setInterval(beat, longestQueryMs / TICKS).unref()
        resolve(report)
      } else if (report.kind === 'created') child.once('exit', () => resolve('created'))
      else reject(new DatabaseInUse(dataDir, readRunFile(dataDir)?.processId))
    })
    child.once('error', reject)
    child.once('exit', () => {
      clearInterval(pulse)
      setImmediate(
        reject,
        new Error(`The embedded database in ${dataDir} did not start: ${lastWords.trim()}`),
      )
    })
  })
  ready.then(
    (how) => how !== 'created' && child.once('exit', () => onExit(child)),
    () => {},
  )
  sendOrder({ kind: 'start', dataDir, patienceMs, idleInTransactionMs, ...rest })
  return { child, ready }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode !== null || child.signalCode !== null) return
  child.send({ kind: 'stop' } satisfies Order, () => {})
  const slow = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(slow)
}

/** A private folder for the socket; loopback with a password where there are no unix sockets. */
function socketPlace() {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: 0, remove: () => {} }
  const fits = join(tmpdir(), 'murmur-123456', '.s.PGSQL.5432').length <= LONGEST_SOCKET_PATH
  const socketFolder = mkdtempSync(join(fits ? tmpdir() : '/tmp', 'murmur-'))
  const remove = () => rmSync(socketFolder, { recursive: true, force: true })
  return { socketFolder, host: socketFolder, port: 5432, remove }
}

/** The server's own, where it has one: the child then starts sooner, and without the type stripper in memory. */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir()
  // It names the part of this Node version, which the child adds again.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
