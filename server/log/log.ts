import { type DestinationStream, type Logger, pino } from 'pino'
import { withoutPersons, loggableError } from './loggable-error.ts'

export type Log = Logger

/**
 * The one log of a server: JSON lines, each with the id of its request where there is one, and nothing in them that is
 * somebody's (docs/architecture.md, Operating it). Text passes through `withoutPersons`, errors through `loggableError`.
 */
export function openLog(level: 'info' | 'warn' | 'error', destination?: DestinationStream): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: loggableError, error: loggableError, req: writtenRequest, res: writtenAnswer },
    hooks: {
      logMethod(this: Logger, given: unknown[], write: (...args: never[]) => void) {
        write.apply(
          this,
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the logger’s own arguments, in their order
          given.map((each) => (typeof each === 'string' ? withoutPersons(each) : each)) as never,
        )
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The route and not the address: an address may hold a token, a code, or what somebody searched for. */
const writtenRequest = (request: { method?: string; routeOptions?: { url?: string | undefined } }) => ({
  method: request.method,
  route: request.routeOptions?.url,
})

const writtenAnswer = (reply: { statusCode?: number }) => ({ status: reply.statusCode })
