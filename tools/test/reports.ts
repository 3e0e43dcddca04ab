import { existsSync, readFileSync } from 'node:fs'
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
  /** What the browser showed when a journey failed, a line per element. */
  readonly page?: readonly string[]
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
  readonly attachments?: readonly { readonly name: string; readonly path?: string }[]
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
  tests.flatMap(({ file, title, problem, page = [] }) =>
    problem === undefined
      ? []
      : [[`  ${file}: ${title}`, problem, ...page.map((line) => `| ${line}`)].join('\n    ')],
  )

const SHOWN_OF_PROBLEM = 300
const SHOWN_OF_PAGE = 40
const PAGE_SNAPSHOT = /# Page snapshot\s+```yaml\n([\s\S]*?)```/

function problemIn(messages: readonly string[]): { problem?: string } {
  const [message] = messages
  if (message === undefined) return {}
  const words = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim()
  return { problem: words.slice(0, SHOWN_OF_PROBLEM) }
}

/** The elements with a name or text in the page snapshot that the runner stores with a failure. */
function pageAtFailure(results: readonly JourneyResult[]): { page?: readonly string[] } {
  const path = results
    .flatMap(({ attachments = [] }) => attachments)
    .find(({ name }) => name === 'error-context')?.path
  const [, snapshot] = (path !== undefined && existsSync(path) && PAGE_SNAPSHOT.exec(read(path))) || []
  if (snapshot === undefined) return {}
  const lines = snapshot
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*- /, '')
        .replaceAll(/ \[(ref|cursor)=\w+\]/g, '')
        .replace(/:$/, ''),
    )
    .filter((line) => /["“]|: \S/.test(line) && !line.startsWith('/'))
  return { page: lines.slice(0, SHOWN_OF_PAGE) }
}

function testsOf({ suites = [], specs }: Suite): TimedTest[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ results }) => ({
      file,
      title,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      ...problemIn(results.flatMap(({ errors = [] }) => errors.map(({ message = 'no message' }) => message))),
      ...pageAtFailure(results),
    })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(read(path))
  } catch {
    return undefined
  }
}

const read = (path: string): string => readFileSync(path, 'utf8')
