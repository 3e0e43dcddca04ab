import type { FeedMessage } from '#contract/feed.ts'
import { createSharedFeed, type FeedListener } from './shared-feed.ts'

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
