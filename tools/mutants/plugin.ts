import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Change } from './changes.ts'

declare global {
  /** The change that is tried now; its file is written in full. */
  var mutant: Change | undefined
}

/** Written by a worker that ran a file with its change: only then was it tried. */
export const RAN = join(tmpdir(), `murmur-mutant-${process.pid}`)

/** Brings the change that is tried now into its file as it is loaded. */
export const mutating = (): Plugin => ({
  name: 'murmur-mutants',
  enforce: 'pre',
  transform(code, id) {
    const change = globalThis.mutant
    if (!change || id.split('?')[0] !== change.file) return undefined
    const says = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(RAN)}, '')`
    return `${code.slice(0, change.start)}${change.is}${code.slice(change.end)}\n;${says}\n`
  },
})
