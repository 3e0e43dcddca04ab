import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** A test runner's own report: how many tests ended how, and how long each took. */
export interface Report {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly tests: readonly TimedTest[]
}

interface TimedTest {
  readonly file: string
  readonly title: string
  readonly seconds: number
}

const NOTHING: Report = { passed: 0, failed: 0, skipped: 0, tests: [] }

/** Vitest's, as its JSON reporter writes it. */
export function readUnitReport(path: string): Report {
  const written = readJson<{
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    testResults: { name: string; assertionResults: { title: string; duration?: number | null }[] }[]
  }>(path)
  if (!written) return NOTHING
  return {
    passed: written.numPassedTests,
    failed: written.numFailedTests,
    skipped: written.numPendingTests,
    tests: written.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, duration }) => ({
        file: relative('.', name),
        title,
        seconds: (duration ?? 0) / 1000,
      })),
    ),
  }
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly file: string
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[]
  }[]
}

/** Playwright's, as its JSON reporter writes it. */
export function readJourneyReport(path: string): Report {
  const written = readJson<{
    stats: { expected: number; unexpected: number; skipped: number }
    suites: Suite[]
  }>(path)
  if (!written) return NOTHING
  const { expected, unexpected, skipped } = written.stats
  return { passed: expected, failed: unexpected, skipped, tests: written.suites.flatMap(testsOf) }
}

export function addUp(reports: readonly Report[]): Report {
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: reports.reduce((sum, { failed }) => sum + failed, 0),
    skipped: reports.reduce((sum, { skipped }) => sum + skipped, 0),
    tests: reports.flatMap(({ tests }) => tests),
  }
}

/** The tests that took longest, a line each. */
export const slowest = ({ tests }: Report, count: number): string[] =>
  tests
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}: ${title}`)

function testsOf({ suites = [], specs }: Suite): TimedTest[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ results }) => ({
      file,
      title,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
