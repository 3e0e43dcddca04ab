import { sql } from 'drizzle-orm'
import type { FeedMessage } from '#contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { deleteOldEvents, insertEvent } from './rows.ts'

export { feedToken } from './tokens.ts'

/** Tells every instance that an account has something to hear; the payload is the account. */
export const FEED_CHANNEL = 'feed'

/**
 * Writes a message into the transaction of what it is about; the account's streams hear it when that commits, and
 * whoever was away for a moment hears it after coming back (FEED-04).
 */
export async function tell(tx: Db, userId: string, data: FeedMessage, createdAt: Date): Promise<void> {
  await insertEvent(tx, { userId, data, createdAt })
  await tx.execute(sql`select pg_notify(${FEED_CHANNEL}, ${userId})`)
}

const DAY_MS = 24 * 3_600_000

/** A job: forgets what was told more than a day ago. */
export const clearOldFeed = (db: Db, now: Date): Promise<void> =>
  deleteOldEvents(db, new Date(now.getTime() - DAY_MS))
