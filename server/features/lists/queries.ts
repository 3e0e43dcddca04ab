import { and, count, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { listRows } from '../../db/schema/library.ts'
import { deleteOldRemovals } from '../synced-rows/queries.ts'
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

export async function writeRow(db: Db, row: typeof listRows.$inferInsert): Promise<void> {
  const { userId: _user, id: _id, kind: _kind, ...changed } = row
  await db
    .insert(listRows)
    .values(row)
    .onConflictDoUpdate({ target: [listRows.userId, listRows.id], set: changed })
}

/** No account removes 2,000 rows within the weeks in which a late change arrives. */
const REMOVED_KEPT = 2000

export const forgetOldRemovals = (db: Db, userId: string): Promise<void> =>
  deleteOldRemovals(db, listRows, userId, REMOVED_KEPT)
