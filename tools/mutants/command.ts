import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { type Change, changesOf } from './changes.ts'
import { RAN } from './plugin.ts'
import { marked, reachOf } from './reach.ts'
import { testsBySource } from '../test/related.ts'

/**
 * `npm run test:mutants -- [--sample 100] [--seed 1] [--part 1/4] [--only checkout,service.ts:82]`: mutation testing.
 * Replaces one operator of the shop's core at a time and expects a unit or API test to fail. At the end it lists the
 * mutations that no test noticed. `--reached` lists only the operators that no test evaluates, without a mutation.
 *
 * First all tests run once, to learn which operators each of them reaches (`reach.ts`; the record is used again until
 * the core changes). A mutation then runs the tests in its folder that reach it and the eight others that are closest
 * to it (`--nearest 8`). What they don't notice runs a second time, with forty more of the tests that reach it
 * (`--again 40`).
 *
 * tools/README.md says why this is our own tool. The file on disk stays as it is; vitest.config.ts applies the mutation
 * when the file is loaded.
 */
const CORE = [
  'src/storage/*.ts',
  'src/sync/*.ts',
  'src/features/{player,listening}/*.ts',
  'server/features/{listening,bag,discounts,prices,checkout,orders,gifts,products,membership}/*.ts',
  'server/features/media/signed-addresses.ts',
]
/** Test files per run: few enough to finish within the time limit on a busy machine. */
const TOGETHER = 6
const LONGEST_MS = 180_000

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    only: { type: 'string' },
    nearest: { type: 'string', default: '8' },
    again: { type: 'string', default: '40' },
    reached: { type: 'boolean', default: false },
  },
})
process.env.SEED ??= values.seed
process.env.MUTANTS = '1'
// Import it only now, because it reads the seed.
const { randomNumbers } = await import('#tests/support/random.ts')

const files = globSync(CORE, { exclude: ['**/*.test.ts'] }).toSorted()
const sources = new Map(files.map((file) => [file, changesOf(file, readFileSync(file, 'utf8'))]))
const wanted = values.only?.split(',') ?? ['']
const all = [...sources.values()]
  .flat()
  .filter(({ file, line }) => wanted.some((part) => `${file}:${line}`.includes(part)))
/** How the test files of the current run ended. */
const states = new Map<string, string>()
/** All of them ran to their end and passed. */
let isComplete = false
const reporter = { onTestModuleEnd: (module: TestModule) => void states.set(module.moduleId, module.state()) }
const lengths = measuredLengths()
const related = testsBySource()
const testsOfFile = new Map(files.map((file) => [file, related(file)]))
const reach = await reachOf(sources, recordReach)
if (values.reached) {
  const missed = all.filter((change) => testsThatReach(change).length === 0)
  console.log(missed.map((change) => `not reached: ${described(change)}`).join('\n'))
  console.log(`\n${missed.length} of ${all.length} operators are reached by no test`)
  process.exit(0)
}

const sample = sampleOf(all, values.sample ? Number(values.sample) : all.length, Number(values.seed))
const chosen = partOf(sample, values.part)
console.log(`${chosen.length} of ${all.length} changes in ${files.length} files, seed ${values.seed}`)

let { vitest, byFile } = await start()
/** Test files that passed without a mutation; they are not run again. */
const sound = new Set<string>()
const survived: Change[] = []
for (const [number, change] of chosen.entries()) {
  const noticed = await isNoticed(change, closestTests(change))
  if (!noticed) survived.push(change)
  console.log(`${number + 1}. ${noticed ? 'noticed' : 'NOT NOTICED'}: ${described(change)}`)
}
console.log(`\n${chosen.length - survived.length} of ${chosen.length} changes noticed by the closest tests`)

const unnoticed: Change[] = []
for (const [number, change] of survived.entries()) {
  const closest = closestTests(change)
  const others = testsThatReach(change).filter((test) => !closest.includes(test))
  const noticed = await isNoticed(change, others.slice(0, Number(values.again)))
  if (!noticed) unnoticed.push(change)
  console.log(`${number + 1}. ${noticed ? 'noticed by others' : 'NOT NOTICED'}: ${described(change)}`)
}
await vitest.close()

const percent = ((100 * (chosen.length - unnoticed.length)) / chosen.length).toFixed(0)
console.log(`\n${unnoticed.map((change) => `not noticed: ${described(change)}`).join('\n')}`)
console.log(`\n${chosen.length - unnoticed.length} of ${chosen.length} changes noticed (${percent} in 100)`)
process.exit(0)

async function start(options: Parameters<typeof createVitest>[1] = { testTimeout: 60_000 }) {
  const vitest = await createVitest('test', { watch: false, reporters: [reporter], ...options })
  // Sorted by project name; a test file that is in several projects runs in the last one only.
  const specifications = (await vitest.globTestSpecifications()).toSorted((a, b) =>
    a.project.name.localeCompare(b.project.name),
  )
  return { vitest, byFile: new Map(specifications.map((each) => [each.moduleId, each] as const)) }
}

/** Returns the test files that ended. */
async function recordReach(record: string): Promise<string[]> {
  console.log('Running all tests once, to learn which operators they reach')
  const tests = new Set(
    files.flatMap((file) => Object.values(testsOfFile.get(file)!).flat()).map((test) => resolve(test)),
  )
  globalThis.marking = (code, path) => {
    const file = relative('.', path)
    const changes = sources.get(file)
    return changes && marked(code, changes, file, record)
  }
  states.clear()
  // A worker that does not stop in time ends the whole run, so run the remaining tests again.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const recording = await start({})
    const remaining = [...recording.byFile.values()].filter(
      ({ moduleId }) => tests.has(moduleId) && !states.has(moduleId),
    )
    if (remaining.length > 0) await recording.vitest.runTestSpecifications(remaining)
    await recording.vitest.close()
    if (remaining.length === 0) break
  }
  globalThis.marking = undefined
  return [...states.keys()].map((moduleId) => relative('.', moduleId))
}

/** Those that most likely notice the change come first. */
function testsThatReach(change: Change): string[] {
  const { near, far } = testsOfFile.get(change.file)!
  const reached = [...near, ...far].filter((test) => reach.isReached(change, test) ?? true)
  const isNamesake = (test: string) => basename(test).startsWith(`${basename(change.file, '.ts')}.`)
  const share = new Map(reached.map((test) => [test, reach.shareOf(change.file, test)]))
  return reached.toSorted(
    (a, b) =>
      Number(isNamesake(b)) - Number(isNamesake(a)) ||
      share.get(b)! - share.get(a)! ||
      lengthOf(a) - lengthOf(b),
  )
}

function closestTests(change: Change): string[] {
  const tests = testsThatReach(change)
  const isNear = (test: string) => dirname(test) === dirname(change.file)
  const others = tests.filter((test) => !isNear(test)).slice(0, Number(values.nearest))
  return tests.filter((test) => isNear(test) || others.includes(test))
}

/** A worker in an endless loop ignores messages, and Vitest would wait for it forever, so kill it. */
async function startAnew(): Promise<void> {
  const { error, stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  })
  if (error)
    throw new Error('A change never ends, and ps (Debian: procps) is not here to find its process.', {
      cause: error,
    })
  for (const line of stdout.split('\n'))
    if (line.includes('vitest/dist/workers')) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  await Promise.race([vitest.close(), delay(10_000)])
  ;({ vitest, byFile } = await start())
}

async function isNoticed(change: Change, asked: readonly string[]): Promise<boolean> {
  // A test that also fails without the mutation proves nothing.
  const broken = new Set<string>()
  for (const tests of [asked.slice(0, 2), ...inTurns(asked.slice(2), TOGETHER)])
    for (;;) {
      const sane = tests.filter((test) => !broken.has(test))
      if (sane.length === 0) break
      const failing = await withChange(change, () => failingOf(sane))
      if (failing.length === 0) break
      const unsure = failing.filter((test) => !sound.has(test))
      const anyway = unsure.length > 0 ? await failingOf(unsure) : []
      for (const test of unsure) if (!anyway.includes(test)) sound.add(test)
      if (failing.some((test) => sound.has(test))) return true
      for (const test of anyway) {
        console.log(`   ${test} fails as it is`)
        broken.add(test)
      }
    }
  return false
}

function lengthOf(test: string): number {
  return lengths.get(test) ?? 0
}

/** Milliseconds by test file, from Vitest's last run on this machine; empty if there was none. */
function measuredLengths(): ReadonlyMap<string, number> {
  const [noted] = globSync('node_modules/.vite/vitest/*/results.json')
  if (noted === undefined) return new Map()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Vitest writes it
  const { projects } = JSON.parse(readFileSync(noted, 'utf8')) as {
    projects: Record<string, { files: Record<string, { duration: number }> }>
  }
  const files = Object.values(projects).flatMap((project) => Object.entries(project.files))
  return new Map(files.map(([name, { duration }]) => [name, duration]))
}

function inTurns(tests: readonly string[], many: number): (readonly string[])[] {
  return tests.length === 0 ? [] : [tests.slice(0, many), ...inTurns(tests.slice(many), many)]
}

async function withChange(change: Change, work: () => Promise<string[]>): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    globalThis.mutant = { ...change, file: resolve(change.file) }
    rmSync(RAN, { force: true })
    forget(vitest, change.file)
    try {
      const result = await work()
      // An aborted run may load the original file, or end before its tests; then the mutation was not tested.
      const isTested = existsSync(RAN) && (result.length > 0 || isComplete)
      if (isTested || attempt === 3) return result
    } finally {
      globalThis.mutant = undefined
      forget(vitest, change.file)
    }
  }
}

/** The test files that fail; all of them if the run does not end in time. */
async function failingOf(tests: readonly string[]): Promise<string[]> {
  const wanted = tests.flatMap((test) => byFile.get(resolve(test)) ?? [])
  states.clear()
  isComplete = false
  const tooLong = new AbortController()
  const run = await Promise.race([
    vitest.runTestSpecifications(wanted),
    delay(LONGEST_MS, undefined, { signal: tooLong.signal }).catch(() => undefined),
  ])
  tooLong.abort()
  if (!run) await startAnew()
  if (!run || run.unhandledErrors.length > 0) return [...tests]
  isComplete = wanted.every(({ moduleId }) => states.get(moduleId) === 'passed')
  return wanted
    .filter(({ moduleId }) => states.get(moduleId) === 'failed')
    .map(({ moduleId }) => relative('.', moduleId))
}

function forget(runner: Vitest, file: string): void {
  runner.invalidateFile(resolve(file))
}

function described({ file, line, was, is }: Change): string {
  return `${file}:${line} ${was} ${is ? `became ${is}` : 'went away'}`
}

/** '2/4' is the second quarter, to split a long run. */
function partOf(changes: readonly Change[], part: string): Change[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser’s own shape
  const [number, parts] = part.split('/').map(Number) as [number, number]
  const from = (share: number) => Math.round((changes.length * share) / parts)
  return changes.slice(from(number - 1), from(number))
}

function sampleOf(changes: readonly Change[], size: number, seed: number): Change[] {
  if (size >= changes.length) return [...changes]
  const random = randomNumbers(seed)
  return changes
    .map((change) => [random(), change] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, size)
    .map(([, change]) => change)
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.start - b.start)
}
