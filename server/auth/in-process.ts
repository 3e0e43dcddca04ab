import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

/** The visitor on whose behalf a server-rendered page calls the API. */
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

/** The client address that limits count, also for API calls made while rendering a page. */
export const addressOf = (request: FastifyRequest): string => visitorAsking()?.address ?? request.ip
