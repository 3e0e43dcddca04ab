/** A fetch event, by the part that handlers use; tests make their own. */
export interface FetchCall {
  readonly request: Request
  /** The page that asks. */
  readonly clientId: string
  readonly preloadResponse: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
  waitUntil: (work: Promise<unknown>) => void
}

/** The browser's own, which the language's types do not know yet; not every browser has it. */
interface InstallEvent {
  readonly waitUntil: (work: Promise<unknown>) => void
  readonly addRoutes?: (rule: { condition: { requestMethod: string }; source: 'network' }) => Promise<void>
}

/**
 * What is written goes past the worker where the browser can be told so at its installation. No handler answers it
 * anyway, and a request that a closing page leaves behind is lost where the page is gone before the worker has said
 * that it is not its own (trap 36): more than one in four in Chromium 156.
 */
export function letWritesBypass(event: InstallEvent): void {
  const told = event.addRoutes?.({ condition: { requestMethod: 'POST' }, source: 'network' })
  // A browser that knows the call and not this rule loses nothing else by it.
  if (told) event.waitUntil(told.catch(() => undefined))
}

/** Knows an answer to some requests; undefined for all others, at once: a worker must not think before it passes. */
export type RequestHandler = (event: FetchCall, address: URL) => Promise<Response> | undefined

export const answerFirst = (handlers: readonly RequestHandler[]) => (event: FetchCall) => {
  const address = new URL(event.request.url)
  if (address.origin !== location.origin) return
  for (const handler of handlers) {
    const answer = handler(event, address)
    if (answer) return event.respondWith(answer)
  }
}
