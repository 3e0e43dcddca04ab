import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { sessions, users } from '../db/schema/accounts.ts'
import type { Caller } from './access.ts'

/** When the session's user last proved who they are: at the log-in, or later with the password. */
export async function selectProved(db: Db, sessionId: string): Promise<Date | undefined> {
  const [row] = await db
    .select({ createdAt: sessions.createdAt, provedAt: sessions.provedAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  return row && (row.provedAt ?? row.createdAt)
}

export async function updateProved(db: Db, sessionId: string, provedAt: RealTime): Promise<void> {
  await db.update(sessions).set({ provedAt }).where(eq(sessions.id, sessionId))
}

/** In the order of `ids`; null if the session ended or its account was deleted or blocked. */
export async function selectCallers(
  db: Db,
  ids: readonly string[],
  now: RealTime,
): Promise<(Caller | null)[]> {
  const rows = await db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      countryCode: users.countryCode,
      outletId: users.outletId,
      viewedBy: sessions.viewedBy,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        // A single array parameter, so that the statement text is the same for any number of sessions.
        sql`${sessions.id} = any(${sql.param([...new Set(ids)])}::uuid[])`,
        isNull(sessions.revokedAt),
        isNull(users.blockedAt),
        gt(sessions.expiresAt, now),
      ),
    )
  const alive = new Map(rows.map((row) => [row.sessionId, row]))
  return ids.map((id) => alive.get(id) ?? null)
}
