import { subscribe, unsubscribe } from 'node:diagnostics_channel'

interface Asked {
  readonly origin: string
  readonly method: string
  readonly path: string
}
interface Message {
  readonly request: Asked
  readonly response?: { readonly statusCode: number }
  readonly error?: Error
}

export interface EveryCall {
  /** The number of successful responses so far. */
  readonly answered: () => number
  /** Requests that got no response, broke off, or were refused. */
  readonly failed: readonly string[]
  stop(): void
}

/** Records every request of this process to that origin. It works below `fetch`, where nothing is retried. */
export function watchEveryCall(origin: string): EveryCall {
  const failed: string[] = []
  let answered = 0
  const note = ({ request, response, error }: Message) => {
    if (request.origin !== origin) return
    const what = `${request.method} ${request.path.slice(0, 60)}`
    // The caller cancelled the request.
    if (error?.name === 'AbortError') return
    if (error) failed.push(`${what}: ${error.name} ${error.message}`)
    else if (response!.statusCode >= 400) failed.push(`${what}: ${response!.statusCode}`)
    else answered += 1
  }
  const hear = (message: unknown) => note(message as Message)
  const channels = ['undici:request:headers', 'undici:request:error']
  for (const channel of channels) subscribe(channel, hear)
  return {
    answered: () => answered,
    failed,
    stop: () => channels.forEach((channel) => unsubscribe(channel, hear)),
  }
}
