import { isFromShop } from './from-shop.ts'
import { renewToken } from './refresh.ts'
import { settings } from './settings.ts'

export interface StreamEvent {
  /** The id to resume from; undefined if the server sent none. */
  readonly id: string | undefined
  readonly data: string
}

interface StreamRequest {
  readonly path: string
  readonly search: Readonly<Record<string, string>>
  readonly lastEventId?: string | undefined
  /**
   * A token just for the stream, tried first; if it has expired or is missing, the log-in's token is used.
   */
  readonly token?: string | undefined
  readonly signal: AbortSignal
  /** Also called for comments: they show that the connection is alive. */
  readonly onAlive?: () => void
  readonly onEvent: (event: StreamEvent) => void
  /** The server's reconnection delay, in milliseconds. */
  readonly onRetry?: (ms: number) => void
}

/** `closed`: try again later. `refused`: this user may not read it. */
type StreamEnd = 'closed' | 'refused'

/**
 * Reads server-sent events until the server, the network or `signal` ends them. The browser's own
 * `EventSource` cannot send headers, and a token must never be in a URL. An expired token is renewed once, in
 * the background.
 */
export async function readStream(request: StreamRequest): Promise<StreamEnd> {
  const response = await openWithToken(request)
  if (response && !isFromShop(response)) return 'closed'
  if (!response || response.status === 403) return 'refused'
  if (!response.ok || !response.body) return 'closed'
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const feed = eventParser(request.onEvent, request.onRetry)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return 'closed'
    request.onAlive?.()
    feed(value)
  }
}

async function openWithToken(request: StreamRequest): Promise<Response | undefined> {
  if (request.token) {
    const response = await open(request, request.token)
    if (response.status !== 401) return response
  }
  const token = (await settings.tokens.read())?.token
  if (!token) return undefined
  const response = await open(request, token)
  if (response.status !== 401) return response
  const renewed = await renewToken(token, true)
  return renewed ? open(request, renewed) : undefined
}

function open({ path, search, lastEventId, signal }: StreamRequest, token: string): Promise<Response> {
  const query = new URLSearchParams(search).toString()
  return settings.fetch(`${settings.origin}${path}?${query}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
    cache: 'no-store',
    signal,
  })
}

/** Parses text chunks of any size into whole events (the HTML standard, 9.2). */
export function eventParser(
  onEvent: (event: StreamEvent) => void,
  onRetry?: (ms: number) => void,
): (piece: string) => void {
  let rest = ''
  let data: string[] = []
  let id: string | undefined
  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) onEvent({ id, data: data.join('\n') })
      data = []
      return
    }
    const colon = text.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    // An id applies until the next one; one with a null byte is ignored.
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry?.(Number(value))
  }
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    lines.forEach(line)
  }
}
