import type { CallName } from '#contract/endpoints.ts'
import type { CallInput, CallReply } from './call.ts'
import { isFromShop } from './from-shop.ts'
import { NetProblem } from './problem.ts'
import { settings, ownerOf } from './settings.ts'

/** Only matters if the page stays open after all. */
const PATIENCE_MS = 10_000

/**
 * Sends a last word before this line ends, so that it leaves although the page is going; the browser sees it
 * through. One try with the token at hand. Undefined where there is none, or it is somebody else's.
 *
 * The promise rejects like `call`'s; mostly nobody is left to hear it.
 */
export function sendAtOnce<N extends Extract<CallName, `POST ${string}`>>(
  name: N,
  body: CallInput<N>['body'],
  as: string,
): Promise<CallReply<N>> | undefined {
  const token = settings.tokens.peek()?.token
  if (!token || ownerOf(token) !== as) return undefined
  return settings
    .fetch(settings.origin + name.slice('POST '.length), {
      method: 'POST',
      keepalive: true,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        accept: 'application/ld+json',
        'content-type': 'application/json',
        xtoken: `Bearer ${token}`,
      },
      body: JSON.stringify(body),
    })
    .then(async (response) => {
      if (!isFromShop(response)) throw new NetProblem('offline', 0)
      if (!response.ok) throw new NetProblem(response.status < 500 ? 'refused' : 'server', response.status)
      return response.json()
    })
}
