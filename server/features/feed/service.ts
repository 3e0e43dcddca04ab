import { DAY_MS } from '#contract/durations.ts'
import type { FeedMessage } from '#contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { deleteOldEvents, insertEvent, notify, notifyTransient } from './queries.ts'

/** Tells every instance that an account has something to hear; the payload is the account. */
export const FEED_CHANNEL = 'feed'

/**
 * Writes a message into the transaction of what it is about; the account's streams hear it when that commits, and
 * whoever was away for a moment hears it after coming back (FEED-04).
 */
export async function publish(tx: Db, userId: string, data: FeedMessage, createdAt: Date): Promise<void> {
  await insertEvent(tx, { userId, data, createdAt })
  await notify(tx, FEED_CHANNEL, userId)
}

/** For messages that are true for a moment only; the payload is a `TransientMessage`. */
export const TRANSIENT_CHANNEL = 'feed_passing'

export interface TransientMessage {
  readonly userId: string
  readonly data: FeedMessage
}

/**
 * Tells accounts what is of use at once or not at all: no row, no lock, no number. A device that was away for a
 * moment does not hear it, and asks for what stands instead.
 */
export const publishTransient = (db: Db, messages: readonly TransientMessage[]): Promise<void> =>
  notifyTransient(
    db,
    TRANSIENT_CHANNEL,
    messages.map((message) => JSON.stringify(message)),
  )

/** A job: deletes events more than a day old. */
export const clearOldFeed = (db: Db, now: Date): Promise<void> =>
  deleteOldEvents(db, new Date(now.getTime() - DAY_MS))
