import type { FeedMessage } from '#contract/feed.ts'
import { FEED_HEARTBEAT_TIMEOUT_MS, FEED_PATH, feedTopic } from '#contract/limits.ts'
import { readStream } from '#net/stream.ts'
import { currentSession } from '#session/store.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

interface FeedDoors {
  /** The stream is open (again); messages sent before may have been missed. */
  readonly onOpen?: () => void
  /** Any message from the server, even a heartbeat. */
  readonly onAlive?: () => void
  readonly read?: typeof readStream
  readonly heartbeatMs?: number
}

/** Hears an account's messages until it is stopped; comes back by itself after a break. */
export function listenToFeed(
  userUuid: string,
  onMessage: (message: FeedMessage) => void,
  { read = readStream, onOpen, onAlive, heartbeatMs = FEED_HEARTBEAT_TIMEOUT_MS }: FeedDoors = {},
): () => void {
  let stopped = false
  let failures = 0
  let lastEventId: string | undefined
  let connection = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const watch = () => {
    clearTimeout(timer)
    // Nothing for an hour: the connection is dead, whatever the browser believes (FEED-03).
    timer = setTimeout(() => connection.abort(), heartbeatMs)
  }
  const open = async () => {
    connection = new AbortController()
    watch()
    let isOpen = false
    const end = await read({
      path: FEED_PATH,
      search: { topic: feedTopic(userUuid) },
      // Short-lived and good for nothing else (OP-69).
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
      onEvent: ({ id, data }) => {
        lastEventId = id ?? lastEventId
        const message = messageIn(data)
        if (message) onMessage(message)
      },
    }).catch(() => 'closed' as const)
    clearTimeout(timer)
    if (stopped || end === 'refused') return
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
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

/** A later release may send kinds that this page does not know. */
function messageIn(data: string): FeedMessage | undefined {
  try {
    const message: FeedMessage | null = JSON.parse(data)
    return message && typeof message === 'object' && 'type' in message ? message : undefined
  } catch {
    return undefined
  }
}
