import { and, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { accountTokens, outlets, sessions, users } from '../../db/schema/accounts.ts'
import { SESSION_REVOKED } from '../../auth/live-sessions.ts'

export async function selectCredentials(db: Db, email: string) {
  const [row] = await db
    .select({ userId: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(sql`lower(${users.email}) = ${email.toLowerCase()}`)
  return row
}

export async function updatePasswordHash(db: Db, userId: string, passwordHash: string): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, userId))
}

export async function replacePasswordHash(
  db: Db,
  userId: string,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  const replaced = await db
    .update(users)
    .set({ passwordHash: after })
    .where(and(eq(users.id, userId), eq(users.passwordHash, before)))
    .returning({ id: users.id })
  return replaced.length > 0
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof selectUser>>>

export async function selectUser(db: Db, userId: string) {
  const [row] = await db
    .select({ user: users, outletName: outlets.name })
    .from(users)
    .leftJoin(outlets, eq(outlets.id, users.outletId))
    .where(eq(users.id, userId))
  return row
}

export async function selectIsBlocked(db: Db, userId: string): Promise<boolean> {
  const [row] = await db.select({ at: users.blockedAt }).from(users).where(eq(users.id, userId))
  return row?.at != null
}

export async function updateBlocked(db: Db, userId: string, blockedAt: Date | null): Promise<void> {
  await db.update(users).set({ blockedAt }).where(eq(users.id, userId))
}

export async function insertSession(db: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session)
}

interface Rotation {
  readonly sessionId: string
  readonly from: string
  readonly to: string
  readonly now: Date
  readonly expiresAt: Date
  readonly deviceId: string | undefined
}

/** Replaces the session's token hash by the next one. Returns undefined if `from` is no longer valid. */
export async function rotateSession(db: Db, { sessionId, from, to, now, expiresAt, deviceId }: Rotation) {
  const [row] = await db
    .update(sessions)
    .set({
      tokenHash: to,
      previousHash: from,
      rotatedAt: now,
      ...(deviceId ? { deviceId } : {}),
      expiresAt: sql`least(${expiresAt.toISOString()}::timestamptz, ${sessions.endsAt})`,
    })
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.tokenHash, from),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
      ),
    )
    .returning({ userId: sessions.userId })
  return row
}

export async function selectSession(db: Db, sessionId: string) {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, sessionId))
  return row
}

/** Ends a session. The commit notifies every instance. */
export async function revokeSession(db: Db, sessionId: string, now: Date): Promise<void> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id })
  if (ended.length > 0) await db.execute(sql`select pg_notify(${SESSION_REVOKED}, ${sessionId})`)
}

interface Which {
  readonly keep?: string | null
  readonly only?: readonly string[]
  /** Marks the sessions, also ended ones, so that their devices remove the account's data. */
  readonly removesData?: boolean
}

/**
 * Ends sessions of an account and returns the ids of those that were active. The commit notifies every instance; the
 * caller should remove them from its own cache at once.
 */
export async function revokeSessions(
  db: Db,
  userId: string,
  { keep = null, only, removesData = false }: Which,
  now: Date,
): Promise<string[]> {
  const meant = and(
    eq(sessions.userId, userId),
    keep === null ? undefined : ne(sessions.id, keep),
    only && inArray(sessions.id, [...only]),
  )
  if (removesData) await db.update(sessions).set({ removesData }).where(meant)
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(meant, isNull(sessions.revokedAt)))
    .returning({ id: sessions.id })
  for (const { id } of ended) await db.execute(sql`select pg_notify(${SESSION_REVOKED}, ${id})`)
  return ended.map(({ id }) => id)
}

/**
 * True while another account can undo a change away from this address: until then the address stays reserved for it.
 */
export async function isReservedForAnother(
  db: Db,
  email: string,
  { userId, now }: { userId: string | null; now: Date },
): Promise<boolean> {
  const [row] = await db
    .select({ id: accountTokens.id })
    .from(accountTokens)
    .where(
      and(
        sql`lower(${accountTokens.email}) = ${email.toLowerCase()}`,
        eq(accountTokens.purpose, 'undo'),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, now),
        userId === null ? undefined : ne(accountTokens.userId, userId),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** Returns undefined if the address already has an account. */
export async function insertUser(db: Db, user: typeof users.$inferInsert): Promise<string | undefined> {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning({ id: users.id })
  return row?.id
}

/** For the clean-up job: deletes sessions that can no longer be refreshed. */
export async function deleteEndedSessions(db: Db, before: Date): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.endsAt} < ${before.toISOString()}::timestamptz`)
}
