import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOMS: Readonly<Record<string, string>> = {
  '#contract': 'contract',
  '#server': 'server',
  '#app': 'src/app',
  '#screens': 'src/screens',
  '#features': 'src/features',
  '#session': 'src/session',
  '#device': 'src/device',
  '#net': 'src/net',
  '#ui': 'src/ui',
  '#format': 'src/format',
  '#tests': 'tests',
}

/** The tests that import a file, themselves or through others; those beside it first. */
export function testsBySource(): (file: string) => { near: string[]; far: string[] } {
  const tests = globSync(['{contract,server,src,sw,tests}/**/*.test.{ts,tsx}'], {
    exclude: ['tests/journeys/**', 'tests/house/**', '**/kill.test.ts', 'server/db/embedded/**'],
  })
  const reached = new Map(tests.map((test) => [test, everythingFrom(test)]))
  return (file) => {
    const related = tests.filter((test) => reached.get(test)!.has(file))
    const isNear = (test: string) => dirname(test) === dirname(file)
    return { near: related.filter(isNear), far: related.filter((test) => !isNear(test)) }
  }
}

const importsOf = new Map<string, string[]>()

function everythingFrom(test: string): Set<string> {
  const seen = new Set<string>()
  const waiting = [test]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const known = importsOf.get(file) ?? imports(file)
    importsOf.set(file, known)
    waiting.push(...known)
  }
  return seen
}

function imports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'([#.][^']+\.tsx?)'/g)]
    .map(([, address]) => address!)
    .map((address) => {
      const [first, ...rest] = address.split('/')
      return normalize(
        first!.startsWith('#') ? join(ROOMS[first!] ?? first!, ...rest) : join(dirname(file), address),
      )
    })
    .filter((path) => existsSync(path))
}
