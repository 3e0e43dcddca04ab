import { type DestinationStream, type Logger, pino } from 'pino'
import { currentCause } from './log-context.ts'
import { withoutPersons, loggableError, type LoggableError } from './loggable-error.ts'

export type Log = Logger

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const WARN = 40

/** The log contains no personal data (docs/architecture.md): `withoutPersons` for text, `loggableError` for errors. */
export function openLog(level: LogLevel, destination?: DestinationStream & { flushSync?(): void }): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: loggableError, error: loggableError, req: writtenRequest, res: writtenAnswer },
    mixin() {
      const { request, job } = currentCause() ?? {}
      return request === undefined ? (job === undefined ? {} : { job }) : { request }
    },
    hooks: {
      logMethod(this: Logger, given: unknown[], write: (...args: never[]) => void, severity: number) {
        write.apply(
          this,
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the logger’s own arguments, in their order
          given.map((each) => (typeof each === 'string' ? withoutPersons(each) : each)) as never,
        )
        if (severity >= WARN) destination?.flushSync?.()
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Writes directly to pino's stream: a response from memory takes less time than pino. No value needs escaping. */
export function writeRequestLine(
  log: Log,
  level: 'debug' | 'info',
  values: Readonly<Record<string, string | number | true | undefined>>,
): void {
  if (!log.isLevelEnabled(level)) return
  let line = `{"level":"${level}","time":"${isoNow()}","pid":${process.pid}`
  for (const name in values) {
    const value = values[name]
    if (value !== undefined)
      line += typeof value === 'string' ? `,"${name}":"${value}"` : `,"${name}":${value}`
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every pino logger stores its stream under it
  const { [pino.symbols.streamSym]: output } = log as unknown as Record<symbol, DestinationStream>
  output!.write(`${line}}\n`)
}

let now = { ms: 0, iso: '' }

function isoNow(): string {
  const ms = Date.now()
  if (ms !== now.ms) now = { ms, iso: new Date(ms).toISOString() }
  return now.iso
}

/** Lines below WARN are flushed twice a second: one write per request would cost more than answering it. */
export const serversOutput = (): DestinationStream & { flushSync?(): void } =>
  process.stdout.isTTY
    ? readableLines(process.stdout)
    : pino.destination({ sync: false, minLength: 4096, periodicFlush: 500 })

/** Log the route pattern, not the URL: a URL may contain a token, a code or a search term. */
const writtenRequest = (request: { method?: string; routeOptions?: { url?: string | undefined } }) => ({
  method: request.method,
  route: request.routeOptions?.url,
})

const writtenAnswer = (reply: { statusCode?: number }) => ({ status: reply.statusCode })

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
