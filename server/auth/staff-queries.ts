import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { staff, staffSessions } from '../db/schema/staff.ts'

export async function selectStaffSession(db: Db, tokenHash: string, now: RealTime) {
  const [row] = await db
    .select({
      staffId: staff.id,
      sessionId: staffSessions.id,
      name: staff.name,
      email: staff.email,
      role: staff.role,
      singleKeys: staff.singleKeys,
      lastSeenAt: staff.lastSeenAt,
      createdAt: staffSessions.createdAt,
      endsAt: staffSessions.endsAt,
      confirmedAt: staffSessions.confirmedAt,
    })
    .from(staffSessions)
    .innerJoin(staff, eq(staff.id, staffSessions.staffId))
    .where(
      and(
        eq(staffSessions.tokenHash, tokenHash),
        gt(staffSessions.endsAt, now),
        isNull(staffSessions.endedAt),
        isNull(staff.removedAt),
      ),
    )
  return row
}

/** Only if it is older than `before`, so that a busy screen does not write at each request. */
export async function updateStaffSeen(
  db: Db,
  staffId: string,
  { now, before }: { readonly now: RealTime; readonly before: Date },
): Promise<void> {
  await db
    .update(staff)
    .set({ lastSeenAt: now })
    .where(and(eq(staff.id, staffId), or(isNull(staff.lastSeenAt), lt(staff.lastSeenAt, before))))
}
