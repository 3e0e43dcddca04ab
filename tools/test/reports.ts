import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

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
  readonly problem?: string
}

const NOTHING: Report = { passed: 0, failed: 0, skipped: 0, tests: [] }

export function readUnitReport(path: string): Report {
  const written = readJson<{
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    testResults: {
      name: string
      assertionResults: { title: string; duration?: number | null; failureMessages?: string[] }[]
    }[]
  }>(path)
  if (!written) return NOTHING
  return {
    passed: written.numPassedTests,
    failed: written.numFailedTests,
    skipped: written.numPendingTests,
    tests: written.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, duration, failureMessages = [] }) => ({
        file: relative('.', name),
        title,
        seconds: (duration ?? 0) / 1000,
        ...problemIn(failureMessages),
      })),
    ),
  }
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly file: string
    readonly tests: readonly { readonly results: readonly JourneyResult[] }[]
  }[]
}
interface JourneyResult {
  readonly duration: number
  readonly errors?: readonly { readonly message?: string }[]
}

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

export const slowest = ({ tests }: Report, count: number): string[] =>
  tests
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}: ${title}`)

/** One entry per failed test with its reason. Printed at the end, because CI may keep only the last lines. */
export const failures = ({ tests }: Report): string[] =>
  tests.flatMap(({ file, title, problem }) =>
    problem === undefined ? [] : [`  ${file}: ${title}\n    ${problem}`],
  )

const SHOWN_OF_PROBLEM = 300

function problemIn(messages: readonly string[]): { problem?: string } {
  const [message] = messages
  if (message === undefined) return {}
  const words = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim()
  return { problem: words.slice(0, SHOWN_OF_PROBLEM) }
}

function testsOf({ suites = [], specs }: Suite): TimedTest[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ results }) => ({
      file,
      title,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      ...problemIn(results.flatMap(({ errors = [] }) => errors.map(({ message = 'no message' }) => message))),
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
