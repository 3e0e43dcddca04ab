import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

/** The visitor for whom a server-rendered page calls the API. */
export interface Visitor {
  readonly country: string
  readonly address: string
}

/**
 * A page is rendered by calling the API inside this process, without a socket or a proxy. The caller travels beside
 * the request rather than in a header, where a stranger could forge it.
 */
const asking = new AsyncLocalStorage<Visitor>()

export const callAs = <T>(visitor: Visitor, ask: () => Promise<T>): Promise<T> => asking.run(visitor, ask)

/** Undefined for a request that came in from outside. */
export const visitorAsking = (): Visitor | undefined => asking.getStore()

/** The address that counts for limits: the visitor's, also where a page asks for them. */
export const addressOf = (request: FastifyRequest): string => visitorAsking()?.address ?? request.ip
