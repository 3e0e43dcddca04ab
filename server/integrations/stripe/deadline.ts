import { AsyncLocalStorage } from 'node:async_hooks'
import { PaymentsUnavailable } from './problems.ts'

export interface Deadline {
  /** In terms of `performance.now()`. */
  readonly answerBy: number
  /** The caller has been answered or has disconnected: the rest is background work. */
  isOver: boolean
}

/** For background work: longer than Stripe's library needs for all its retries. */
const BACKGROUND_MS = 40_000

const deadlines = new AsyncLocalStorage<Deadline | undefined>()

export const withDeadline = <T>(deadline: Deadline | undefined, work: () => T): T =>
  deadlines.run(deadline, work)

/** The request may still be carried out: repeat it with the same key. @throws {PaymentsUnavailable} */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  const deadline = deadlines.getStore()
  const leftMs = !deadline || deadline.isOver ? BACKGROUND_MS : deadline.answerBy - performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new PaymentsUnavailable('The payment provider did not answer in time.')),
      Math.max(0, leftMs),
    )
  })
  // A late rejection has no listener any more.
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
