import { AsyncLocalStorage } from 'node:async_hooks'

/** A request or a job. Every log line written on its behalf names it. */
export interface Cause {
  readonly request?: string
  readonly job?: string
  /** The calling account, once its token has been verified. */
  userId?: string
}

const causes = new AsyncLocalStorage<Cause>()

/** Runs `work` with this cause; asynchronous work that it starts inherits the cause. */
export const causedBy = <T>(cause: Cause, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause | undefined => causes.getStore()

export function noteCaller(userId: string): void {
  const cause = causes.getStore()
  if (cause) cause.userId = userId
}
