import { NetProblem } from './problem.ts'
import type { Exchange } from './settings.ts'

/**
 * One request and its answer. The client is fetched with the first call, since a rendered page may never make one.
 * For pages only: a worker cannot load code later, so it imports `send.ts` itself.
 */
export const lazyExchange = async (request: Exchange): Promise<unknown> => {
  const { exchange } = await import('./send.ts').catch(() => {
    throw new NetProblem('offline', 0)
  })
  return exchange(request)
}

/** Fetched when first needed as well: most visits never see a token refused. */
export const lazyRenew = async (usedToken: string, background: boolean): Promise<string | undefined> => {
  const { renewToken } = await import('./refresh.ts').catch(() => {
    throw new NetProblem('offline', 0)
  })
  return renewToken(usedToken, background)
}
