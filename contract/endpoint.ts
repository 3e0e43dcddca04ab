import type { Static, TSchema } from 'typebox'
import type { ShopPart } from './shop-details.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * One call of the wire. The server binds a handler to it (`server/http/serve.ts`), the client infers its input
 * and answer from it (`src/net/call.ts`); neither writes these types a second time.
 *
 * `path` carries its parameters in braces, as OpenAPI does: `/api/audio_books/{slug}`.
 */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Left out for an answer without a body (204). */
  readonly reply?: TSchema
  /** 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202 | 204
  readonly access: Access
  /** A bookshop's account has it too, as what every account has of its own: its record, its password. */
  readonly alsoOutlets?: true
  /** Sells, or shows to everybody, what belongs to this part: a shop without it answers 404. */
  readonly part?: ShopPart
}

/**
 * Who may call. `public`: everybody, and the answer is the same for every visitor of a country, so it is kept in memory
 * and by caches. `open`: everybody, and no token is read, since an expired one must not stand in the way of renewing it.
 * `anyone`: visitors and listeners. `user`: listeners. `member`: those among them whose membership runs.
 * `outlet`: bookshops. Whoever is not known gets 401, whoever is known and not meant 403.
 */
export type Access = 'public' | 'open' | 'anyone' | 'user' | 'member' | 'outlet'

/** Calls that nobody makes without a token. */
export const needsToken = ({ access }: Pick<Endpoint, 'access'>): boolean =>
  access === 'user' || access === 'member' || access === 'outlet'

/** For everybody, in a shop that has this part. */
export const publicIn = <const P extends ShopPart>(part: P) => ({ access: 'public', part }) as const

export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Part<S> = S extends TSchema ? Static<S> : undefined

export type ParamsOf<E extends Endpoint> = Part<E['params']>
export type QueryOf<E extends Endpoint> = Part<E['query']>
export type BodyOf<E extends Endpoint> = Part<E['body']>
export type ReplyOf<E extends Endpoint> = Part<E['reply']>
