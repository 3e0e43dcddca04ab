import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { CallName, Endpoints } from '#contract/endpoints.ts'
import { type Exchange, type Session, settings } from './settings.ts'

/** How long a read waits if the device has a copy to show instead (trap 22). */
export const OFFLINE_FIRST_MS = 3_000
const READ_MS = 10_000
const WRITE_MS = 30_000

interface CallOptions extends Session {
  signal?: AbortSignal | undefined
  timeoutMs?: number
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
 * Calls an endpoint of the contract by its name: `call('GET /api/audio_books/{slug}', { params })`.
 *
 * @throws {NetProblem} for everything that is not an answer; an abort is passed on unchanged.
 */
export async function call<N extends CallName>(
  name: N,
  ...[given]: Arguments<CallInput<N>>
): Promise<CallReply<N>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the input of some call; the server’s answers are held to the contract
  return (await settings.exchange(describe(name, (given ?? {}) as AnyInput))) as CallReply<N>
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

function describe(name: string, { params, query, body, timeoutMs, ...others }: AnyInput): Exchange {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of calls are written so
  const [method, path] = name.split(' ') as [Endpoint['method'], string]
  return {
    ...others,
    method,
    path: path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params?.[key] ?? ''))),
    search: query && toSearch(query),
    json: body,
    timeoutMs: timeoutMs ?? (method === 'GET' ? READ_MS : WRITE_MS),
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
