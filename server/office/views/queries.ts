import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { staffViews } from '../../db/schema/staff.ts'

interface OfList {
  readonly staffId: string
  readonly list: string
}

const of = ({ staffId, list }: OfList) => and(eq(staffViews.staffId, staffId), eq(staffViews.list, list))

export const selectViews = (db: Db, given: OfList, limit: number) =>
  db
    .select({ id: staffViews.id, name: staffViews.name, search: staffViews.search })
    .from(staffViews)
    .where(of(given))
    .orderBy(asc(staffViews.createdAt), staffViews.id)
    .limit(limit)

export async function countViews(db: Db, given: OfList): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(staffViews)
    .where(of(given))
  return row!.count
}

export async function insertView(db: Db, view: typeof staffViews.$inferInsert) {
  const [row] = await db.insert(staffViews).values(view).returning()
  return row!
}

export async function deleteView(db: Db, given: OfList & { readonly id: string }): Promise<boolean> {
  const removed = await db
    .delete(staffViews)
    .where(and(eq(staffViews.id, given.id), of(given)))
    .returning({ id: staffViews.id })
  return removed.length > 0
}
