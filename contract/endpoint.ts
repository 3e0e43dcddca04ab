import type { Static, TSchema } from 'typebox'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * One call of the wire. The server binds a handler to it (`server/serve.ts`), the client infers its input
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
  /**
   * Who may call: `anyone` (a token is used when there is one), `user` (401 without one), or `public`:
   * the answer is the same for every visitor of a country, so it is kept in memory and by caches.
   * `open` does not even read a token: an expired one must not stand in the way of renewing it.
   */
  readonly access: 'public' | 'anyone' | 'user' | 'open'
}

export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Part<S> = S extends TSchema ? Static<S> : undefined

export type ParamsOf<E extends Endpoint> = Part<E['params']>
export type QueryOf<E extends Endpoint> = Part<E['query']>
export type BodyOf<E extends Endpoint> = Part<E['body']>
export type ReplyOf<E extends Endpoint> = Part<E['reply']>
