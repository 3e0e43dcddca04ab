import { isFromShop } from './from-shop.ts'
import { NetProblem } from './problem.ts'
import { ownerOf, settings } from './settings.ts'

const FILE_MS = 20_000

/**
 * A user's file of the API that is not JSON, in the background: an expired session never redirects the listener.
 *
 * @throws {NetProblem}
 */
export async function fetchFile(path: string, ownerUuid: string): Promise<ArrayBuffer> {
  let token = (await settings.tokens.read())?.token
  if (ownerOf(token) !== ownerUuid) throw new NetProblem('refused', 401)
  let response = await ask(path, token)
  if (response.status === 401 && token) {
    token = await settings.renew(token, true)
    if (token) response = await ask(path, token)
  }
  if (!response.ok) throw new NetProblem(response.status < 500 ? 'refused' : 'server', response.status)
  return response.arrayBuffer()
}

async function ask(path: string, token: string | undefined): Promise<Response> {
  const response = await settings
    .fetch(settings.origin + path, {
      headers: { xtoken: `Bearer ${token}` },
      signal: AbortSignal.timeout(FILE_MS),
    })
    .catch(() => undefined)
  if (!response || !isFromShop(response)) throw new NetProblem('offline', 0)
  return response
}
