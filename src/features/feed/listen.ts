import type { FeedMessage } from '#contract/feed.ts'
import { createSharedFeed, type FeedListener } from './shared-feed.ts'

const feeds = new Map<string, ReturnType<typeof createSharedFeed>>()

/**
 * An account's messages until it is stopped, over the one stream that all tabs of this browser share. A hidden tab
 * opens none, unless `evenHidden`.
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
