import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'

export interface Visitor {
  readonly country: string
  readonly address: string
}

/** The visitor for whom a page calls the API in this process. Not in a header, which a stranger could forge. */
const asking = new AsyncLocalStorage<Visitor>()

export const callAs = <T>(visitor: Visitor, ask: () => Promise<T>): Promise<T> => asking.run(visitor, ask)

export const visitorAsking = (): Visitor | undefined => asking.getStore()

export const visitorAddress = (request: FastifyRequest): string => visitorAsking()?.address ?? request.ip
