import { and, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { accountTokens, formerAddresses, users } from '../../db/schema/accounts.ts'

/** Locks the user row until the transaction ends, so that changes of its address run one at a time. */
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

/** Returns false if another account has the address. */
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

/**
 * What to delete with the account: former addresses that no other account has taken since, and the ids of its email
 * tokens, by which the emails about address changes are found.
 */
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
