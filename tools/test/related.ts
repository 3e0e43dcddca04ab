import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

/** Folders by the first part of an import, such as `#features`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
const { imports: subpaths } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  imports: Record<string, string>
}
const FOLDERS = new Map(
  Object.entries(subpaths).map(([name, folder]) => [dirname(name), dirname(folder)] as const),
)

/**
 * Finds the tests that import a file, directly or indirectly. `near` are those in its folder. `far` are sorted: those
 * that name its feature most often first, then those with the shortest import path.
 */
export function testsBySource(): (file: string) => { near: string[]; far: string[] } {
  const tests = globSync(
    ['{contract,server,importer,analysis,demo,office,src,sw,tests}/**/*.test.{ts,tsx}'],
    {
      exclude: ['tests/journeys/**', 'tests/codebase/**', '**/kill.test.ts', 'server/db/embedded/**'],
    },
  )
  const reached = new Map(tests.map((test) => [test, everythingFrom(test)]))
  const texts = new Map(tests.map((test) => [test, readFileSync(test, 'utf8')]))
  return (file) => {
    const noun = basename(dirname(file))
    const distance = (test: string) => reached.get(test)!.get(file)!
    const mentions = new Map(tests.map((test) => [test, texts.get(test)!.split(noun).length]))
    const related = tests
      .filter((test) => reached.get(test)!.has(file))
      .toSorted((a, b) => mentions.get(b)! - mentions.get(a)! || distance(a) - distance(b))
    const isNear = (test: string) => dirname(test) === dirname(file)
    return { near: related.filter(isNear), far: related.filter((test) => !isNear(test)) }
  }
}

const importsOf = new Map<string, string[]>()

function everythingFrom(test: string): Map<string, number> {
  const seen = new Map([[test, 0]])
  // Iterating over a Map includes entries that are added meanwhile.
  for (const [file, distance] of seen) {
    const known = importsOf.get(file) ?? imports(file)
    importsOf.set(file, known)
    for (const next of known) if (!seen.has(next)) seen.set(next, distance + 1)
  }
  return seen
}

function imports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()'([#.][^']+\.tsx?)'/g)]
    .map(([, address]) => address!)
    .map((address) => {
      const [first, ...rest] = address.split('/')
      return normalize(
        first!.startsWith('#') ? join(FOLDERS.get(first!) ?? first!, ...rest) : join(dirname(file), address),
      )
    })
    .filter((path) => existsSync(path))
}
