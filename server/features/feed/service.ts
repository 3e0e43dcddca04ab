import { DAY_MS } from '#contract/durations.ts'
import type { FeedMessage } from '#contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { deleteOldEvents, insertEvent, notify, notifyTransient } from './queries.ts'

export const FEED_CHANNEL = 'feed'

/** The streams receive the event after the commit, and an offline client when it reconnects (FEED-04). */
export async function publish(tx: Db, userId: string, data: FeedMessage, createdAt: Date): Promise<void> {
  await insertEvent(tx, { userId, data, createdAt })
  await notify(tx, FEED_CHANNEL, userId)
}

export const TRANSIENT_CHANNEL = 'feed_passing'

export interface TransientMessage {
  readonly userId: string
  readonly data: FeedMessage
}

/** Without a row, a lock or a sequence number: an offline device fetches the current state later. */
export const publishTransient = (db: Db, messages: readonly TransientMessage[]): Promise<void> =>
  notifyTransient(
    db,
    TRANSIENT_CHANNEL,
    messages.map((message) => JSON.stringify(message)),
  )

export const clearOldFeed = (db: Db, now: Date): Promise<void> =>
  deleteOldEvents(db, new Date(now.getTime() - DAY_MS))
