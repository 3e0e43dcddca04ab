import { SHOP_HEADER } from '#contract/limits.ts'
import { KEPT_HEADER } from '#storage/messages.ts'
import { isFromShop } from '#net/from-shop.ts'

/** Public answers to earlier requests. */
export const CATALOGUE = 'murmur-catalogue'

const KEPT_AT = 'x-murmur-kept-at'

/** Cache only complete, successful answers of our own server, of this type (traps 4, 18, 22). */
export const isCacheable = (response: Response, type = /\bjson\b/) =>
  isFromShop(response) &&
  response.status === 200 &&
  response.type === 'basic' &&
  !response.redirected &&
  type.test(response.headers.get('content-type') ?? '')

/** Caches a copy as the newest of at most `cap`. A full device still gets its answer (trap 12). */
export const storeAnswer = (cacheName: string, address: string, response: Response, cap: number) =>
  putAnswer(cacheName, address, response, cap).catch(() => undefined)

async function putAnswer(cacheName: string, address: string, response: Response, cap: number) {
  const headers = new Headers(response.headers)
  headers.set(KEPT_AT, String(Date.now()))
  const copy = new Response(await response.clone().arrayBuffer(), { status: 200, headers })
  await putNewest(cacheName, address, copy, cap)
}

/** Replaces and moves to the end in one step, so that the first entry is the one stored longest ago. */
export async function putNewest(cacheName: string, address: string, response: Response, cap: number) {
  const cache = await caches.open(cacheName)
  await cache.put(address, response)
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, Math.max(0, keys.length - cap)).map((key) => cache.delete(key)))
}

export interface CachedAnswer {
  response: Response
  ageMs: number
}

export async function cachedAnswer(cacheName: string, address: string): Promise<CachedAnswer | undefined> {
  if (!(await caches.has(cacheName))) return undefined
  const response = await (await caches.open(cacheName)).match(address)
  if (!response) return undefined
  return { response, ageMs: Date.now() - Number(response.headers.get(KEPT_AT)) }
}

/**
 * `note` tells the page: `fresh` can be used as it is, `late` is replaced once the server has answered,
 * `silence` means that the server did not answer.
 */
export function labelled({ response }: CachedAnswer, note: 'fresh' | 'late' | 'silence'): Response {
  const headers = new Headers(response.headers)
  headers.set(KEPT_HEADER, note)
  // Older entries lack this header, but were checked before they were cached.
  headers.set(SHOP_HEADER, '1')
  return new Response(response.body, { status: response.status, headers })
}
