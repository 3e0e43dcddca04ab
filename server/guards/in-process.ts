import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

/** For whom a page of the server asks the API. */
export interface Visitor {
  readonly country: string
  readonly address: string
}

/**
 * A page is made by asking the API in this process, where there is neither socket nor proxy: who asks is handed along
 * beside the request, so that no header of a stranger can say it.
 */
const asking = new AsyncLocalStorage<Visitor>()

export const askAs = <T>(visitor: Visitor, ask: () => Promise<T>): Promise<T> => asking.run(visitor, ask)

/** Undefined for a request that came in from outside. */
export const visitorAsking = (): Visitor | undefined => asking.getStore()

/** The address that counts for limits: the visitor's, also where a page asks for them. */
export const addressOf = (request: FastifyRequest): string => visitorAsking()?.address ?? request.ip
