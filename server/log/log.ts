import { type DestinationStream, type Logger, pino } from 'pino'
import { currentCause } from './log-context.ts'
import { withoutPersons, loggableError } from './loggable-error.ts'
import { readableLines } from './readable.ts'

export type Log = Logger

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** From here on a line is written before anything else happens. */
const WARN = 40

/**
 * The one log of a server: JSON lines, each with the id of its request or the name of its job where there is one, and nothing
 * in them that is somebody's (docs/architecture.md, Operating it). Text passes through `withoutPersons`, errors through `loggableError`.
 */
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

/**
 * The line of a request, written past the logger: an answer from memory takes less time than the logger would need to say that it
 * was sent. The same line as its own, of values that need no care: a route, an id that was checked, figures and a hash.
 */
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- where every logger of this library has it
  const { [pino.symbols.streamSym]: output } = log as unknown as Record<symbol, DestinationStream>
  output!.write(`${line}}\n`)
}

/** Many requests are answered within a millisecond, which is put into words once. */
let now = { ms: 0, iso: '' }

function isoNow(): string {
  const ms = Date.now()
  if (ms !== now.ms) now = { ms, iso: new Date(ms).toISOString() }
  return now.iso
}

/**
 * Where a server's log goes: to be read in a terminal, else as JSON. Lines that only inform leave together, twice a second: a
 * write for each request would cost more than answering it from memory.
 */
export const serversOutput = (): DestinationStream & { flushSync?(): void } =>
  process.stdout.isTTY
    ? readableLines(process.stdout)
    : pino.destination({ sync: false, minLength: 4096, periodicFlush: 500 })

/** The route and not the address: an address may hold a token, a code, or what somebody searched for. */
const writtenRequest = (request: { method?: string; routeOptions?: { url?: string | undefined } }) => ({
  method: request.method,
  route: request.routeOptions?.url,
})

const writtenAnswer = (reply: { statusCode?: number }) => ({ status: reply.statusCode })
