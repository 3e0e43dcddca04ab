import type { FeedMessage } from '#contract/feed.ts'
import { connectToFeed } from './connection.ts'

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
