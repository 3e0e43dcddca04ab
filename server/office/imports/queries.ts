import { and, desc, eq, lt, notInArray, or, sql } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { importBatches } from '../../db/schema/imports.ts'

export type BatchRow = typeof importBatches.$inferSelect

export async function insertBatch(
  db: Db,
  staffId: string,
  state: 'uploading' | 'recording',
  now: RealTime,
): Promise<string> {
  const [row] = await db
    .insert(importBatches)
    .values({ staffId, createdAt: now, updatedAt: now, state })
    .returning({ id: importBatches.id })
  return row!.id
}

const isOpenImport = (staffId: string) =>
  and(eq(importBatches.staffId, staffId), notInArray(importBatches.state, ['done', 'recording']))

export async function countBatches(db: Db, staffId: string): Promise<number> {
  return db.$count(importBatches, isOpenImport(staffId))
}

/** Oldest first. */
export async function selectRecordings(db: Db, staffId: string): Promise<string[]> {
  const rows = await db
    .select({ id: importBatches.id })
    .from(importBatches)
    .where(and(eq(importBatches.staffId, staffId), eq(importBatches.state, 'recording')))
    .orderBy(importBatches.createdAt)
  return rows.map(({ id }) => id)
}

/** Of this member of staff: another's is as if there were none. */
export async function selectBatch(db: Db, id: string, staffId: string): Promise<BatchRow | undefined> {
  const [row] = await db
    .select()
    .from(importBatches)
    .where(and(eq(importBatches.id, id), eq(importBatches.staffId, staffId)))
  return row
}

export async function selectLatestBatch(db: Db, staffId: string): Promise<BatchRow | undefined> {
  const [row] = await db
    .select()
    .from(importBatches)
    .where(isOpenImport(staffId))
    .orderBy(desc(importBatches.createdAt))
    .limit(1)
  return row
}

export async function updateBatch(
  db: Db,
  id: string,
  change: Partial<Pick<BatchRow, 'state' | 'report' | 'doneCount' | 'problem'>>,
  now: RealTime,
): Promise<void> {
  await db
    .update(importBatches)
    .set({ ...change, updatedAt: now })
    .where(eq(importBatches.id, id))
}

/** Takes the batch for one run. @returns false if another run has it */
export async function claimBatch(
  db: Db,
  id: string,
  state: 'reading' | 'importing',
  {
    now,
    stuckBefore,
    keepsReport,
  }: { readonly now: RealTime; readonly stuckBefore: Date; readonly keepsReport: boolean },
): Promise<boolean> {
  const claimed = await db
    .update(importBatches)
    .set({
      state,
      updatedAt: now,
      doneCount: 0,
      problem: null,
      ...(keepsReport ? {} : { report: [] }),
    })
    .where(
      and(
        eq(importBatches.id, id),
        sql`(${importBatches.state} not in ('reading', 'importing') or ${importBatches.updatedAt} < ${stuckBefore.toISOString()}::timestamptz)`,
      ),
    )
    .returning({ id: importBatches.id })
  return claimed.length > 0
}

export async function deleteBatch(db: Db, id: string): Promise<void> {
  await db.delete(importBatches).where(eq(importBatches.id, id))
}

export async function deleteOldBatches(
  db: Db,
  { imports, recordings }: Readonly<Record<'imports' | 'recordings', RealTime>>,
): Promise<string[]> {
  const rows = await db
    .delete(importBatches)
    .where(
      or(
        lt(importBatches.updatedAt, imports),
        and(eq(importBatches.state, 'recording'), lt(importBatches.updatedAt, recordings)),
      ),
    )
    .returning({ id: importBatches.id })
  return rows.map(({ id }) => id)
}
