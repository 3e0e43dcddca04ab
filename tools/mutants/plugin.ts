import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Change } from './changes.ts'

declare global {
  /** The current mutation, with an absolute file path. */
  var mutant: Change | undefined
  /** Rewrites the files of the core, by absolute path, while it is recorded which operators the tests reach. */
  var marking: ((code: string, file: string) => string | undefined) | undefined
}

/** Written by a worker that loaded the mutated file, as proof that the mutation was tested. */
export const RAN = join(tmpdir(), `murmur-mutant-${process.pid}`)

export const mutating = (): Plugin => ({
  name: 'murmur-mutants',
  enforce: 'pre',
  transform(code, id) {
    const file = id.split('?')[0]!
    if (globalThis.marking) return globalThis.marking(code, file)
    const change = globalThis.mutant
    if (!change || file !== change.file) return undefined
    const says = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(RAN)}, '')`
    return `${code.slice(0, change.start)}${change.is}${code.slice(change.end)}\n;${says}\n`
  },
})
