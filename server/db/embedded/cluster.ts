import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ClientConfig } from 'pg'
import { BadSetting } from '../../settings/bad-setting.ts'
import { takeDataFolder } from './lock.ts'
import { cannotRun, findPrograms, type Programs, reasonOf, type User, userFor } from './programs.ts'
import { asArguments } from './settings.ts'

export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** A running PostgreSQL that this process started. It listens only on a Unix socket in its folder. */
export interface EmbeddedPostgres {
  readonly config: ClientConfig
  processIds(): number[]
  close(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Log
  readonly patienceMs?: number
  readonly settings?: Readonly<Record<string, string>>
}

export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres')

const LONGEST_SOCKET_PATH = 107
const SOCKET_FOLDERS = 'murmur-socket-'
const PORT = 5432
const LOOK_AGAIN_MS = 10
const STOP_MS = 10_000
const LONGEST_WAIT_MS = 5_000

/**
 * Creates the cluster if it does not exist, and restarts PostgreSQL if it exits. Stops a PostgreSQL that an earlier
 * process left running when it was killed.
 *
 * @throws {DatabaseInUse} if another process uses the folder
 * @throws {BadSetting} if PostgreSQL cannot run here, or if another major version made the cluster
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, patienceMs = 5_000 } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const release = await takeDataFolder(dataDir, patienceMs)
  try {
    const cluster = clusterFolder(dataDir)
    refuseOlderShop(dataDir)
    const user = userFor(cluster)
    const programs = await findPrograms(dataDir, user)
    await stopLeftOver(cluster)
    if (!existsSync(cluster)) await createCluster(cluster, programs, user)
    refuseOtherMajor(dataDir, programs)
    return await supervise({ cluster, programs, user, log, settings: options.settings ?? {}, release })
  } catch (error) {
    release()
    throw error
  }
}

/** How to reach the PostgreSQL that another process runs for this data folder; undefined while it is not ready. */
export function runningConfig(dataDir: string): ClientConfig | undefined {
  const running = readPostmaster(clusterFolder(dataDir))
  return running?.isReady ? configAt(running.socketFolder) : undefined
}

/** The folder, or a short link to it if the path of its socket would be too long. */
function withinLimit(folder: string): string {
  if (join(folder, `.s.PGSQL.${PORT}`).length <= LONGEST_SOCKET_PATH) return folder
  let short = shortNames.get(folder)
  if (short === undefined) {
    const own = makeShortFolder()
    short = join(own, 'socket')
    symlinkSync(folder, short)
    shortNames.set(folder, short)
    process.once('exit', () => rmSync(own, { recursive: true, force: true }))
  }
  return short
}

const makeShortFolder = () => mkdtempSync(join(tmpdir().length < 60 ? tmpdir() : '/tmp', SOCKET_FOLDERS))

const shortNames = new Map<string, string>()

const configAt = (socketFolder: string): ClientConfig => ({
  host: withinLimit(socketFolder),
  port: PORT,
  user: 'postgres',
  database: 'postgres',
  // Overrides PGSSLMODE in the environment, which is meant for another database.
  ssl: false,
})

interface Supervised {
  readonly cluster: string
  readonly programs: Programs
  readonly user: User | undefined
  readonly log: Log
  readonly settings: Readonly<Record<string, string>>
  readonly release: () => void
}

async function supervise({ release, ...options }: Supervised): Promise<EmbeddedPostgres> {
  const { log, cluster } = options
  let socketFolder = cluster
  let server: ChildProcess | undefined
  let restarting: Promise<void> | undefined
  let closing = false

  const start = async (): Promise<void> => {
    const begun = await beginPostgres({ ...options, socketFolder })
    server = begun
    begun.once('exit', () => {
      server = undefined
      if (closing) return
      log.error('the embedded PostgreSQL ended unexpectedly and is started again')
      restarting = restart()
    })
  }
  const restart = async (): Promise<void> => {
    for (let wait = 100; !closing; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await start()
      } catch (error) {
        if (!closing) log.error(reasonOf(error))
        await pause(wait)
      }
    }
  }
  const removeSocketFolder = () => {
    if (socketFolder !== cluster) rmSync(socketFolder, { recursive: true, force: true })
  }
  // Doesn't run on SIGKILL: PostgreSQL then keeps running, and the next start stops it.
  const endWithProcess = () => void server?.kill('SIGINT')

  try {
    await startPatiently(start).catch((error: unknown) => {
      if (!NO_SOCKET.test(String(error))) throw error
      // Some network file systems don't support sockets, and outside Linux the path may be too long.
      socketFolder = makeSocketFolder(options.user)
      return startPatiently(start)
    })
  } catch (error) {
    removeSocketFolder()
    throw error
  }
  process.once('exit', endWithProcess)
  return {
    config: configAt(socketFolder),
    processIds: () => (server?.pid === undefined ? [] : [server.pid, ...childrenOf(server.pid)]),
    close: async () => {
      closing = true
      // It may just have been started again.
      await restarting
      process.off('exit', endWithProcess)
      if (server) await stop(server)
      removeSocketFolder()
      release()
    },
  }
}

/** Retries for a few seconds: after the postmaster was killed, its child processes need a moment to exit. */
async function startPatiently(start: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!STILL_ENDING.test(String(error)) || performance.now() > deadline) throw error
      await pause(100)
    }
  }
}

const NO_SOCKET =
  /could not (?:create|bind|set permissions of) .*Unix.*socket|Unix-domain socket path .* is too long/is

const STILL_ENDING = /shared memory block .* is still in use|lock file .* already exists/s

export interface Beginning {
  readonly cluster: string
  readonly programs: Programs
  readonly user: User | undefined
  readonly log: Log
  readonly settings: Readonly<Record<string, string>>
  readonly socketFolder: string
}

export async function beginPostgres({
  cluster,
  programs,
  user,
  log,
  settings,
  socketFolder,
}: Beginning): Promise<ChildProcess> {
  const args = asArguments(process.env.EMBEDDED_POSTGRES ?? '', {
    // Quoted because the setting is a list: a comma in the path would split it.
    unix_socket_directories: `"${socketFolder === cluster ? ownFolder(cluster) : socketFolder}"`,
    port: String(PORT),
    ...settings,
  })
  markAsStale(cluster, user)
  const server = spawn(join(programs.bin, 'postgres'), ['-D', ownFolder(cluster), ...args], {
    ...inFolder(cluster, user),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C signals the whole process group, and the shop needs its database until it has shut down.
    detached: true,
  })
  let lastWords = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2_000)
    if (isReady) log.warn(`embedded PostgreSQL: ${text.trim()}`)
  })
  let isReady = false
  let failure: Error | undefined
  server.once('error', (error) => (failure = error))
  // Not `exit`: stderr may still hold output then.
  server.once(
    'close',
    () => (failure ??= new Error(`The embedded PostgreSQL did not start: ${lastWords.trim()}`)),
  )
  while (!isReady) {
    if (failure) throw failure
    const running = readPostmaster(cluster)
    // If it was killed since, the file still says that it is ready.
    isReady = running?.processId === server.pid && running?.isReady === true && isRunning(server)
    if (!isReady) await pause(LOOK_AGAIN_MS)
  }
  return server
}

/** Uses a temporary folder and renames it, so that an interrupted creation leaves no incomplete cluster. */
async function createCluster(cluster: string, programs: Programs, user: User | undefined): Promise<void> {
  const unfinished = `${cluster}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (user) chownSync(unfinished, user.uid, user.gid)
  await initialise(unfinished, programs, user).catch((error: unknown) => {
    throw cannotRun(reasonOf(error))
  })
  renameSync(unfinished, cluster)
}

/** Uses PostgreSQL's own collation: indexes stay valid when the machine's C library is upgraded. */
export async function initialise(folder: string, programs: Programs, user: User | undefined): Promise<void> {
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8']
  // The socket is in a folder with mode 0700, so only this user and root can connect.
  const access = ['--username=postgres', '--auth=trust']
  // A quarter of the default segment size keeps a small shop's folder small.
  const args = [...locale, ...access, '--wal-segsize=4', '--no-instructions']
  await promisify(execFile)(
    join(programs.bin, 'initdb'),
    ['-D', ownFolder(folder), ...args],
    inFolder(folder, user),
  )
}

/** The user may have no access to the parent folders (such as /root); this path needs none. */
const ownFolder = (folder: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : folder)

const inFolder = (folder: string, user: User | undefined) => ({
  cwd: folder,
  // Without the shop's secrets.
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  ...user,
})

function makeSocketFolder(user: User | undefined): string {
  const folder = makeShortFolder()
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

async function stopLeftOver(cluster: string): Promise<void> {
  const running = readPostmaster(cluster)
  if (!running || !isPostmaster(running.processId, cluster)) return
  await end(running.processId, () => isPostmaster(running.processId, cluster))
  if (basename(running.socketFolder).startsWith(SOCKET_FOLDERS))
    rmSync(running.socketFolder, { recursive: true, force: true })
}

async function stop(server: ChildProcess): Promise<void> {
  if (isRunning(server)) await end(server.pid!, () => isRunning(server))
}

const isRunning = (server: ChildProcess) => server.exitCode === null && server.signalCode === null

/** Fast shutdown; if that takes too long, an immediate one. Committed transactions are on disk in both cases. */
async function end(processId: number, isRunning: () => boolean): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(processId, signal)
    const deadline = performance.now() + STOP_MS
    while (performance.now() < deadline) {
      if (!isRunning()) return
      await pause(LOOK_AGAIN_MS)
    }
  }
}

interface Postmaster {
  readonly processId: number
  readonly socketFolder: string
  readonly isReady: boolean
}

/** After a crash it may name a process that has ended or an unrelated one. */
function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const [processId, , , , socket = '', , , state = ''] = lines
    const socketFolder = socket === ownFolder(cluster) ? cluster : socket
    return { processId: Number(processId), socketFolder, isReady: state.trim() === 'ready' }
  } catch {
    return undefined
  }
}

/** A crash's process id can belong to another process now. PostgreSQL ignores its parent's id: write that. */
function markAsStale(cluster: string, user: User | undefined): void {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').split('\n')
  if (lines.length <= STATE_LINE) return
  lines[0] = String(process.pid)
  lines[STATE_LINE] = 'stopping'
  const rewritten = join(cluster, 'postmaster.pid.stale')
  writeFileSync(rewritten, lines.join('\n'), { mode: 0o600 })
  if (user) chownSync(rewritten, user.uid, user.gid)
  renameSync(rewritten, file)
}

const STATE_LINE = 7

function isPostmaster(processId: number, cluster: string): boolean {
  try {
    process.kill(processId, 0)
    // There is no /proc to check its name and folder.
    if (process.platform !== 'linux') return true
    return (
      readFileSync(`/proc/${processId}/comm`, 'utf8').trim() === 'postgres' &&
      readlinkSync(`/proc/${processId}/cwd`) === realpathSync(cluster)
    )
  } catch {
    return false
  }
}

function childrenOf(processId: number): number[] {
  try {
    const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8')
    return children.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Refuses data of PGlite, which was replaced before the first release. */
function refuseOlderShop(dataDir: string): void {
  if (existsSync(join(dataDir, 'db')) && !existsSync(clusterFolder(dataDir)))
    throw new BadSetting(
      `${dataDir} holds a shop that was made before the first release, which this one cannot read. ` +
        `Set DATA_DIR to another folder, or begin a new demo there: npm start -- --fresh`,
    )
}

function refuseOtherMajor(dataDir: string, { major }: Programs): void {
  const made = readFileSync(join(clusterFolder(dataDir), 'PG_VERSION'), 'utf8').trim()
  if (made !== major)
    throw new BadSetting(
      `The database in ${dataDir} belongs to PostgreSQL ${made}, and this release has ${major}. Nothing was changed. ` +
        `Upgrade with the release before it (npm run upgrade -- RELEASE), which takes the database along.`,
    )
}
