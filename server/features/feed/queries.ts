import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { FeedMessage } from '#contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { feedEvents } from '../../db/schema/feed.ts'

export interface FeedEvent {
  readonly id: string
  readonly sequence: number
  readonly data: unknown
}

/** Serialized per account, so that an event that becomes visible later never has a smaller number. */
export async function insertEvent(
  tx: Db,
  event: { userId: string; data: FeedMessage; createdAt: Date },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`feed ${event.userId}`}, 0))`)
  await tx.insert(feedEvents).values(event)
}

export async function notify(tx: Db, channel: string, payload: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${payload})`)
}

/** Only clients connected now, on any instance, receive it. */
export async function notifyTransient(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await db.execute(
    sql`select pg_notify(${channel}, told) from jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) told`,
  )
}

export const selectEventsAfter = (
  db: Db,
  userId: string,
  { sequence, most }: { sequence: number; most: number },
): Promise<FeedEvent[]> =>
  db
    .select({ id: feedEvents.id, sequence: feedEvents.sequence, data: feedEvents.data })
    .from(feedEvents)
    .where(and(eq(feedEvents.userId, userId), gt(feedEvents.sequence, sequence)))
    .orderBy(asc(feedEvents.sequence))
    .limit(most)

export async function selectSequence(db: Db, userId: string, id: string): Promise<number | undefined> {
  const [row] = await db
    .select({ sequence: feedEvents.sequence })
    .from(feedEvents)
    .where(and(eq(feedEvents.userId, userId), eq(feedEvents.id, id)))
  return row?.sequence
}

export async function selectNewest(db: Db, userId: string): Promise<Omit<FeedEvent, 'data'> | undefined> {
  const [row] = await db
    .select({ id: feedEvents.id, sequence: feedEvents.sequence })
    .from(feedEvents)
    .where(eq(feedEvents.userId, userId))
    .orderBy(desc(feedEvents.sequence))
    .limit(1)
  return row
}

export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await db.delete(feedEvents).where(lt(feedEvents.createdAt, before))
}
