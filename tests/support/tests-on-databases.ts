import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const DATABASE = normalize('tests/support/database.ts')

/**
 * How a file begins that runs on PostgreSQL in every run, with the reason behind it: its subject is what the two databases
 * could do differently, such as locks, races, messages and several instances, or it is the one that runs its room's queries.
 */
const MARK = '// On PostgreSQL too: '

/** What kills servers and opens folders does so to both databases in the first run, or to the embedded one alone. */
const ABOUT_THE_EMBEDDED = ['server/db/embedded/**', '**/kill.test.ts', 'server/import/command.test.ts']

/** The test files that run on PostgreSQL once more; in a long run all that open a database. */
export const testsOnDatabases = (): string[] =>
  process.env.LONG ? testsWithDatabase() : testsWithDatabase().filter(isMarked)

export const isMarked = (file: string): boolean => readFileSync(file, 'utf8').startsWith(MARK)

/** The test files that open a database, themselves or by what supports them. */
export function testsWithDatabase(): string[] {
  const known = new Map<string, boolean>([[DATABASE, true]])
  const opens = (file: string): boolean => {
    const answer = known.get(file)
    if (answer !== undefined) return answer
    // Until the opposite is known, so that files that import each other come to an end.
    known.set(file, false)
    const isOpened = importsOf(file).some(opens)
    known.set(file, isOpened)
    return isOpened
  }
  return globSync('{server,tests/contract}/**/*.test.ts', { exclude: ABOUT_THE_EMBEDDED }).filter(opens)
}

/** Beside the file or among the supports; no code of the shop opens a test's database. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/from '(#tests|\.{1,2})\/([\w./-]+\.ts)'/g)]
    .map(([, start, rest]) =>
      normalize(start === '#tests' ? join('tests', rest!) : join(dirname(file), start!, rest!)),
    )
    .filter((path) => existsSync(path))
}
