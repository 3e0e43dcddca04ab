import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The sandbox with its unit tests, and its browser tests. */
const FILES = '{sandbox,tests/sandbox}/**/*'
/** Hash of the sandbox when its tests last passed; committed, so that a clone does not run them again. */
const TESTED = 'sandbox/tested.json'

/** True if the sandbox, or the version of a package that it imports, has changed since its tests last passed. */
export const sandboxChanged = (root = '.'): boolean => {
  const tested: { hash?: string } = JSON.parse(readText(join(root, TESTED)) ?? '{}')
  return tested.hash !== hashOfSandbox(root)
}

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

/** Independent of the order of the files; depends on every path, text and package version. */
export function hashOf(files: readonly SourceFile[], versions: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256')
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const packages = [...new Set(sorted.flatMap(({ text }) => packagesIn(text)))].toSorted()
  for (const { path, text } of sorted) hash.update(`${path}\0${text}\0`)
  for (const name of packages) hash.update(`${name}\0${versions[name] ?? ''}\0`)
  return hash.digest('hex')
}

/** Names of imported packages, without Node's built-in modules and our own files. */
const packagesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|import) *\(?'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g)]
    .map(([, name]) => name!)
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))

type Versions = Readonly<Record<string, string>>

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
