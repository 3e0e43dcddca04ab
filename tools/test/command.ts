import { mkdirSync, rmSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { changedSince, isBuilt, reachedBy } from './changed.ts'
import { failedParts, runPart, runPartBeside, timesOfParts } from './parts.ts'
import { addUp, failures, readJourneyReport, readUnitReport, type Report, slowest } from './reports.ts'
import { noteSandboxTested, sandboxChanged } from './sandbox-changed.ts'

/**
 * `npm test`: types, lint, unit and API tests, the build, journeys in a real browser. `npm run test:long`: all of it,
 * always with the sandbox's own tests, in full counts and with a random seed. `npm test -- --changed[=COMMIT]`: only
 * tests affected by changes since then, for the time between commits. Every part runs even if an earlier one failed;
 * the last line counts them all.
 */
const { values: options } = parseArgs({
  options: { long: { type: 'boolean' }, changed: { type: 'string' } },
  // `--changed` alone means since the last commit.
  args: process.argv.slice(2).map((word) => (word === '--changed' ? '--changed=HEAD' : word)),
})
const isLong = options.long ?? false
if (isLong) {
  process.env.LONG = '1'
  process.env.SEED ??= String(randomInt(2 ** 31))
}
const changed = options.changed === undefined ? [] : changedSince(options.changed)
const reached = options.changed === undefined ? undefined : reachedBy(changed)
const bin = (name: string) => `node_modules/.bin/${name}`

rmSync('test-results', { recursive: true, force: true })
mkdirSync('test-results', { recursive: true })

const testsSandbox = isLong || sandboxChanged()
if (!testsSandbox) console.log('The sandbox is as it was when its own tests passed: they are left out.')

// The build uses one core, the static checks use the other.
await Promise.all([
  reached && isBuilt() ? undefined : runPartBeside('Build', process.execPath, ['tools/build.ts']),
  (async () => {
    // One checker per project: each of several would resolve the same imported types again.
    await runPartBeside('Types', bin('tsc'), ['-b', '--checkers', '1'])
    await runPartBeside('Lint', process.execPath, ['tools/lint.ts', ...changed])
  })(),
])

const reports: Report[] = []
await Promise.all([
  runUnitTests(),
  runPartBeside('Browser and shop of the journeys', process.execPath, ['tools/test/prepare-journeys.ts']),
])
await runJourneys('Journeys', reached?.journeys ?? [])
if (isLong) {
  // Purchases are tested at both screen sizes; other journeys only at the size that their visitors are likely to have.
  process.env.OTHER_SIZE = '1'
  await runJourneys('Journeys at the other size', [
    'membership-year',
    'join-and-cancel',
    'give-a-',
    'redeem-a-card',
    'point-of-sale',
  ])
}
tell(addUp(reports))

async function runUnitTests(): Promise<void> {
  if (reached?.tests.length === 0) return
  const written = 'test-results/unit.json'
  await runPart('Unit and API tests', bin('vitest'), [
    'run',
    ...(reached?.tests ?? []),
    ...(testsSandbox ? [] : ['--project=!sandbox']),
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${written}`,
  ])
  reports.push(readUnitReport(written))
}

async function runJourneys(name: string, specs: readonly string[]): Promise<void> {
  if (reached?.journeys.length === 0) return
  await runPart(name, bin('playwright'), [
    'test',
    ...specs,
    ...(testsSandbox ? [] : ['--project=longest', '--project=journeys']),
  ])
  reports.push(readJourneyReport('test-results/journeys.json'))
}

function tell(report: Report): void {
  const { passed, failed, skipped } = report
  console.log(`\nThe ten slowest:\n${slowest(report, 10).join('\n')}`)
  console.log(`\nTime of each part: ${timesOfParts()}`)
  if (reached) console.log('This was what the change can reach; before it lands, run all of it: npm test')
  const broken = failedParts()
  if (testsSandbox && !reached && broken.length === 0 && failed === 0) noteSandboxTested()
  if (failed > 0) console.log(`\nWhat failed:\n${failures(report).join('\n')}`)
  if (broken.length > 0)
    console.log(`\nFailed: ${broken.join(', ')}${isLong ? `; SEED=${process.env.SEED}` : ''}`)
  console.log(`\n${passed} passed, ${failed || broken.length} failed, ${skipped} skipped`)
  process.exitCode = broken.length > 0 || failed > 0 || (passed === 0 && !reached) ? 1 : 0
}
