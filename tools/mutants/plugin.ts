import type { Plugin } from 'vite'
import type { Change } from './changes.ts'

declare global {
  /** The change that is tried now; its file is written in full. */
  var mutant: Change | undefined
  /** Whether its file has been loaded with it. */
  var mutantLoaded: boolean
}

/** Brings the change that is tried now into its file as it is loaded. */
export const mutating = (): Plugin => ({
  name: 'murmur-mutants',
  enforce: 'pre',
  transform(code, id) {
    const change = globalThis.mutant
    if (!change || id.split('?')[0] !== change.file) return undefined
    globalThis.mutantLoaded = true
    return code.slice(0, change.start) + change.is + code.slice(change.end)
  },
})
