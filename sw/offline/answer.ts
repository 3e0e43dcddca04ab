import type { Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { CallName, Endpoints } from '#contract/endpoints.ts'
import type { Catalogue } from '#contract/calculations/indexed-catalogue.ts'

export interface Asked<E extends Endpoint> {
  readonly catalogue: Catalogue
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  /** Path and query, for a list's page links. */
  readonly url: string
}

/** Answers a call as the server would; undefined if the index lacks the data. */
type Answer<N extends CallName> = (
  asked: Asked<Endpoints[N]>,
) => ReplyOf<Endpoints[N]> | undefined | Promise<ReplyOf<Endpoints[N]> | undefined>

/** Handlers for some calls of the contract, each typed by the call's reply. */
export type Answers<N extends CallName> = { readonly [Name in N]: Answer<Name> }
