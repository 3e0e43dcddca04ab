import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Line and column of a file of the built server, as a stack names them. */
const BUILT = /(file:\/\/\S+\/dist\/server\/[\w.-]+\.js):(\d+):(\d+)/

/**
 * A frame of a stack with the place in the sources instead of the one in the bundle. Node does this too, but reads the maps
 * with every start, for 40 MB; here they are read with the first error, and let go when memory is wanted.
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
    // Without its map the place in the bundle is better than none.
    return undefined
  }
}
