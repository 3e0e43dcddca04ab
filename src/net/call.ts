import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { CallName, Endpoints } from '#contract/endpoints.ts'
import { NetProblem } from './problem.ts'
import { type Exchange, settings, ownerOf } from './settings.ts'

/** How long a read waits when the device has a copy to show instead (trap 22). */
export const OFFLINE_FIRST_MS = 3_000
const READ_MS = 10_000
const WRITE_MS = 30_000

interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** Asks as a visitor even when somebody is logged in, so that the answer may be shared and kept. */
  anonymous?: boolean
  /** The account it is made for: with anybody else's token, or with none, it is not sent. */
  as?: string
  /** Uses this token, which is not kept yet, and never refreshes it. */
  token?: string
  /** No screen waits for it: a session that ends here never takes the listener to another page. */
  background?: boolean
  /** Lets it finish while the page is being closed. */
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
 * Asks the server, by the name of an endpoint of the contract: `call('GET /api/audio_books/{slug}', { params })`.
 * A 401 to a token is followed by one refresh and one replay, whatever happens in other tabs (SESS-08).
 *
 * Where it says for whom it is (`as`) and they are not logged in, it is refused with a 401 of its own: the server
 * would answer as to a stranger, and many a call well, a book without its sound.
 *
 * @throws {NetProblem} for everything that is not an answer; an abort is thrown as the browser threw it.
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

/** The address a call asks, query in the one order the client uses: for warming caches. */
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

/** Values of one filter are sorted and joined by commas, so that caches see one address for one question. */
function toSearch(query: Record<string, QueryValue>) {
  const search = new URLSearchParams()
  for (const key of Object.keys(query).sort()) {
    const value = query[key]
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue
    search.set(key, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search
}
