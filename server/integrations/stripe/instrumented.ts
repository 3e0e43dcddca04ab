import { errorCode } from '../../log/error-code.ts'
import { currentCause } from '../../log/log-context.ts'
import { type Log, openLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { inTime } from './deadline.ts'
import { PaymentsUnavailable } from './problems.ts'

export interface Watch {
  readonly log: Log
  readonly metrics: Metrics
}

/** For commands, which report errors themselves. */
export const unwatched = (): Watch => ({ log: openLog('error'), metrics: new Metrics() })

/** Does not call the provider: it parses received data. */
const OF_OUR_OWN: ReadonlySet<string> = new Set(['readWebhook'])

type Call = (...given: unknown[]) => Promise<unknown> | AsyncIterable<unknown>

/** Wraps an interface: its calls are timed, counted, logged, and given up at the caller's deadline. */
export function watched<Port extends object>(port: Port, watch: Watch, prefix = ''): Port {
  const entries = Object.entries(port).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function' || OF_OUR_OWN.has(name)) return [name, value] as const
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each call returns one or the other
    const call = value as Call
    return [name, (...given: unknown[]) => watchCall(watch, prefix + name, call(...given))] as const
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names with functions of the same form
  return Object.fromEntries(entries) as Port
}

function watchCall(watch: Watch, call: string, answer: Promise<unknown> | AsyncIterable<unknown>) {
  if (Symbol.asyncIterator in answer) return watchList(watch, call, answer)
  return timed(watch, call, answer)
}

/** Times only the waits for pages, not the time between them. */
async function* watchList(watch: Watch, call: string, list: AsyncIterable<unknown>) {
  const items = list[Symbol.asyncIterator]()
  const startedAt = performance.now()
  let waitedMs = 0
  try {
    for (;;) {
      const askedAt = performance.now()
      const { done, value } = await inTime(Promise.resolve(items.next()))
      waitedMs += performance.now() - askedAt
      if (done) break
      yield value
    }
    note(watch, call, waitedMs)
  } catch (error) {
    note(watch, call, performance.now() - startedAt, error)
    throw error
  } finally {
    void items.return?.().catch(() => undefined)
  }
}

async function timed<T>(watch: Watch, call: string, answer: Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    const answered = await inTime(answer)
    note(watch, call, performance.now() - startedAt)
    return answered
  } catch (error) {
    note(watch, call, performance.now() - startedAt, error)
    throw error
  }
}

function note({ log, metrics }: Watch, call: string, ms: number, error?: unknown): void {
  const isAway = error instanceof PaymentsUnavailable
  const outcome = error === undefined ? 'answered' : isAway ? 'unavailable' : 'refused'
  metrics.providerCalls.observe(ms / 1000, call, outcome)
  const line = { provider: call, outcome, ms: Math.round(ms) }
  if (isAway)
    log.warn(
      { ...line, fault: 'provider', code: errorCode(error.cause) },
      'the payment provider did not answer',
    )
  // Logged at debug level for jobs, which make thousands of calls per night.
  else log[currentCause()?.request === undefined ? 'debug' : 'info'](line, 'the payment provider was asked')
}
