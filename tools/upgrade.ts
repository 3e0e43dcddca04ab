import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { changeOver, NotChangedOver, type Slot, SLOTS, type Supervisor } from './change-over.ts'
import { run } from './run.ts'
import { isReadyAt, lead } from './serving.ts'

/**
 * `npm run upgrade`: a machine with systemd changes over to another release (docs/operating.md, An upgrade). Where something fails
 * what served before serves on.
 */
const USAGE = `Usage: npm run upgrade -- RELEASE
       npm run upgrade -- --back

RELEASE is a tag or a commit of the repository, such as v0.2.0: it is built beside the one that serves, brings the database to
its schema, begins, and serves when it is ready; then the other one ends. --back begins the release before in the same way.

  --home FOLDER   where repository, releases and slots are (/srv/murmur)
  --env FILE      the settings of the servers (/etc/murmur/murmur.env)
  --user NAME     who the servers are (murmur)`

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
const environment = { ...process.env, ...parseEnv(readFileSync(values.env, 'utf8')) }
const sharesDatabase = Boolean(environment.DATABASE_URL)

/** As murmur@.service has it. */
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
    prepare: async (slot) => (folder ? link(slot, folder) : isLinked(slot)),
  })
} catch (error) {
  if (!(error instanceof NotChangedOver)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** In a folder of its own: nothing in the one of a running server is touched. One that was begun is gone on with. */
async function build(name: string): Promise<string> {
  const repository = join(home, 'repository')
  const folder = join(home, 'releases', name.replaceAll(/[^\w.-]/g, '-'))
  await run('git', ['-C', repository, 'fetch', '--tags', '--quiet'])
  if (!existsSync(folder)) await run('git', ['-C', repository, 'worktree', 'add', '--detach', folder, name])
  if (existsSync(join(folder, 'dist/built.json'))) return folder
  await run('npm', ['ci'], { cwd: folder })
  await run('npm', ['run', '--silent', 'build'], { cwd: folder })
  return folder
}

/** As the servers, whom the database lets in. */
async function migrate(folder: string): Promise<void> {
  const command = [
    process.execPath,
    '--import',
    './server/db/quick-imports.ts',
    'server/commands/migrate-database.ts',
  ]
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
  if (there) console.log(`Slot ${slot} holds ${readlinkSync(path)}.`)
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
