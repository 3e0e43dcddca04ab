import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface LoggableError {
  readonly type: string
  readonly code?: string
  readonly message?: string
  /** Table, constraint and routine of a violated database rule, without the values that violated it. */
  readonly rule?: string
  readonly stack?: string
  readonly cause?: LoggableError
  readonly errors?: readonly LoggableError[]
}

type Loggable = 'code' | 'table' | 'constraint' | 'routine'

const MOST_CAUSES = 4
const MOST_FRAMES = 12

export function loggableError(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, table, constraint, routine }: Error & Partial<Record<Loggable, unknown>> = error
  // The database driver and the query builder put values into their messages and properties.
  const isDatabases = 'routine' in error || 'params' in error
  const rule = [table, constraint, routine].filter((part) => typeof part === 'string').join(' ')
  const stack = framesOf(error)
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(isDatabases ? {} : { message: withoutPersons(error.message) }),
    ...(rule ? { rule } : {}),
    ...(stack ? { stack } : {}),
    ...(error instanceof AggregateError && depth < MOST_CAUSES
      ? { errors: error.errors.slice(0, MOST_CAUSES).map((each) => loggableError(each, depth + 1)) }
      : {}),
    ...(error.cause instanceof Error && depth < MOST_CAUSES
      ? { cause: loggableError(error.cause, depth + 1) }
      : {}),
  }
}

const framesOf = ({ stack }: Error): string =>
  (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => inSources(line.trim()))
    .join('\n')

/** Removes email addresses, query strings and anything that could be a token from a text. */
export const withoutPersons = (text: string): string =>
  text
    // Keep @example.com: it is a sample address, not personal data.
    .replaceAll(/[^\s@<>"'`(),;:=/?]+@[^\s@<>"'`(),;:/?]+/g, (address) =>
      /@example\.com\.?$/.test(address) ? address : '[e-mail]',
    )
    .replaceAll(/\?[^\s"'<>]*=[^\s"'<>]*/g, '?[query]')
    .replaceAll(/(?<![\w./-])(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g, '[secret]')

const BUILT = /(file:\/\/\S+\/dist\/server\/[\w.-]+\.js):(\d+):(\d+)/

/** `--enable-source-maps` would load the maps at every start (40 MB); this loads them at the first error. */
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
    return undefined
  }
}
