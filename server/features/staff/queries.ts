import { and, asc, count, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import {
  staff,
  staffChallenges,
  staffInvitations,
  staffPasskeys,
  staffRecoveryCodes,
  staffSessions,
} from '../../db/schema/staff.ts'

export type StaffRow = typeof staff.$inferSelect
export type PasskeyRow = typeof staffPasskeys.$inferSelect
export type InvitationRow = typeof staffInvitations.$inferSelect

const isHere = isNull(staff.removedAt)
const hasAddress = (email: string) => eq(sql`lower(${staff.email})`, email.trim().toLowerCase())

export async function selectStaffAt(db: Db, email: string): Promise<StaffRow | undefined> {
  const [row] = await db
    .select()
    .from(staff)
    .where(and(hasAddress(email), isHere))
  return row
}

export async function selectStaff(db: Db, id: string): Promise<StaffRow | undefined> {
  const [row] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.id, id), isHere))
  return row
}

const TEAM_AT_MOST = 200

export const selectTeam = (db: Db): Promise<StaffRow[]> =>
  db.select().from(staff).where(isHere).orderBy(asc(staff.createdAt)).limit(TEAM_AT_MOST)

export async function insertStaff(
  db: Db,
  row: Pick<StaffRow, 'email' | 'name' | 'role' | 'createdAt'>,
): Promise<StaffRow> {
  const [inserted] = await db.insert(staff).values(row).returning()
  return inserted!
}

export async function updateStaff(
  db: Db,
  id: string,
  change: Partial<Pick<StaffRow, 'name' | 'role' | 'singleKeys' | 'removedAt'>>,
): Promise<void> {
  await db.update(staff).set(change).where(eq(staff.id, id))
}

/** Locks all owners, so that two removals at once can't leave none. */
export async function selectOtherOwners(tx: Db, id: string): Promise<number> {
  const owners = await tx
    .select({ id: staff.id })
    .from(staff)
    .where(and(eq(staff.role, 'owner'), isHere))
    .orderBy(asc(staff.id))
    .limit(TEAM_AT_MOST)
    .for('update')
  return owners.filter((owner) => owner.id !== id).length
}

export const selectPasskeys = (db: Db, staffIds: readonly string[]): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(staffPasskeys)
    .where(inArray(staffPasskeys.staffId, [...staffIds]))
    .orderBy(asc(staffPasskeys.createdAt))
    .limit(1_000)

export async function selectPasskeyByCredential(db: Db, credentialId: string) {
  const [row] = await db
    .select({ passkey: staffPasskeys, person: staff })
    .from(staffPasskeys)
    .innerJoin(staff, eq(staff.id, staffPasskeys.staffId))
    .where(and(eq(staffPasskeys.credentialId, credentialId), isHere))
  return row
}

export async function insertPasskey(db: Db, row: typeof staffPasskeys.$inferInsert): Promise<void> {
  await db.insert(staffPasskeys).values(row)
}

export async function updatePasskeyUsed(
  db: Db,
  id: string,
  change: Pick<PasskeyRow, 'counter' | 'isSynced' | 'lastUsedAt'>,
): Promise<void> {
  await db.update(staffPasskeys).set(change).where(eq(staffPasskeys.id, id))
}

export async function deletePasskey(db: Db, staffId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(staffPasskeys)
    .where(and(eq(staffPasskeys.id, id), eq(staffPasskeys.staffId, staffId)))
    .returning({ id: staffPasskeys.id })
  return deleted.length > 0
}

export async function replaceRecoveryCodes(
  tx: Db,
  staffId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.delete(staffRecoveryCodes).where(eq(staffRecoveryCodes.staffId, staffId))
  await tx.insert(staffRecoveryCodes).values(hashes.map((codeHash) => ({ staffId, codeHash })))
}

export async function useRecoveryCode(
  db: Db,
  staffId: string,
  hashes: readonly string[],
  now: RealTime,
): Promise<boolean> {
  const used = await db
    .update(staffRecoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(staffRecoveryCodes.staffId, staffId),
        inArray(staffRecoveryCodes.codeHash, [...hashes]),
        isNull(staffRecoveryCodes.usedAt),
      ),
    )
    .returning({ id: staffRecoveryCodes.id })
  return used.length > 0
}

export async function selectRecoveryCodesLeft(
  db: Db,
  staffIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ staffId: staffRecoveryCodes.staffId, left: count() })
    .from(staffRecoveryCodes)
    .where(and(inArray(staffRecoveryCodes.staffId, [...staffIds]), isNull(staffRecoveryCodes.usedAt)))
    .groupBy(staffRecoveryCodes.staffId)
  return new Map(rows.map(({ staffId, left }) => [staffId, left]))
}

export async function insertStaffSession(db: Db, row: typeof staffSessions.$inferInsert): Promise<void> {
  await db.insert(staffSessions).values(row)
}

export async function updateConfirmed(db: Db, sessionId: string, now: RealTime): Promise<void> {
  await db.update(staffSessions).set({ confirmedAt: now }).where(eq(staffSessions.id, sessionId))
}

/** Ends one session, or all sessions of a member of staff. */
export async function endStaffSessions(
  db: Db,
  of: { readonly sessionId: string } | { readonly staffId: string; readonly except?: string },
  now: RealTime,
): Promise<number> {
  const which =
    'sessionId' in of
      ? eq(staffSessions.id, of.sessionId)
      : and(
          eq(staffSessions.staffId, of.staffId),
          of.except === undefined ? undefined : ne(staffSessions.id, of.except),
        )
  const ended = await db
    .update(staffSessions)
    .set({ endedAt: now })
    .where(and(which, isNull(staffSessions.endedAt)))
    .returning({ id: staffSessions.id })
  return ended.length
}

export async function selectSignedIn(db: Db, now: RealTime): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ staffId: staffSessions.staffId })
    .from(staffSessions)
    .where(and(isNull(staffSessions.endedAt), gt(staffSessions.endsAt, now)))
    .limit(TEAM_AT_MOST)
  return new Set(rows.map(({ staffId }) => staffId))
}

export async function insertInvitation(
  db: Db,
  row: typeof staffInvitations.$inferInsert,
): Promise<InvitationRow> {
  const [inserted] = await db.insert(staffInvitations).values(row).returning()
  return inserted!
}

const isOpen = (now: RealTime) =>
  and(
    isNull(staffInvitations.usedAt),
    isNull(staffInvitations.withdrawnAt),
    gt(staffInvitations.expiresAt, now),
  )

export const selectOpenInvitations = (db: Db, now: RealTime): Promise<InvitationRow[]> =>
  db
    .select()
    .from(staffInvitations)
    .where(and(isOpen(now), eq(staffInvitations.thisMachineOnly, false)))
    .orderBy(asc(staffInvitations.createdAt))
    .limit(TEAM_AT_MOST)

export async function selectInvitationByToken(
  db: Db,
  tokenHash: string,
  now: RealTime,
): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.tokenHash, tokenHash), isOpen(now)))
  return row
}

export async function selectOpenInvitation(
  db: Db,
  id: string,
  now: RealTime,
): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.id, id), isOpen(now)))
  return row
}

/** Returns false if it was used or withdrawn meanwhile. */
export async function useInvitation(tx: Db, id: string, now: RealTime): Promise<boolean> {
  const used = await tx
    .update(staffInvitations)
    .set({ usedAt: now })
    .where(and(eq(staffInvitations.id, id), isOpen(now)))
    .returning({ id: staffInvitations.id })
  return used.length > 0
}

export async function withdrawInvitations(
  db: Db,
  of: { readonly id: string } | { readonly email: string },
  now: RealTime,
): Promise<number> {
  const which =
    'id' in of
      ? eq(staffInvitations.id, of.id)
      : eq(sql`lower(${staffInvitations.email})`, of.email.trim().toLowerCase())
  const withdrawn = await db
    .update(staffInvitations)
    .set({ withdrawnAt: now })
    .where(and(which, isOpen(now)))
    .returning({ id: staffInvitations.id })
  return withdrawn.length
}

type ChallengeRow = typeof staffChallenges.$inferSelect

export async function insertChallenge(db: Db, row: typeof staffChallenges.$inferInsert): Promise<string> {
  const [inserted] = await db.insert(staffChallenges).values(row).returning({ id: staffChallenges.id })
  return inserted!.id
}

/** Deleted, so that it can't be answered twice. */
export async function takeChallenge(
  db: Db,
  of: Pick<ChallengeRow, 'id' | 'purpose' | 'subjectId'>,
  now: RealTime,
): Promise<string | undefined> {
  const [taken] = await db
    .delete(staffChallenges)
    .where(
      and(
        eq(staffChallenges.id, of.id),
        eq(staffChallenges.purpose, of.purpose),
        of.subjectId === null
          ? isNull(staffChallenges.subjectId)
          : eq(staffChallenges.subjectId, of.subjectId),
        gt(staffChallenges.expiresAt, now),
      ),
    )
    .returning({ challenge: staffChallenges.challenge })
  return taken?.challenge
}

/** The activity log keeps what was done; sessions, invitations and challenges are of no use later. */
export async function deleteOldOfStaff(db: Db, before: Date): Promise<void> {
  await db.delete(staffChallenges).where(lt(staffChallenges.expiresAt, before))
  await db.delete(staffInvitations).where(lt(staffInvitations.expiresAt, before))
  await db.delete(staffSessions).where(lt(staffSessions.endsAt, before))
}
