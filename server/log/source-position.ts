import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUILT = /(file:\/\/\S+\/dist\/server\/[\w.-]+\.js):(\d+):(\d+)/

/**
 * Replaces the position in the bundle by the position in the source file. Node's `--enable-source-maps` does the same,
 * but loads the maps at every start and uses 40 MB. Here they are loaded at the first error, and can be
 * garbage-collected.
 */
export function inSources(frame: string): string {
  const [place, file, line, column] = BUILT.exec(frame) ?? []
  if (place === undefined) return frame
  const path = fileURLToPath(file!)
  const origin = mapOf(path)?.findOrigin(Number(line), Number(column))
  if (!origin || !('fileName' in origin)) return frame
  const source = relative(join(path, '../../..'), join(path, '..', origin.fileName))
  return frame.replace(place, `${source}:${origin.lineNumber}:${origin.columnNumber}`)
}

const maps = new Map<string, WeakRef<SourceMap>>()

function mapOf(path: string): SourceMap | undefined {
  const known = maps.get(path)?.deref()
  if (known) return known
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
    maps.set(path, new WeakRef(map))
    return map
  } catch {
    // Without a map, the position in the bundle is still useful.
    return undefined
  }
}
