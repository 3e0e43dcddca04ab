/** The parts of a fetch event that handlers use; tests provide their own. */
export interface FetchCall {
  readonly request: Request
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
 * Routes POST requests past the worker if the browser supports it. No handler answers them anyway, and a
 * closing page's request is lost if the page is gone before the worker has declined it (trap 36): more than
 * one in four in Chromium 156.
 */
export function letWritesBypass(event: InstallEvent): void {
  const told = event.addRoutes?.({ condition: { requestMethod: 'POST' }, source: 'network' })
  // A browser that has `addRoutes` but not this condition must still install.
  if (told) event.waitUntil(told.catch(() => undefined))
}

/** Answers some requests; returns undefined for all others, synchronously, so that they aren't delayed. */
export type RequestHandler = (event: FetchCall, address: URL) => Promise<Response> | undefined

export const answerFirst = (handlers: readonly RequestHandler[]) => (event: FetchCall) => {
  const address = new URL(event.request.url)
  if (address.origin !== location.origin) return
  for (const handler of handlers) {
    const answer = handler(event, address)
    if (answer) return event.respondWith(answer)
  }
}
