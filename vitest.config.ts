import { randomInt } from 'node:crypto'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { SOON_MS } from './tests/support/wait-ms.ts'
import { mutating } from './tools/mutants/plugin.ts'

if (process.env.LONG) process.env.SEED ??= String(randomInt(2 ** 31))
if (process.env.SEED) console.log(`Random tests begin at SEED=${process.env.SEED}`)

const MEMORY = '/dev/shm'
const ROOM_BYTES = 6 * 2 ** 30
// Tests create hundreds of databases and folders, which takes a fifth less time where nothing is written to a disk.
if (process.platform === 'linux' && hasRoom()) {
  const folder = mkdtempSync(join(MEMORY, 'murmur-tests-'))
  // Like /tmp: as root, PostgreSQL runs as another user.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** A container's own is small and runs no programs, which some tests write. */
function hasRoom(): boolean {
  const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounted.map((line) => line.split(' ')).find(([, folder]) => folder === MEMORY)?.[3]
  if (!options || options.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES
}

const SERVER = '{server,importer,analysis,demo,tests/contract}/**/*.test.ts'
const APP = globSync('{contract,src,office,sw,tests,content,bench,tools}/**/*.test.{ts,tsx}', {
  exclude: ['tests/contract/**'],
})
const says = (file: string, words: RegExp) => words.test(readFileSync(file, 'utf8'))
const SCREENS = APP.filter((file) => says(file, /@vitest-environment happy-dom/))
/** Files that change modules or globals, which files without a DOM otherwise share. */
const ALONE = APP.filter(
  (file) => !SCREENS.includes(file) && says(file, /vi\.(?:mock|doMock|resetModules)|fake-indexeddb\/auto/),
)
/** Every page names the shop's operator; the app's tests use the demo's details. */
const ITS_SHOP = { globalSetup: ['tests/support/provide-shop.ts'], setupFiles: ['tests/support/its-shop.ts'] }
const SHARED = APP.filter((file) => !SCREENS.includes(file) && !ALONE.includes(file))

const project = (name: string, more: object): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...more },
})

export default defineConfig({
  plugins: [react(), ...(process.env.MUTANTS ? [mutating()] : [])],
  test: {
    // Don't cache transformed modules with a mutation in them.
    fsModuleCache: !process.env.MUTANTS,
    // The smallest machine has two cores; databases and argon2 use the rest.
    maxWorkers: 2,
    // A busy machine must not fail a test; one that hangs is still reported, only later.
    testTimeout: 180_000,
    expect: { poll: { timeout: SOON_MS } },
    hookTimeout: 300_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      project('screens', {
        include: SCREENS,
        ...ITS_SHOP,
        setupFiles: ['tests/support/patience.ts', ...ITS_SHOP.setupFiles],
      }),
      project('alone', { include: ALONE, ...ITS_SHOP }),
      project('shared', { include: SHARED, isolate: false, ...ITS_SHOP }),
      project('sandbox', { include: ['sandbox/**/*.test.ts'] }),
      project('server', {
        include: [SERVER],
        // The server keeps no state outside the shop that a test creates, so files can share their imports.
        isolate: false,
        globalSetup: ['tests/support/global-setup.ts'],
      }),
    ],
  },
})
