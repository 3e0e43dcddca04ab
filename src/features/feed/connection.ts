import type { FeedMessage } from '#contract/feed.ts'
import { FEED_HEARTBEAT_TIMEOUT_MS, FEED_PATH, feedTopic } from '#contract/limits.ts'
import { readStream } from '#net/stream.ts'
import { currentSession } from '#session/store.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

export interface FeedEvents {
  /** `id` is where to continue after a break; transient messages have none. */
  readonly onMessage: (message: FeedMessage, id: string | undefined) => void
  /** The stream is open (again); earlier messages may have been missed. */
  readonly onOpen?: () => void
  /** Any message from the server, even a heartbeat. */
  readonly onAlive?: () => void
  /** The server refused; don't ask again. */
  readonly onRefused?: () => void
}

interface Start {
  readonly after?: string | undefined
  readonly read?: typeof readStream
}

export function connectToFeed(
  userUuid: string,
  { onMessage, onOpen, onAlive, onRefused }: FeedEvents,
  { after, read = readStream }: Start = {},
): () => void {
  let stopped = false
  let failures = 0
  let lastEventId = after
  let connection = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const watch = () => {
    clearTimeout(timer)
    // No heartbeat for an hour: the connection is dead, even if the browser reports it open (FEED-03).
    timer = setTimeout(() => connection.abort(), FEED_HEARTBEAT_TIMEOUT_MS)
  }
  const open = async () => {
    connection = new AbortController()
    watch()
    let isOpen = false
    let askedPause: number | undefined
    const end = await read({
      path: FEED_PATH,
      search: { topic: feedTopic(userUuid) },
      // Short-lived, and valid for the feed only (OP-69).
      token: currentSession().user?.jwtMercuryToken,
      lastEventId,
      signal: connection.signal,
      onAlive: () => {
        failures = 0
        watch()
        onAlive?.()
        if (!isOpen) onOpen?.()
        isOpen = true
      },
      onRetry: (ms) => {
        askedPause = Math.min(ms, LONGEST_PAUSE_MS)
      },
      onEvent: ({ id, data }) => {
        lastEventId = id ?? lastEventId
        const message = messageIn(data)
        if (message) onMessage(message, id)
      },
    }).catch(() => 'closed' as const)
    clearTimeout(timer)
    if (stopped) return
    if (end === 'refused') return onRefused?.()
    const pause = askedPause ?? Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    failures += 1
    timer = setTimeout(() => void open(), pause)
  }
  void open()
  return () => {
    stopped = true
    clearTimeout(timer)
    connection.abort()
  }
}

/** Ignores other types, which later releases may send. */
function messageIn(data: string): FeedMessage | undefined {
  try {
    const message: FeedMessage | null = JSON.parse(data)
    return message && typeof message === 'object' && 'type' in message ? message : undefined
  } catch {
    return undefined
  }
}
