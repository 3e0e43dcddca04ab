import ky, { type Options } from 'ky'
import type { Problem } from '#contract/problem.ts'
import { noteCatalogue } from './connectivity.ts'
import { isFromShop } from './from-shop.ts'
import { NetProblem } from './problem.ts'
import { type Exchange, settings } from './settings.ts'

/**
 * Sends one request and parses its JSON answer; undefined for an empty answer. No refresh, no retry.
 *
 * @throws {NetProblem} for every outcome but a 2xx of our own server; an abort by `signal` is passed on
 * unchanged.
 */
export async function exchange(request: Exchange): Promise<unknown> {
  try {
    return await read(request)
  } catch (failure) {
    if (request.signal?.aborted) throw failure
    const problem = failure instanceof NetProblem ? failure : new NetProblem('offline', 0)
    if (problem.kind === 'offline') settings.onAnswer(false)
    throw problem
  }
}

async function read({ method, path, search, json, token, timeoutMs, signal, keepalive }: Exchange) {
  const headers: Record<string, string> = { accept: 'application/ld+json' }
  if (token) headers['xtoken'] = `Bearer ${token}`
  if (json !== undefined) {
    headers['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  }

  const options: Options = {
    method,
    headers,
    timeout: timeoutMs,
    // The caller decides whether to retry.
    retry: 0,
    throwHttpErrors: false,
    fetch: (input, init) => settings.fetch(input, init),
  }
  if (json !== undefined) options.json = json
  if (search && search.size > 0) options.searchParams = search
  if (signal) options.signal = signal
  if (keepalive) options.keepalive = true

  const response = await ky(settings.origin + path, options)
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
  if (response.status === 204) return undefined
  if (response.ok) return response.json()

  const body = isJson ? await response.json<Partial<Problem>>().catch(() => ({})) : {}
  const kind = response.status < 500 ? 'refused' : 'server'
  throw new NetProblem(kind, response.status, body, retryAfter(response))
}

function retryAfter(response: Response) {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}
