import type { BusinessTime } from '../../clock.ts'
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { orders } from '../../db/schema/orders.ts'
import { withdrawalStatements } from '../../db/schema/withdrawals.ts'
import { isDue, lastTried } from '../../due-work/queries.ts'

export type StatementRow = typeof withdrawalStatements.$inferSelect

export async function insertStatement(
  db: Db,
  statement: typeof withdrawalStatements.$inferInsert,
): Promise<StatementRow | undefined> {
  const [row] = await db
    .insert(withdrawalStatements)
    .values(statement)
    .onConflictDoNothing({ target: withdrawalStatements.fingerprint })
    .returning()
  return row
}

export async function selectByFingerprint(db: Db, fingerprint: string): Promise<StatementRow | undefined> {
  const [row] = await db
    .select()
    .from(withdrawalStatements)
    .where(eq(withdrawalStatements.fingerprint, fingerprint))
  return row
}

export async function selectStatement(db: Db, id: string): Promise<StatementRow | undefined> {
  const [row] = await db.select().from(withdrawalStatements).where(eq(withdrawalStatements.id, id))
  return row
}

export async function notifyOfStatement(db: Db, channel: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, '')`)
}

const open = isNull(withdrawalStatements.settledAt)

export const selectUnchecked = (db: Db, now: BusinessTime, limit: number): Promise<StatementRow[]> =>
  db
    .select()
    .from(withdrawalStatements)
    .where(
      and(
        open,
        isNull(withdrawalStatements.checkedAt),
        isDue('withdrawal-statement', withdrawalStatements.id, now),
      ),
    )
    .orderBy(lastTried('withdrawal-statement', withdrawalStatements.id), asc(withdrawalStatements.statedAt))
    .limit(limit)

export const selectOpenStatements = (db: Db, limit: number): Promise<StatementRow[]> =>
  db
    .select()
    .from(withdrawalStatements)
    .where(and(open, isNotNull(withdrawalStatements.checkedAt)))
    .orderBy(asc(withdrawalStatements.statedAt))
    .limit(limit)

/** Two at most: enough to see whether there is only one. */
export const selectStatementsBy = (db: Db, idBegins: string): Promise<StatementRow[]> =>
  db
    .select()
    .from(withdrawalStatements)
    .where(sql`${withdrawalStatements.id}::text like ${`${idBegins}%`}`)
    .limit(2)

export async function updateStatement(
  db: Db,
  id: string,
  change: Partial<Pick<StatementRow, 'checkedAt' | 'problem' | 'settledAt'>>,
): Promise<boolean> {
  const changed = await db
    .update(withdrawalStatements)
    .set(change)
    .where(and(eq(withdrawalStatements.id, id), open))
    .returning({ id: withdrawalStatements.id })
  return changed.length > 0
}

/** @returns false if it isn't settled */
export async function reopenStatement(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .update(withdrawalStatements)
    .set({ settledAt: null })
    .where(and(eq(withdrawalStatements.id, id), isNotNull(withdrawalStatements.settledAt)))
    .returning({ id: withdrawalStatements.id })
  return changed.length > 0
}

export async function selectIsKnown(db: Db, email: string): Promise<boolean> {
  const { rows } = await db.execute<{ known: boolean }>(sql`
    select exists (select from ${users} where lower(${users.email}) = ${email})
      or exists (select from ${orders} where lower(${orders.buyerEmail}) = ${email} and ${orders.state} = 'paid') as known`)
  return rows[0]!.known
}

export async function deleteSettledStatements(db: Db, before: BusinessTime): Promise<void> {
  await db
    .delete(withdrawalStatements)
    .where(sql`${withdrawalStatements.settledAt} < ${before.toISOString()}::timestamptz`)
}
