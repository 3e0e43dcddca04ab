import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { BusinessTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { postponedWork } from '../db/schema/jobs.ts'

export type Postponable =
  | 'closed-account'
  | 'payment-of-closed-account'
  | 'withdrawal'
  | 'withdrawal-statement'

interface WorkItem {
  readonly work: Postponable
  readonly id: string
}

const ofItem = ({ work, id }: WorkItem) => and(eq(postponedWork.work, work), eq(postponedWork.itemId, id))

const untilOf = (work: Postponable, id: PgColumn): SQL =>
  sql`(select p.until from postponed_work p where p.work = ${work} and p.item_id = ${id})`

export const isDue = (work: Postponable, id: PgColumn, now: BusinessTime): SQL =>
  sql`coalesce(${untilOf(work, id)} <= ${now.toISOString()}::timestamptz, true)`

/** For `orderBy`: items that failed come after the others, so that they can't fill the batch. */
export const lastTried = (work: Postponable, id: PgColumn): SQL => sql`${untilOf(work, id)} asc nulls first`

/** Several instances may fail at the same item: each counts. */
export async function postpone(
  db: Db,
  item: WorkItem,
  next: (failures: number) => { readonly failures: number; readonly until: BusinessTime },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ failures: postponedWork.failures })
      .from(postponedWork)
      .where(ofItem(item))
      .for('update')
    const set = next(row?.failures ?? 0)
    await tx
      .insert(postponedWork)
      .values({ work: item.work, itemId: item.id, ...set })
      .onConflictDoUpdate({ target: [postponedWork.work, postponedWork.itemId], set })
  })
}

export async function deletePostponed(db: Db, item: WorkItem): Promise<void> {
  await db.delete(postponedWork).where(ofItem(item))
}

export async function deleteOldPostponed(db: Db, before: BusinessTime): Promise<void> {
  await db.delete(postponedWork).where(lt(postponedWork.until, before))
}
