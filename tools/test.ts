import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

/**
 * `npm test`: types, lint, walls, unit and API tests, the build, journeys in a real browser.
 * Every part runs even if one before it failed; the last line counts them all.
 */
const long = process.argv.includes('--long')
if (long) process.env.LONG = '1'
const bin = (name: string) => `node_modules/.bin/${name}`
const failedParts: string[] = []

rmSync('test-results', { recursive: true, force: true })
mkdirSync('test-results', { recursive: true })

part('Types', bin('tsc'), ['-b'])
part('Types of the tests', bin('tsc'), ['-p', 'tsconfig.tests.json'])
part('Lint and walls', process.execPath, ['tools/lint.ts'])
part('Build', process.execPath, ['tools/build.ts'])
part('Unit and API tests', bin('vitest'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  '--outputFile.json=test-results/unit.json',
])
// Before the journeys: they empty the folder.
const unit = unitCounts()
ensureBrowser()
part('Journeys', bin('playwright'), ['test'])

const journeys = journeyCounts()
const passed = unit.passed + journeys.passed
const failed = unit.failed + journeys.failed
if (failedParts.length > 0) console.log(`\nFailed: ${failedParts.join(', ')}`)
console.log(
  `\n${passed} passed, ${failed || (failedParts.length > 0 ? failedParts.length : 0)} failed, ${unit.skipped + journeys.skipped} skipped`,
)
process.exit(failedParts.length > 0 || failed > 0 || passed === 0 ? 1 : 0)

function part(name: string, command: string, args: readonly string[]): void {
  const started = Date.now()
  console.log(`\n── ${name}`)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (error) console.error(error.message)
  if (status !== 0) failedParts.push(name)
  console.log(
    `── ${name}: ${status === 0 ? 'done' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(0)} s`,
  )
}

/** Debian's Chromium; installed here when we may, and otherwise said clearly. */
function ensureBrowser(): void {
  const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
  if (existsSync(chromium)) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `The journeys need Chromium at ${chromium}. Install it (apt-get install chromium) or set CHROMIUM to its path.`,
    )
    return
  }
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env: environment })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: 'inherit',
    env: environment,
  })
}

interface Counts {
  passed: number
  failed: number
  skipped: number
}

function unitCounts(): Counts {
  const report = readReport<{ numPassedTests: number; numFailedTests: number; numPendingTests: number }>(
    'test-results/unit.json',
  )
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
  }
}

function journeyCounts(): Counts {
  const stats = readReport<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  }>('test-results/journeys.json')?.stats
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
  }
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
