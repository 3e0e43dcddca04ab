import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const HASHED = /[\w.$-]+-[\w-]{7,8}\.(?:js|css|woff2)\b/g
const TEXT = /\.(?:js|mjs|css|html|json|webmanifest)$/

/**
 * The same app as if deployed again: every hashed file has another name, and the files of this release are
 * gone. Returns the folder to start the server from.
 */
export function nextRelease(): string {
  const root = mkdtempSync(join(tmpdir(), 'murmur-release-'))
  for (const folder of ['server', 'contract', 'package.json'])
    cpSync(folder, join(root, folder), { recursive: true, filter: (path) => !path.includes('.test.') })
  // Compressed copies would still contain the old names; the server works without them.
  cpSync('dist', join(root, 'dist'), { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) })
  for (const shared of ['node_modules', 'content', 'tools']) symlinkSync(resolve(shared), join(root, shared))

  const assets = join(root, 'dist/client/assets')
  const names = new Map(readdirSync(assets).map((name) => [name, renamed(name)]))
  for (const [before, after] of names) renameSync(join(assets, before), join(assets, after))
  const dist = join(root, 'dist')
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!TEXT.test(file)) continue
    const path = join(dist, file)
    const text = readFileSync(path, 'utf8').replaceAll(HASHED, (name) => names.get(name) ?? name)
    writeFileSync(path, /service-worker\.m?js$/.test(file) ? withNewShell(text) : text)
  }
  return root
}

const renamed = (name: string) =>
  name.replace(/-([\w-]{7,8})(\.\w+)$/, (_, hash: string, end: string) => `-${backwards(hash)}${end}`)

/** The shell names the new files, so it needs a new revision. */
const withNewShell = (worker: string) =>
  worker.replace(/[0-9a-f]{32}(?=[^}]*index\.html)|(?<=index\.html[^}]*)[0-9a-f]{32}/g, (revision) =>
    backwards(revision),
  )

const backwards = (hash: string) => hash.split('').toReversed().join('')
