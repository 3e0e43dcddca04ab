import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { userChallenges, userPasskeys } from '../../db/schema/accounts.ts'

export type UserPasskey = typeof userPasskeys.$inferSelect
export const PASSKEYS_AT_MOST = 20

export const selectPasskeys = (db: Db, userId: string): Promise<UserPasskey[]> =>
  db
    .select()
    .from(userPasskeys)
    .where(eq(userPasskeys.userId, userId))
    .orderBy(asc(userPasskeys.createdAt))
    .limit(PASSKEYS_AT_MOST)

export async function selectPasskeyByCredential(
  db: Db,
  credentialId: string,
): Promise<UserPasskey | undefined> {
  const [row] = await db.select().from(userPasskeys).where(eq(userPasskeys.credentialId, credentialId))
  return row
}

/** False if another account has added it meanwhile. */
export async function insertPasskey(db: Db, row: typeof userPasskeys.$inferInsert): Promise<boolean> {
  const added = await db
    .insert(userPasskeys)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: userPasskeys.id })
  return added.length > 0
}

export async function updatePasskeyUsed(
  db: Db,
  id: string,
  change: Pick<UserPasskey, 'counter' | 'isSynced' | 'lastUsedAt'>,
): Promise<void> {
  await db.update(userPasskeys).set(change).where(eq(userPasskeys.id, id))
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(userPasskeys)
    .where(and(eq(userPasskeys.id, id), eq(userPasskeys.userId, userId)))
    .returning({ id: userPasskeys.id })
  return deleted.length > 0
}

type ChallengeRow = typeof userChallenges.$inferSelect

export async function insertChallenge(db: Db, row: typeof userChallenges.$inferInsert): Promise<string> {
  const [inserted] = await db.insert(userChallenges).values(row).returning({ id: userChallenges.id })
  return inserted!.id
}

/** Deleted, so that it can't be answered twice. */
export async function takeChallenge(
  db: Db,
  { id, purpose, userId }: Pick<ChallengeRow, 'id' | 'purpose' | 'userId'>,
  now: RealTime,
): Promise<string | undefined> {
  const [taken] = await db
    .delete(userChallenges)
    .where(
      and(
        eq(userChallenges.id, id),
        eq(userChallenges.purpose, purpose),
        userId === null ? isNull(userChallenges.userId) : eq(userChallenges.userId, userId),
        gt(userChallenges.expiresAt, now),
      ),
    )
    .returning({ challenge: userChallenges.challenge })
  return taken?.challenge
}

export async function deleteOldChallenges(db: Db, before: Date): Promise<void> {
  await db.delete(userChallenges).where(lt(userChallenges.expiresAt, before))
}
