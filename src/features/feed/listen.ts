import type { FeedMessage } from '#contract/feed.ts'
import { FEED_HEARTBEAT_TIMEOUT_MS, FEED_PATH, feedTopic } from '#contract/limits.ts'
import { readStream } from '#net/stream.ts'
import { currentSession } from '#session/store.ts'

const feeds = new Map<string, ReturnType<typeof createSharedFeed>>()

/**
 * Subscribes to an account's messages through the stream that all tabs of this browser share. Hidden tabs
 * open none unless `evenHidden`.
 */
export function listenToFeed(
  userUuid: string,
  onMessage: (message: FeedMessage) => void,
  options: Omit<FeedListener, 'onMessage'> = {},
): () => void {
  const feed = feeds.get(userUuid) ?? createSharedFeed(userUuid, { onEmpty: () => feeds.delete(userUuid) })
  feeds.set(userUuid, feed)
  return feed.add({ ...options, onMessage })
}

interface FeedListener {
  readonly onMessage: (message: FeedMessage) => void
  /** A tab has opened the stream (again); earlier messages may have been missed. */
  readonly onOpen?: () => void
  /** Any message from the server, even a heartbeat. */
  readonly onAlive?: () => void
  /** Read in a hidden tab too, because it plays. */
  readonly evenHidden?: boolean
}

/** Messages between the tab that reads the stream and the others. */
type TabMessage =
  | { is: 'message'; message: FeedMessage; id: string | undefined }
  | { is: 'open' | 'alive' | 'who-reads' }

interface Ports {
  readonly onEmpty?: () => void
  readonly connect?: typeof connectToFeed
  readonly locks?: Pick<LockManager, 'request'> | undefined
  readonly channel?: Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'> | undefined
  readonly page?: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
}

/**
 * One stream for all tabs, because a browser allows six connections per origin and a stream occupies one. The
 * tab with the Web Lock reads and forwards the messages; it releases the lock when it is hidden or closed.
 * Without locks or channels, each visible tab reads for itself.
 */
export function createSharedFeed(
  userUuid: string,
  {
    onEmpty,
    connect = connectToFeed,
    locks = globalThis.navigator?.locks,
    channel = globalThis.BroadcastChannel && new BroadcastChannel(`murmur-feed-${userUuid}`),
    page = document,
  }: Ports = {},
): { add: (listener: FeedListener) => () => void } {
  const listeners = new Set<FeedListener>()
  /** Stops waiting for the lock, or reading. */
  let lockWait: AbortController | undefined
  let reading = false
  let open = false
  let refused = false
  let lastEventId: string | undefined

  const receive = (message: TabMessage) => {
    if (message.is === 'message') lastEventId = message.id ?? lastEventId
    if (message.is === 'open') open = true
    for (const listener of listeners) {
      if (message.is === 'message') listener.onMessage(message.message)
      else if (message.is === 'open') listener.onOpen?.()
      else listener.onAlive?.()
    }
  }
  const broadcast = (message: TabMessage) => {
    channel?.postMessage(message)
    receive(message)
  }

  const read = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      reading = true
      const end = () => {
        stop()
        reading = open = false
        resolve()
      }
      const stop = connect(
        userUuid,
        {
          onMessage: (message, id) => broadcast({ is: 'message', message, id }),
          onOpen: () => broadcast({ is: 'open' }),
          onAlive: () => broadcast({ is: 'alive' }),
          onRefused: () => {
            refused = true
            end()
          },
        },
        { after: lastEventId },
      )
      signal.addEventListener('abort', end, { once: true })
    })

  const look = () => {
    const isVisible = page.visibilityState === 'visible'
    const wanted = !refused && [...listeners].some(({ evenHidden }) => evenHidden || isVisible)
    if (wanted && !lockWait) {
      lockWait = new AbortController()
      void oneTabAtATime(locks, `murmur-feed-${userUuid}`, lockWait.signal, read)
    } else if (!wanted) {
      lockWait?.abort()
      lockWait = undefined
    }
  }

  return {
    add(listener) {
      if (listeners.size === 0) {
        page.addEventListener('visibilitychange', look)
        if (channel)
          channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
            if (data.is !== 'who-reads') receive(data)
            else if (reading && open) channel.postMessage({ is: 'open' } satisfies TabMessage)
          }
        channel?.postMessage({ is: 'who-reads' } satisfies TabMessage)
      }
      listeners.add(listener)
      if (open) queueMicrotask(() => listeners.has(listener) && listener.onOpen?.())
      look()
      return () => {
        if (!listeners.delete(listener)) return
        look()
        if (listeners.size > 0) return
        page.removeEventListener('visibilitychange', look)
        channel?.close()
        onEmpty?.()
      }
    },
  }
}

/** Without Web Locks, this tab reads at once. */
async function oneTabAtATime(
  locks: Ports['locks'],
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!locks) return work(signal)
  let begun = false
  const locked = async () => {
    begun = true
    await work(signal)
  }
  await locks.request(name, { signal }, locked).catch(() => {
    if (!begun && !signal.aborted) return work(signal)
    return undefined
  })
}

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
