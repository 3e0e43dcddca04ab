import { AsyncLocalStorage } from 'node:async_hooks'

export interface Cause {
  readonly request?: string
  readonly job?: string
  userId?: string
}

const causes = new AsyncLocalStorage<Cause>()

export const causedBy = <T>(cause: Cause, work: () => T): T => causes.run(cause, work)

export const currentCause = (): Cause | undefined => causes.getStore()

export function noteCaller(userId: string): void {
  const cause = causes.getStore()
  if (cause) cause.userId = userId
}
