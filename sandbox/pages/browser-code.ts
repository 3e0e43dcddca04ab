import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const folder = new URL('../browser/', import.meta.url)
const IMPORT = /^import [\s\S]*?from '\.\/([a-z-]+\.ts)'$/gm

export const browserModule = (name: string): string =>
  stripTypeScriptTypes(readFileSync(new URL(name, folder), 'utf8'))

/**
 * Concatenates a file and its imports to one classic script, so that a page that loads it has `window.Stripe` at once.
 * The files must not rename imports or declare the same name twice.
 */
export function browserScript(name: string): string {
  const parts = new Map<string, string>()
  const add = (file: string) => {
    if (parts.has(file)) return
    parts.set(file, '')
    const source = readFileSync(new URL(file, folder), 'utf8')
    for (const [, imported] of source.matchAll(IMPORT)) add(imported!)
    parts.delete(file)
    parts.set(file, stripTypeScriptTypes(source.replace(IMPORT, '')).replace(/^export /gm, ''))
  }
  add(name)
  return `(() => {\n'use strict'\n${[...parts.values()].join('\n')}\n})()\n`
}
