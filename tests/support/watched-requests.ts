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
  /** How many were answered so far. */
  readonly answered: () => number
  /** Those that nobody answered, that broke off, or that were refused. */
  readonly failed: readonly string[]
  stop(): void
}

/** Watches below `fetch`, where nothing is asked again: each call of this process to that origin, whoever makes it and whatever they do then. */
export function watchEveryCall(origin: string): EveryCall {
  const failed: string[] = []
  let answered = 0
  const note = ({ request, response, error }: Message) => {
    if (request.origin !== origin) return
    const what = `${request.method} ${request.path.slice(0, 60)}`
    // Whoever asked has left.
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
