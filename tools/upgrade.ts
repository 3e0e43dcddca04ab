import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { changeOver, NotChangedOver, type Slot, SLOTS, type Supervisor } from './change-over.ts'
import { CommandFailed, run } from './run.ts'
import { isReadyAt, lead } from './serving.ts'
import { majorOf, takeDatabaseAlong } from './take-database-along.ts'

/**
 * `npm run upgrade`: upgrades a machine with systemd to another release (docs/operations/upgrading.md). If a step
 * fails, the previous release continues to serve.
 */
const USAGE = `Usage: npm run upgrade -- RELEASE
       npm run upgrade -- --back

RELEASE is a tag or a commit of the repository, such as v0.2.0. The upgrade builds it in a separate folder, migrates the
database, starts the release in the free slot, switches the proxy to it when it is ready, and then stops the old server.
--back switches to the release in the other slot in the same way, without a build or a migration.

  --home FOLDER   the folder with repository, releases and slots (default: /srv/murmur)
  --env FILE      the servers' settings (default: /etc/murmur/murmur.env)
  --user NAME     the user that runs the servers (default: murmur)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    back: { type: 'boolean' },
    help: { type: 'boolean' },
    home: { type: 'string', default: '/srv/murmur' },
    env: { type: 'string', default: '/etc/murmur/murmur.env' },
    user: { type: 'string', default: 'murmur' },
  },
})
const [release] = positionals
if (values.help || positionals.length > 1 || (release === undefined) !== (values.back === true)) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 1)
}

const { home } = values
const environment = { ...process.env, ...parseEnv(settings()) }
const sharesDatabase = Boolean(environment.DATABASE_URL)

/** The path in murmur@.service. */
const socket = (slot: Slot) => `/run/murmur/${slot}.sock`
const unit = (slot: Slot) => `murmur@${slot}`
const systemctl = (...args: string[]) => run('systemctl', args)
const systemd: Supervisor = {
  isRunning: async (slot) => answers(() => execFileSync('systemctl', ['is-active', '--quiet', unit(slot)])),
  start: (slot) => systemctl('start', unit(slot)),
  end: (slot) => systemctl('stop', unit(slot)),
  isReady: (slot) => isReadyAt(socket(slot)),
  lead: async (slot) => lead(join(home, 'slots/serving'), socket(slot)),
  keep: async (slot) => {
    await systemctl('enable', unit(slot))
    for (const other of SLOTS) if (other !== slot) await systemctl('disable', unit(other))
  },
}

try {
  const folder = release === undefined ? undefined : await build(release)
  if (folder && sharesDatabase) await migrate(folder)
  await changeOver({
    supervisor: systemd,
    sharesDatabase,
    noticeMs: Number(environment.DRAIN_SECONDS || '0') * 1_000,
    say: console.log,
    takeDatabaseAlong: (old) => {
      const next = folder ?? readlinkSync(join(home, 'slots', old === '0' ? '1' : '0'))
      return along(readlinkSync(join(home, 'slots', old)), next)
    },
    prepare: async (slot) => (folder ? link(slot, folder) : isLinked(slot)),
  })
} catch (error) {
  if (!(error instanceof NotChangedOver || error instanceof CommandFailed)) throw error
  console.error(
    error instanceof CommandFailed
      ? `${error.message}. The previous release continues to serve.`
      : error.message,
  )
  process.exitCode = 1
}

function settings(): string {
  try {
    return readFileSync(values.env, 'utf8')
  } catch {
    return refuse(
      `Can't read the settings from ${values.env}. Copy docs/operations/deployment/murmur.env.example there and fill it in, or choose another file with --env.`,
    )
  }
}

function releasesIn(repository: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim()
  const tags = git('tag', '--sort=-version:refname').split('\n').filter(Boolean).slice(0, 5)
  return tags.length > 0
    ? `The newest releases are ${tags.join(', ')}.`
    : `It has no tags. Use a commit, such as ${git('rev-parse', '--short', 'HEAD')}.`
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

/** Builds in a new folder, so the running release is not touched. Continues an interrupted build. */
async function build(name: string): Promise<string> {
  const repository = join(home, 'repository')
  const folder = join(home, 'releases', name.replaceAll(/[^\w.-]/g, '-'))
  if (!existsSync(repository))
    refuse(
      `There is no repository in ${repository}. Clone it there first (docs/operations/deployment.md, One machine).`,
    )
  await run('git', ['-C', repository, 'fetch', '--tags', '--quiet'])
  const isThere = answers(() =>
    execFileSync('git', ['-C', repository, 'rev-parse', '--quiet', '--verify', `${name}^{commit}`], {
      stdio: 'ignore',
    }),
  )
  if (!isThere) refuse(`There is no release ${name} in ${repository}. ${releasesIn(repository)}`)
  if (!existsSync(folder)) await run('git', ['-C', repository, 'worktree', 'add', '--detach', folder, name])
  if (existsSync(join(folder, 'dist/built.json'))) return folder
  await run('npm', ['ci'], { cwd: folder })
  await run('npm', ['run', '--silent', 'build'], { cwd: folder })
  return folder
}

/** Runs as the server's user, which has access to the database. */
function migrate(folder: string): Promise<void> {
  return asServer(folder, 'database', 'migrate')
}

async function along(release: string, next: string): Promise<() => Promise<void>> {
  const major = majorOf(next)
  const dataDir = environment.DATA_DIR
  if (!major || !dataDir) return async () => {}
  return takeDatabaseAlong({
    dataDir,
    major,
    backUp: (file) => asServer(release, 'backup', file, '--media', 'list'),
    restore: (file) => asServer(next, 'restore', file, '--same-moment'),
    say: console.log,
  })
}

/** Runs an owner's command of a release. */
async function asServer(folder: string, ...given: string[]): Promise<void> {
  const murmur = ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts']
  const command = [process.execPath, ...murmur, ...given]
  const [program, ...args] =
    process.getuid?.() === 0 ? ['runuser', '-u', values.user, '--', ...command] : command
  await run(program!, args, { cwd: folder, env: environment })
}

async function link(slot: Slot, folder: string): Promise<true> {
  const slots = join(home, 'slots')
  await mkdir(slots, { recursive: true })
  lead(join(slots, slot), folder)
  return true
}

function isLinked(slot: Slot): boolean {
  const path = join(home, 'slots', slot)
  const there = answers(() => readlinkSync(path)) && existsSync(join(path, 'dist/built.json'))
  if (there) console.log(`Slot ${slot} has the release in ${readlinkSync(path)}.`)
  return there
}

function answers(ask: () => unknown): boolean {
  try {
    ask()
    return true
  } catch {
    return false
  }
}
