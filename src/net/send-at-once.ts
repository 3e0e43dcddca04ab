import type { CallName } from '#contract/endpoints.ts'
import type { CallInput, CallReply } from './call.ts'
import { connectivity } from './connectivity.ts'
import { isFromShop } from './from-shop.ts'
import { ownerOf, settings } from './settings.ts'

/** Only matters if the page stays open after all. */
const TIMEOUT_MS = 10_000

/**
 * Sends the last change of a page that is being hidden or closed: the request is sent synchronously, and the
 * browser completes it after the page is gone. One attempt, with the current token. Undefined if the device
 * is offline, or has no token of this user. Resolves to whether the answer arrived and `apply` stored it.
 */
export function sendAtOnce<N extends Extract<CallName, `POST ${string}`>>(
  name: N,
  body: CallInput<N>['body'],
  as: string,
  apply: (answer: CallReply<N>) => Promise<unknown>,
): Promise<boolean> | undefined {
  const token = settings.tokens.peek()?.token
  if (!token || ownerOf(token) !== as || connectivity.snapshot() === 'offline') return undefined
  return settings
    .fetch(settings.origin + name.slice('POST '.length), {
      method: 'POST',
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        accept: 'application/ld+json',
        'content-type': 'application/json',
        xtoken: `Bearer ${token}`,
      },
      body: JSON.stringify(body),
    })
    .then(async (response) => {
      if (!isFromShop(response) || !response.ok) return false
      await apply(await response.json())
      return true
    })
    .catch(() => false)
}
