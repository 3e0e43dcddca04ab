import type { Static, TSchema } from 'typebox'
import type { Permission } from './office/permissions.ts'
import type { ShopPart } from './shop-details.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * One endpoint of the API. The server binds a handler to it (`server/http/serve.ts`), and the client infers its input
 * and answer from it (`src/net/call.ts`); neither declares these types again.
 *
 * `path` has its parameters in braces, as in OpenAPI: `/api/audio_books/{slug}`.
 */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Omitted for an answer without a body (204). */
  readonly reply?: TSchema
  /** Default: 200. */
  readonly status?: 200 | 201 | 202 | 204
  readonly access: Access
  /** Bookshop accounts may call it too, because it is about the account itself: its record, its password. */
  readonly alsoOutlets?: true
  /**
   * Refused to staff who view the shop as a customer: the endpoint shows what the customer listens to, or starts
   * something at the payment provider. Such a session gets 403 for every method but GET anyway.
   */
  readonly notInView?: true
  /** The one thing but a GET that such a session may send: its own end. */
  readonly endsView?: true
  /** The optional part of the shop that it sells or shows. A shop without that part answers 404. */
  readonly part?: ShopPart
  /** For `staff`: what the caller's role must be allowed to do; null for every role. */
  readonly may?: Permission | null
  /** For `staff`: the caller must have used a passkey within the last five minutes. */
  readonly fresh?: true
  /** In bytes, for files; 64 kB by default. */
  readonly largestBody?: number
  /** The media type of an answer that is a file; `reply` is omitted then. */
  readonly file?: string
}

/**
 * Who may call it. `public`: everyone; the answer is the same for every visitor of a country, so server and CDN cache
 * it. `open`: everyone; no token is read, because an expired one must not prevent its renewal. `anyone`: visitors and
 * listeners. `user`: listeners. `member`: listeners with an active membership. `outlet`: bookshops. `staff`: people who
 * run the shop, by the office's cookie; no customer's token. An unauthenticated caller gets 401, an unauthorised one 403.
 */
export type Access = 'public' | 'open' | 'anyone' | 'user' | 'member' | 'outlet' | 'staff'

export const needsToken = ({ access }: Pick<Endpoint, 'access'>): boolean =>
  access === 'user' || access === 'member' || access === 'outlet'

export const publicIn = <const P extends ShopPart>(part: P) => ({ access: 'public', part }) as const

export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Part<S> = S extends TSchema ? Static<S> : undefined

export type ParamsOf<E extends Endpoint> = Part<E['params']>
export type QueryOf<E extends Endpoint> = Part<E['query']>
export type BodyOf<E extends Endpoint> = Part<E['body']>
export type ReplyOf<E extends Endpoint> = Part<E['reply']>
