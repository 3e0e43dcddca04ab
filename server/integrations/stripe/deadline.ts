import { currentCause } from '../../log/log-context.ts'
import { PaymentsUnavailable } from './problems.ts'

/** For background work: longer than the library needs for all its retries. */
const NOBODY_WAITS_MS = 40_000

/**
 * Gives up waiting at the caller's deadline. The request may be carried out anyway; repeating it with the same
 * idempotency key returns its result.
 *
 * @throws {PaymentsUnavailable}
 */
export async function inTime<T>(asked: Promise<T>): Promise<T> {
  const cause = currentCause()
  const leftMs =
    cause?.answerBy === undefined || cause.isOver ? NOBODY_WAITS_MS : cause.answerBy - performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new PaymentsUnavailable('The payment provider did not answer in time.')),
      Math.max(0, leftMs),
    )
  })
  // A late rejection has no listener any more.
  asked.catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
