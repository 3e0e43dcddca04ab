import ky, { isHTTPError, type Options } from 'ky'
import type { Problem } from '#contract/problem.ts'
import { noteCatalogue } from './connectivity.ts'
import { isFromShop } from './from-shop.ts'
import { NetProblem } from './problem.ts'
import { type Exchange, ownerOf, type Session, settings } from './settings.ts'

/**
 * Sends a request and parses its JSON answer; undefined for an empty answer. A 401 leads to one refresh and one
 * replay across all tabs (SESS-08), and a refusal that wants a proof of identity to one question and one replay.
 *
 * @throws {NetProblem} for every outcome but a 2xx of our own server; an abort by `signal` is passed on
 * unchanged.
 */
export async function exchange(request: Exchange): Promise<unknown> {
  try {
    return await send(request)
  } catch (failure) {
    if (request.signal?.aborted) throw failure
    const problem = toProblem(failure)
    if (problem.kind === 'offline') settings.onAnswer(false)
    if (problem.reason === 'proof_needed' && (await settings.prove())) return exchange(request)
    throw problem
  }
}

function send({ method, path, search, json, timeoutMs, signal, keepalive, ...session }: Exchange) {
  let token: string | undefined
  const body = json === undefined ? undefined : JSON.stringify(json)
  const sign = ({ request }: { request: Request }) => {
    if (token) request.headers.set('xtoken', `Bearer ${token}`)
  }
  const options: Options = {
    method,
    headers: {
      accept: 'application/ld+json',
      ...(method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }),
    },
    timeout: timeoutMs,
    // ky sends a copy of the request, to be able to retry. A copied body is a stream, so give the text again:
    // browsers don't finish a stream after the page is closed.
    fetch: (input, init) => settings.fetch(input, body === undefined ? init : { ...init, body }),
    parseJson: (text, { response }): unknown => (response.status === 204 ? undefined : JSON.parse(text)),
    hooks: {
      beforeRequest: [
        async (state) => {
          token = await tokenOf(session)
          sign(state)
        },
      ],
      afterResponse: [({ response }) => checkAnswer(response)],
      beforeRetry: [sign],
    },
    // Only an expired token is retried here; the caller decides about everything else.
    retry: {
      limit: 1,
      methods: ['get', 'post', 'put', 'patch', 'delete'],
      delay: () => 0,
      shouldRetry: async ({ error }) => {
        if (!token || session.token || !isHTTPError(error) || error.response.status !== 401) return false
        token = await settings.renew(token, session.background ?? false)
        return token !== undefined
      },
    },
  }
  if (json !== undefined) options.json = json
  if (search && search.size > 0) options.searchParams = search
  if (signal) options.signal = signal
  if (keepalive) options.keepalive = true
  return ky(settings.origin + path, options).json()
}

async function tokenOf({ anonymous, as, token }: Session): Promise<string | undefined> {
  if (token || anonymous) return token
  const stored = (await settings.tokens.read())?.token
  if (as && ownerOf(stored) !== as) throw new NetProblem('refused', 401)
  return stored
}

function checkAnswer(response: Response) {
  // Ignore a captive portal's status: its 403 isn't a refusal, its 500 ends no session.
  if (!isFromShop(response)) throw new NetProblem('offline', 0)
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  if (!isJson && response.status < 500 && response.status !== 204) throw new NetProblem('offline', 0)

  /**
   * The worker's cached answers: `fresh` and `late` say nothing about the network; `silence` means there is
   * none.
   */
  const kept = response.headers.get('x-murmur-kept')
  if (kept === null || kept === 'silence') settings.onAnswer(kept === null && isJson)
  noteCatalogue(response.headers.get('x-murmur-catalogue-checked'))
}

/** No network, a time-out and an answer that breaks off are all `offline`. */
function toProblem(failure: unknown): NetProblem {
  if (failure instanceof NetProblem) return failure
  if (!isHTTPError<Partial<Problem>>(failure)) return new NetProblem('offline', 0)
  const { data, response } = failure
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new NetProblem(
    response.status < 500 ? 'refused' : 'server',
    response.status,
    typeof data === 'object' ? data : {},
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  )
}
