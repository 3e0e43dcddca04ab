import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Custom media queries are scoped to one stylesheet, so add all of them to each sheet that uses one. */
export function namedWindows(): Plugin {
  const windows = readFileSync(join(import.meta.dirname, '../src/ui/windows.css'), 'utf8')
  return {
    name: 'named-windows',
    enforce: 'pre',
    transform: (code, id) => (/\.css(\?|$)/.test(id) && code.includes('(--') ? code + windows : undefined),
  }
}
