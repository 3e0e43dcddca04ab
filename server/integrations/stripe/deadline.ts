import { currentCause } from '../../log/log-context.ts'
import { PaymentsUnavailable } from './problems.ts'

/** Work that nobody waits for has longer than the library needs for all its tries. */
const NOBODY_WAITS_MS = 40_000

/**
 * Whoever waits for an answer is told in time that there is none. What was asked for may be done all the same: asked again, it
 * is found under its key.
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
  // Nobody listens to an answer that comes after that.
  asked.catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
