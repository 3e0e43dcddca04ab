import { and, count, desc, eq, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { listRows } from '../../db/schema/lists.ts'
import type { PageOf } from '#contract/calculations/hydra-list.ts'

export type Kind = (typeof listRows.$inferSelect)['kind']

const columns = {
  id: listRows.id,
  kind: listRows.kind,
  shelfId: listRows.shelfId,
  bookId: listRows.bookId,
  format: books.format,
  slug: books.slug,
  name: listRows.name,
  position: listRows.position,
  changedAt: listRows.changedAt,
  eventId: listRows.eventId,
  deviceId: listRows.deviceId,
  sequence: listRows.sequence,
  removedAt: listRows.removedAt,
}

export type ListRow = NonNullable<Awaited<ReturnType<typeof selectRow>>>

/** Serializes all changes to an account's lists until the transaction ends. */
export async function lockLists(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lists ${userId}`}, 0))`)
}

/** A row of this account, including a removed one (`removedAt` is set). */
export async function selectRow(db: Db, userId: string, id: string) {
  const [row] = await db
    .select(columns)
    .from(listRows)
    .leftJoin(books, eq(books.id, listRows.bookId))
    .where(and(eq(listRows.userId, userId), eq(listRows.id, id)))
  return row
}

const standing = (userId: string, kind: Kind) =>
  and(eq(listRows.userId, userId), eq(listRows.kind, kind), isNull(listRows.removedAt))

export async function selectRows(
  db: Db,
  { userId, kind, page }: { userId: string; kind: Kind; page: PageOf },
): Promise<{ rows: ListRow[]; total: number }> {
  const rows = await db
    .select(columns)
    .from(listRows)
    .leftJoin(books, eq(books.id, listRows.bookId))
    .where(standing(userId, kind))
    .orderBy(sql`${listRows.position} collate "C"`, listRows.id)
    .limit(page.itemsPerPage)
    .offset((page.page - 1) * page.itemsPerPage)
  return { rows, total: await countRows(db, userId, kind) }
}

export async function countRows(db: Db, userId: string, kind: Kind): Promise<number> {
  const [row] = await db.select({ total: count() }).from(listRows).where(standing(userId, kind))
  return row!.total
}

export async function selectBookId(
  db: Db,
  { format, slug }: { format: 'audio_book' | 'e_book'; slug: string },
): Promise<number | undefined> {
  const [book] = await db
    .select({ id: books.id })
    .from(books)
    .where(and(eq(books.format, format), eq(books.slug, slug)))
  return book?.id
}

export async function writeRow(db: Db, row: typeof listRows.$inferInsert): Promise<void> {
  const { userId: _user, id: _id, kind: _kind, ...changed } = row
  await db
    .insert(listRows)
    .values(row)
    .onConflictDoUpdate({ target: [listRows.userId, listRows.id], set: changed })
}

/** A late change arrives within weeks. No account removes 2,000 rows in that time. */
const REMOVED_KEPT = 2000

export async function forgetOldRemovals(db: Db, userId: string): Promise<void> {
  const removed = and(eq(listRows.userId, userId), isNotNull(listRows.removedAt))
  const kept = db
    .select({ id: listRows.id })
    .from(listRows)
    .where(removed)
    .orderBy(desc(listRows.removedAt), desc(listRows.id))
    .limit(REMOVED_KEPT)
  await db.delete(listRows).where(and(removed, notInArray(listRows.id, kept)))
}
