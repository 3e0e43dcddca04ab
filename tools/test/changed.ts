import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { testsBySource } from './related.ts'

/** Tests by path and journeys by name, as the two test runners take them. */
export interface Reached {
  readonly tests: readonly string[]
  readonly journeys: readonly string[]
}

/**
 * Limit for the tests outside a file's folder, because in the whole app everything imports everything. 96 in 100
 * mutations of `test:mutants` are noticed by this many.
 */
const NEAREST = 12

/** Journeys for changes in shared code, which belongs to no feature. */
const SPINE = [
  'tests/journeys/purchase-by-keyboard.spec.ts',
  'tests/journeys/listen-offline-and-sync.spec.ts',
]

export function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n')
  return [
    ...git('diff', '--name-only', '--diff-filter=d', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter((file) => file !== '')
}

/**
 * The tests affected by a change of these files: those that import them, nearest first, and the journeys of their
 * features.
 */
export function reachedBy(files: readonly string[]): Reached {
  const isTest = (file: string) => /\.test\.tsx?$/.test(file)
  const isJourney = (file: string) => file.endsWith('.spec.ts')
  const sources = files.filter((file) => !isTest(file) && !isJourney(file))
  const testsOf = testsBySource()
  const tests = sources.flatMap((file) => {
    const { near, far } = testsOf(file)
    return [...near, ...far.slice(0, NEAREST), ...testsBeside(file)]
  })
  const journeys = sources.flatMap((file) => journeysThrough(file))
  return {
    tests: unique([...files.filter(isTest), ...tests, ...globSync('tests/codebase/*.test.ts')]),
    journeys: unique([...files.filter(isJourney), ...journeys]),
  }
}

/** Tests in the same folder, for a file that no test imports, such as a style, a text or a picture. */
const testsBeside = (file: string): string[] =>
  /\.tsx?$/.test(file) ? [] : globSync(`${dirname(file)}/*.test.{ts,tsx}`)

export function isBuilt(): boolean {
  if (!existsSync('dist/built.json')) return false
  const builtAt = statSync('dist/built.json').mtimeMs
  const read = globSync([
    '{src,sw,contract,server,importer,analysis,demo}/**/*.*',
    'index.html',
    'vite.config.ts',
    'package-lock.json',
  ])
  return read.every((path) => /\.test\.tsx?$/.test(path) || statSync(path).mtimeMs < builtAt)
}

/** The feature of a file, or else its top-level folder. */
function nounOf(file: string): string | undefined {
  const noun = /^(?:contract|server\/features|src\/features|src\/routes)\/-?([\w-]+)/.exec(file)
  const folder =
    /^(?:server|src)\/([\w-]+)\//.exec(file) ?? /^(sw|sandbox|importer|analysis|demo)\//.exec(file)
  return (noun ?? folder)?.[1]
}

function journeysThrough(file: string): string[] {
  const noun = nounOf(file)
  if (!noun) return []
  const journeys = globSync('tests/journeys/*.spec.ts').filter((journey) => nounsOf(journey).includes(noun))
  return journeys.length > 0 ? journeys : SPINE.filter((journey) => existsSync(journey))
}

/** The features in a journey's first line: `// Covers: bag, checkout`. */
export const nounsOf = (journey: string): string[] =>
  /^\/\/ Covers: (.+)$/m.exec(readFileSync(journey, 'utf8'))?.[1]?.split(', ') ?? []

const unique = (files: readonly string[]): string[] => [...new Set(files)].filter((file) => existsSync(file))
