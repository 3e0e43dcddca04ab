import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

export interface Visitor {
  readonly country: string
  readonly address: string
}

/**
 * A page is rendered by calling the API inside this process, without a socket or a proxy. The visitor is passed in
 * async context rather than in a header, which a stranger could forge.
 */
const asking = new AsyncLocalStorage<Visitor>()

export const callAs = <T>(visitor: Visitor, ask: () => Promise<T>): Promise<T> => asking.run(visitor, ask)

/** Undefined for a request that came over the network. */
export const visitorAsking = (): Visitor | undefined => asking.getStore()

/** The visitor's address, also for API calls made while rendering a page. */
export const visitorAddress = (request: FastifyRequest): string => visitorAsking()?.address ?? request.ip
