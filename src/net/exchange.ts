import type { Exchange } from './send.ts'

export type { Exchange }

/** One request and its answer, by a client that is fetched with the first call: a rendered page needs none. */
export const exchange = async (request: Exchange): Promise<unknown> =>
  (await import('./send.ts')).exchange(request)
