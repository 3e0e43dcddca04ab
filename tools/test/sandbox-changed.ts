import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The sandbox itself with the tests beside it, and those that need a browser. */
const FILES = '{sandbox,tests/sandbox}/**/*'
/** How the sandbox was when its own tests passed last; committed, so that a clone need not try it again. */
const TESTED = 'sandbox/tested.json'

/** It has been written to since its own tests passed, or a package that it imports has another version. */
export const sandboxChanged = (root = '.'): boolean => {
  const tested: { hash?: string } = JSON.parse(readText(join(root, TESTED)) ?? '{}')
  return tested.hash !== hashOfSandbox(root)
}

/** Its own tests have passed: they are left out until it changes again. */
export function noteSandboxTested(root = '.'): void {
  const hash = hashOfSandbox(root)
  writeFileSync(join(root, TESTED), `${JSON.stringify({ hash }, null, 2)}\n`)
}

function hashOfSandbox(root: string): string {
  const files = globSync(FILES, { cwd: root, exclude: ['**/node_modules/**', '**/*.md'] })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => path !== TESTED && statSync(join(root, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  return hashOf(files, versionsIn(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))))
}

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The same whatever order the files come in; another for every other path, text or version of a package that they import. */
export function hashOf(files: readonly SourceFile[], versions: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256')
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const packages = [...new Set(sorted.flatMap(({ text }) => packagesIn(text)))].toSorted()
  for (const { path, text } of sorted) hash.update(`${path}\0${text}\0`)
  for (const name of packages) hash.update(`${name}\0${versions[name] ?? ''}\0`)
  return hash.digest('hex')
}

/** Of others: neither Node's own parts nor a file of ours. */
const packagesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|import) *\(?'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g)]
    .map(([, name]) => name!)
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))

type Versions = Readonly<Record<string, string>>

/** Those of package.json, which names each exactly. */
const versionsIn = (manifest: { dependencies?: Versions; devDependencies?: Versions }): Versions => ({
  ...manifest.dependencies,
  ...manifest.devDependencies,
})

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
