import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureBrowser } from './browser.ts'

/**
 * `npm test`: types, lint, walls, unit and API tests, the build, journeys in a real browser.
 * Every part runs even if one before it failed; the last line counts them all.
 */
const long = process.argv.includes('--long')
if (long) process.env.LONG = '1'
const bin = (name: string) => `node_modules/.bin/${name}`
const failedParts: string[] = []
process.env.SEED ??= String(randomInt(2 ** 31))
console.log(`Random tests begin at SEED=${process.env.SEED}`)

rmSync('test-results', { recursive: true, force: true })
mkdirSync('test-results', { recursive: true })

// The build keeps one core busy; what only reads the code takes the other.
await Promise.all([
  quietPart('Build', process.execPath, ['tools/build.ts']),
  (async () => {
    await quietPart('Types', bin('tsc'), ['-b'])
    await quietPart('Lint and walls', process.execPath, ['tools/lint.ts'])
  })(),
])
await part('Unit and API tests', bin('vitest'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  '--outputFile.json=test-results/unit.json',
])
// Before the journeys: they empty the folder.
const unit = unitCounts()
ensureBrowser()
await part('Journeys', bin('playwright'), ['test'])
const journeys = journeyCounts()

// What is sold is walked at both sizes; each journey by itself has the one where its buyer is likeliest.
const SOLD = [
  'a-year-of',
  'join-and-leave',
  'pay-for-a-membership',
  'give-a-',
  'a-card-from',
  'the-booksellers',
]
if (long) {
  process.env.OTHER_SIZE = '1'
  await part('Journeys at the other size', bin('playwright'), ['test', ...SOLD])
  const other = journeyCounts()
  for (const each of ['passed', 'failed', 'skipped'] as const) journeys[each] += other[each]
}
const passed = unit.passed + journeys.passed
const failed = unit.failed + journeys.failed
if (failedParts.length > 0)
  console.log(`\nFailed: ${failedParts.join(', ')}; random tests began at SEED=${process.env.SEED}`)
console.log(
  `\n${passed} passed, ${failed || (failedParts.length > 0 ? failedParts.length : 0)} failed, ${unit.skipped + journeys.skipped} skipped`,
)
process.exit(failedParts.length > 0 || failed > 0 || passed === 0 ? 1 : 0)

/** Its output as it comes, with the runner's own summary last. */
async function part(name: string, command: string, args: readonly string[]): Promise<void> {
  console.log(`\n── ${name}`)
  const started = Date.now()
  report(name, started, await ended(spawn(command, args, { stdio: 'inherit' })))
}

/** Beside another part: its output in one piece, when it is done. */
async function quietPart(name: string, command: string, args: readonly string[]): Promise<void> {
  const started = Date.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
  const passed = await ended(child)
  console.log(`\n── ${name}\n${said.join('').trimEnd()}`)
  report(name, started, passed)
}

function ended(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
}

function report(name: string, started: number, passed: boolean): void {
  if (!passed) failedParts.push(name)
  console.log(`── ${name}: ${passed ? 'done' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(0)} s`)
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
    stats: { expected: number; unexpected: number; skipped: number }
  }>('test-results/journeys.json')?.stats
  return {
    passed: stats?.expected ?? 0,
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
  }
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
