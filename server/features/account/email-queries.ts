import { and, desc, eq, gt, gte, inArray, isNull, sql } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { accountTokens, users, formerAddresses } from '../../db/schema/accounts.ts'
import { gifts, membershipGifts } from '../../db/schema/gifts.ts'

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

export async function selectOpenProofs(
  db: Db,
  purpose: Purpose,
  userId: string,
  now: RealTime,
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

export async function selectPendingAddress(db: Db, userId: string, now: RealTime): Promise<string | null> {
  const [proof] = await selectOpenProofs(db, 'change', userId, now)
  return proof?.email ?? null
}

/** Call this before the comparison, so that concurrent attempts get no extra guesses. */
export async function countCodeAttempt(db: Db, id: string, most: number): Promise<boolean> {
  const counted = await db
    .update(accountTokens)
    .set({ wrongCodes: sql`${accountTokens.wrongCodes} + 1` })
    .where(and(eq(accountTokens.id, id), sql`${accountTokens.wrongCodes} < ${most}`))
    .returning({ id: accountTokens.id })
  return counted.length > 0
}

/** Only one of several concurrent callers gets true. */
export async function useUp(db: Db, id: string, now: RealTime): Promise<boolean> {
  const used = await db
    .update(accountTokens)
    .set({ usedAt: now })
    .where(and(eq(accountTokens.id, id), isNull(accountTokens.usedAt), gt(accountTokens.expiresAt, now)))
    .returning({ id: accountTokens.id })
  return used.length > 0
}

export async function closeProofs(
  db: Db,
  purpose: Purpose | readonly Purpose[],
  userId: string,
  now: RealTime,
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

export async function confirmAddress(db: Db, userId: string, now: RealTime): Promise<string | undefined> {
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

/** Changes of an address must run one at a time. */
export async function lockAddressee(db: Db, userId: string) {
  const [row] = await db
    .select({
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      confirmedAt: users.confirmedAt,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  return row
}

export async function updateAddress(
  db: Db,
  userId: string,
  { email, confirmedAt }: { email: string; confirmedAt: Date | null },
): Promise<boolean> {
  const changed = await db
    .update(users)
    .set({ email, confirmedAt })
    .where(
      and(
        eq(users.id, userId),
        sql`not exists (select from users u where lower(u.email) = ${email.toLowerCase()} and u.id <> ${userId}::uuid)`,
      ),
    )
    .returning({ id: users.id })
  return changed.length > 0
}

export async function insertFormerAddress(
  db: Db,
  former: typeof formerAddresses.$inferInsert,
): Promise<void> {
  const email = former.email.toLowerCase()
  await db
    .insert(formerAddresses)
    .values({ ...former, email })
    .onConflictDoUpdate({
      target: [formerAddresses.userId, formerAddresses.email],
      set: { givenUpAt: former.givenUpAt },
    })
}

/** For an undone change: the owner did not give up the addresses that were given up at `since` or later. */
export async function deleteFormerAddresses(db: Db, userId: string, since: Date): Promise<void> {
  await db
    .delete(formerAddresses)
    .where(and(eq(formerAddresses.userId, userId), gte(formerAddresses.givenUpAt, since)))
}

export async function selectFormerAddresses(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ email: formerAddresses.email })
    .from(formerAddresses)
    .where(eq(formerAddresses.userId, userId))
    .orderBy(formerAddresses.givenUpAt)
  return rows.map(({ email }) => email)
}

/** Former addresses that no other account has taken since, and the token ids, by which emails are found. */
export async function selectTracesOfChanges(db: Db, userId: string) {
  const { rows: former } = await db.execute<{ email: string }>(sql`
    select f.email from former_addresses f where f.user_id = ${userId}::uuid
      and not exists (select from users u where lower(u.email) = f.email and u.id <> f.user_id)`)
  const proofs = await db
    .select({ id: accountTokens.id })
    .from(accountTokens)
    .where(eq(accountTokens.userId, userId))
  return { former: former.map(({ email }) => email), proofIds: proofs.map(({ id }) => id) }
}
