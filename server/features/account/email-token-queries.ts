import { and, desc, eq, gt, gte, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { accountTokens, users } from '../../db/schema/accounts.ts'
import { gifts } from '../../db/schema/gifts.ts'
import { membershipGifts } from '../../db/schema/membership-gifts.ts'

export type Purpose = (typeof accountTokens.$inferSelect)['purpose']
export type ProofRow = typeof accountTokens.$inferSelect

export async function insertProof(db: Db, proof: typeof accountTokens.$inferInsert): Promise<void> {
  await db.insert(accountTokens).values(proof)
}

export async function selectProofByToken(
  db: Db,
  purpose: Purpose,
  tokenHash: string,
): Promise<ProofRow | undefined> {
  const [row] = await db
    .select()
    .from(accountTokens)
    .where(and(eq(accountTokens.tokenHash, tokenHash), eq(accountTokens.purpose, purpose)))
  return row
}

export async function selectProof(db: Db, purpose: Purpose, id: string): Promise<ProofRow | undefined> {
  const [row] = await db
    .select()
    .from(accountTokens)
    .where(and(eq(accountTokens.id, id), eq(accountTokens.purpose, purpose)))
  return row
}

export async function selectAnyProof(db: Db, id: string): Promise<ProofRow | undefined> {
  const [row] = await db.select().from(accountTokens).where(eq(accountTokens.id, id))
  return row
}

/** Unused and unexpired tokens, newest first, at most five. Sending an email again leaves its earlier tokens valid. */
export async function selectOpenProofs(
  db: Db,
  purpose: Purpose,
  userId: string,
  now: Date,
): Promise<ProofRow[]> {
  return db
    .select()
    .from(accountTokens)
    .where(
      and(
        eq(accountTokens.userId, userId),
        eq(accountTokens.purpose, purpose),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, now),
      ),
    )
    .orderBy(desc(accountTokens.createdAt))
    .limit(5)
}

export async function selectPendingAddress(db: Db, userId: string, now: Date): Promise<string | null> {
  const [proof] = await selectOpenProofs(db, 'change', userId, now)
  return proof?.email ?? null
}

/**
 * Counts an attempt at a code. Call this before the comparison, so that concurrent attempts get no extra guesses.
 * Returns false once `most` attempts were made.
 */
export async function countTry(db: Db, id: string, most: number): Promise<boolean> {
  const counted = await db
    .update(accountTokens)
    .set({ wrongCodes: sql`${accountTokens.wrongCodes} + 1` })
    .where(and(eq(accountTokens.id, id), sql`${accountTokens.wrongCodes} < ${most}`))
    .returning({ id: accountTokens.id })
  return counted.length > 0
}

/** Marks a token as used. Only one of several concurrent callers gets true; false after it has expired. */
export async function useUp(db: Db, id: string, now: Date): Promise<boolean> {
  const used = await db
    .update(accountTokens)
    .set({ usedAt: now })
    .where(and(eq(accountTokens.id, id), isNull(accountTokens.usedAt), gt(accountTokens.expiresAt, now)))
    .returning({ id: accountTokens.id })
  return used.length > 0
}

/** Invalidates the tokens for these purposes; with `since`, only those created at that time or later. */
export async function closeProofs(
  db: Db,
  purpose: Purpose | readonly Purpose[],
  userId: string,
  now: Date,
  since?: Date,
): Promise<void> {
  await db
    .update(accountTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(accountTokens.userId, userId),
        inArray(accountTokens.purpose, [purpose].flat()),
        isNull(accountTokens.usedAt),
        since && gte(accountTokens.createdAt, since),
      ),
    )
}

export async function confirmAddress(db: Db, userId: string, now: Date): Promise<string | undefined> {
  const [row] = await db
    .update(users)
    .set({ confirmedAt: sql`coalesce(${users.confirmedAt}, ${now.toISOString()}::timestamptz)` })
    .where(eq(users.id, userId))
    .returning({ email: users.email })
  return row?.email
}

export async function wasMailedTo(db: Db, email: string, hashes: readonly string[]): Promise<boolean> {
  for (const table of [gifts, membershipGifts]) {
    const isHere = sql`lower(${table.email}) = ${email.toLowerCase()}`
    const [found] = await db
      .select({ id: table.id })
      .from(table)
      .where(and(inArray(table.tokenHash, [...hashes]), isHere))
      .limit(1)
    if (found) return true
  }
  return false
}

export async function selectAddressee(db: Db, by: { email: string } | { userId: string }) {
  const [row] = await db
    .select({
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      confirmedAt: users.confirmedAt,
    })
    .from(users)
    .where('email' in by ? sql`lower(${users.email}) = ${by.email.toLowerCase()}` : eq(users.id, by.userId))
  return row
}

export async function deleteOldProofs(db: Db, before: Date): Promise<void> {
  await db
    .delete(accountTokens)
    .where(sql`${accountTokens.expiresAt} < ${before.toISOString()}::timestamptz - interval '30 days'`)
}
