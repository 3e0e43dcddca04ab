import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { CallName, Endpoints } from '#contract/endpoints.ts'
import { NetProblem } from './problem.ts'
import { type Exchange, settings, ownerOf } from './settings.ts'

/** How long a read waits if the device has a copy to show instead (trap 22). */
export const OFFLINE_FIRST_MS = 3_000
const READ_MS = 10_000
const WRITE_MS = 30_000

interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** Sends no token even if a user is logged in, so that the answer can be shared and cached. */
  anonymous?: boolean
  /** The account the call is made for: it isn't sent with another user's token or without one. */
  as?: string
  token?: string
  /** No screen waits for it: an expired session never redirects the listener. */
  background?: boolean
  keepalive?: boolean
}

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : { [K in Name]: T }
type GivenQuery<T> = [T] extends [undefined]
  ? { query?: undefined }
  : Record<never, never> extends T
    ? { query?: T | undefined }
    : { query: T }

export type CallInput<N extends CallName> = Given<'params', ParamsOf<Endpoints[N]>> &
  GivenQuery<QueryOf<Endpoints[N]>> &
  Given<'body', BodyOf<Endpoints[N]>> &
  CallOptions
export type CallReply<N extends CallName> = ReplyOf<Endpoints[N]>

type Arguments<I> = Record<never, never> extends I ? [input?: I] : [input: I]

/**
 * Calls an endpoint of the contract by its name: `call('GET /api/audio_books/{slug}', { params })`. A 401
 * leads to one refresh and one replay across all tabs (SESS-08).
 *
 * If `as` names a user who is not logged in, the call fails with its own 401: the server would answer as for
 * a visitor, often with a 200, such as a book without its sound.
 *
 * @throws {NetProblem} for everything that is not an answer; an abort is passed on unchanged.
 */
export async function call<N extends CallName>(
  name: N,
  ...[given]: Arguments<CallInput<N>>
): Promise<CallReply<N>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the input of some call
  const input = (given ?? {}) as CallInput<Extract<CallName, string>> & AnyInput
  const request = describe(name, input)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server’s answers are held to the contract
  if (input.token) return (await settings.exchange({ ...request, token: input.token })) as CallReply<N>
  const token = input.anonymous ? undefined : (await settings.tokens.read())?.token
  if (input.as && ownerOf(token) !== input.as) throw new NetProblem('refused', 401)
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server’s answers are held to the contract
    return (await settings.exchange({ ...request, token })) as CallReply<N>
  } catch (problem) {
    if (!token || !(problem instanceof NetProblem) || problem.status !== 401) throw problem
    const renewed = await settings.renew(token, input.background ?? false)
    if (!renewed) throw problem
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server’s answers are held to the contract
    return (await settings.exchange({ ...request, token: renewed })) as CallReply<N>
  }
}

/** The URL of a call, with the query in the client's fixed order: for warming caches. */
export function addressOf<N extends CallName>(name: N, ...[given]: Arguments<CallInput<N>>): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the input of some call
  const { path, search } = describe(name, (given ?? {}) as AnyInput)
  return search && search.size > 0 ? `${path}?${search.toString()}` : path
}

interface AnyInput extends CallOptions {
  params?: Record<string, string | number>
  query?: Record<string, QueryValue>
  body?: unknown
}

function describe(name: string, { params, query, body, timeoutMs, signal, keepalive }: AnyInput): Exchange {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of calls are written so
  const [method, path] = name.split(' ') as [Endpoint['method'], string]
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params?.[key] ?? ''))),
    search: query && toSearch(query),
    json: body,
    timeoutMs: timeoutMs ?? (method === 'GET' ? READ_MS : WRITE_MS),
    signal,
    keepalive,
  }
}

type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined

/** Sorts the values of a filter and joins them by commas, so that caches see one URL per query. */
function toSearch(query: Record<string, QueryValue>) {
  const search = new URLSearchParams()
  for (const key of Object.keys(query).sort()) {
    const value = query[key]
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue
    search.set(key, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search
}
