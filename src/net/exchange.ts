import { NetProblem } from './problem.ts'
import type { Exchange } from './settings.ts'

/**
 * One request and its answer, by a client that is fetched with the first call: a rendered page needs none.
 * For pages; the worker, which may not load anything later, takes `send.ts` itself.
 */
export const lazyExchange = async (request: Exchange): Promise<unknown> => {
  const { exchange } = await import('./send.ts').catch(() => {
    throw new NetProblem('offline', 0)
  })
  return exchange(request)
}

/** The same for what follows a refused token, which a short visit never meets. */
export const lazyRenew = async (usedToken: string, background: boolean): Promise<string | undefined> => {
  const { renewToken } = await import('./refresh.ts').catch(() => {
    throw new NetProblem('offline', 0)
  })
  return renewToken(usedToken, background)
}
