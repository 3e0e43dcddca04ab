import type { DestinationStream } from 'pino'
import type { LoggableError } from './loggable-error.ts'

/** Fields that every line has, or that have a fixed place in it. */
const PLACED: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'msg', 'err', 'error'])

export const readableLines = (terminal: { write(text: string): unknown }): DestinationStream => ({
  write: (line) => void terminal.write(readable(line)),
})

interface Event {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly err?: LoggableError
  readonly error?: LoggableError
}

function readable(line: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our own logger
  const event = JSON.parse(line) as Event
  const { level, time, msg = '', err, error = err } = event
  const facts = Object.entries(event)
    .filter(([name]) => !PLACED.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const parts = [time.slice(11, 19), level.padEnd(5), msg, ...facts]
  return `${parts.join('  ').trimEnd()}\n${error === undefined ? '' : fault(error)}`
}

function fault({ type, code, message, rule, stack, cause }: LoggableError, depth = 1): string {
  const said = [type, code, message, rule].filter((part) => part !== undefined).join(' ')
  const lines = [said, ...(stack?.split('\n') ?? [])].map((text) => `${'  '.repeat(depth)}${text}\n`)
  return lines.join('') + (cause ? fault(cause, depth + 1) : '')
}
