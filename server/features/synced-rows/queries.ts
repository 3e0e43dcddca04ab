import { and, desc, eq, isNotNull, notInArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { randomUUID } from 'node:crypto'
import { compareHeard, heardAtMs } from '../listening/place-order.ts'

export type SyncedTable = PgTable & Readonly<Record<'userId' | 'id' | 'removedAt', PgColumn>>

/** Serializes all changes to an account's rows of this kind until the transaction ends. */
export async function lockRows(
  tx: Db,
  kind: 'bookmarks' | 'highlights' | 'lists',
  userId: string,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${userId}`}, 0))`)
}

/** A late repeat arrives within weeks: `kept` is more than an account removes in that time. */
export async function deleteOldRemovals(
  db: Db,
  table: SyncedTable,
  userId: string,
  kept: number,
): Promise<void> {
  const removed = and(eq(table.userId, userId), isNotNull(table.removedAt))
  const newest = db
    .select({ id: table.id })
    .from(table)
    .where(removed)
    .orderBy(desc(table.removedAt), desc(table.id))
    .limit(kept)
  await db.delete(table).where(and(removed, notInArray(table.id, newest)))
}

export async function selectBookId(
  db: Db,
  format: 'audio_book' | 'e_book',
  slug: string,
): Promise<number | undefined> {
  const [book] = await db
    .select({ id: books.id })
    .from(books)
    .where(and(eq(books.format, format), eq(books.slug, slug)))
  return book?.id
}

/** `agoSeconds` takes precedence over `changedAt`, the device's clock. */
export interface SentVersion {
  readonly eventId?: string
  readonly deviceId?: string
  readonly sequence?: number
  readonly changedAt?: string
  readonly agoSeconds?: number
}

export interface Version {
  readonly changedAt: Date
  readonly eventId: string | null
  readonly deviceId: string | null
  readonly sequence: number
}

/** Without an event id, each request is a change of its own. */
export const versionOf = (sent: SentVersion, now: Date): Version & { readonly eventId: string } => ({
  changedAt: new Date(heardAtMs({ heardAt: sent.changedAt, agoSeconds: sent.agoSeconds }, now.getTime())),
  eventId: sent.eventId?.toLowerCase() ?? randomUUID(),
  deviceId: sent.deviceId?.toLowerCase() ?? null,
  sequence: sent.sequence ?? 0,
})

/** False for the same event, sent again. */
export const isNewerVersion = (sent: Version, stored: Version): boolean =>
  sent.eventId !== stored.eventId && compareHeard(orderOf(sent), orderOf(stored)) > 0

const orderOf = ({ changedAt, eventId, deviceId, sequence }: Version) => ({
  heardAtMs: changedAt.getTime(),
  eventId: eventId ?? '',
  deviceId,
  sequence,
})
