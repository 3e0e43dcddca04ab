import { FEED_PATH } from '#contract/limits.ts'
import { SOON_MS } from './wait-ms.ts'

export interface LiveStream {
  readonly response: Response
  /** The next event; transient events have no id. To test that none arrived, send another and expect it next. */
  next(): Promise<{ id: string | undefined; data: unknown }>
  /** The reconnection time that the server sent, or undefined. */
  readonly retryMs: () => number | undefined
  /** True once the server closed it. */
  readonly ended: Promise<boolean>
  readonly isOver: () => boolean
}

const open = new Set<AbortController>()

export function closeStreams(): void {
  for (const controller of open) controller.abort()
  open.clear()
}

/** Subscribes to a topic at a server that listens on a port. */
export async function listenTo(
  base: string,
  { token, topic, last }: { token: string; topic: string; last?: string },
): Promise<LiveStream> {
  const controller = new AbortController()
  open.add(controller)
  const response = await fetch(`${base}${FEED_PATH}?topic=${encodeURIComponent(topic)}`, {
    headers: { authorization: `Bearer ${token}`, ...(last ? { 'last-event-id': last } : {}) },
    signal: controller.signal,
  })
  const events: { id: string | undefined; data: unknown }[] = []
  let retryMs: number | undefined
  let wake = () => undefined as void
  let isOver = !response.ok
  const ended = response.ok ? read().finally(() => (isOver = true)) : Promise.resolve(true)
  async function read(): Promise<boolean> {
    let text = ''
    try {
      for await (const bytes of response.body!) {
        text += Buffer.from(bytes).toString()
        const parts = text.split('\n\n')
        text = parts.pop()!
        for (const part of parts) {
          const [, id, data] = /^(?:id: (.+)\n)?data: (.+)$/.exec(part) ?? []
          const retry = /^retry: (\d+)$/.exec(part)?.[1]
          if (retry) retryMs = Number(retry)
          if (data) events.push({ id, data: JSON.parse(data) })
        }
        wake()
      }
      return true
    } catch {
      return false
    }
  }
  return {
    response,
    retryMs: () => retryMs,
    ended,
    isOver: () => isOver,
    async next() {
      const late = Date.now() + SOON_MS
      while (events.length === 0) {
        if (Date.now() > late) throw new Error('no event came')
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 50)
        })
      }
      return events.shift()!
    },
  }
}
