import { AsyncLocalStorage } from 'node:async_hooks'

/** A request or a job. Each line of the log that comes of it says so. */
export interface Cause {
  /** The request's id. */
  readonly request?: string
  readonly job?: string
  /** By `performance.now()`: a caller who waits is answered by then. */
  readonly answerBy?: number
  /** The account that calls, as soon as its token is read. */
  userId?: string
  /** The caller has been answered, or is gone. */
  isOver?: boolean
}

const causes = new AsyncLocalStorage<Cause>()

/** Whatever `work` does, also later and elsewhere, is caused by this. */
export const causedBy = <T>(cause: Cause, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause | undefined => causes.getStore()

/** Once it is known who calls. */
export function noteCaller(userId: string): void {
  const cause = causes.getStore()
  if (cause) cause.userId = userId
}
