import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { devices, sessions, users } from '../../db/schema/accounts.ts'

interface Sighting {
  readonly userId: string
  readonly id: string
  readonly browser: string
  readonly now: Date
}

/** Notes that a device was seen, and as what; a name that its listener gave it stays. */
export async function storeDevice(db: Db, { userId, id, browser, now }: Sighting): Promise<void> {
  await db
    .insert(devices)
    .values({ userId, id, browser, createdAt: now, seenAt: now })
    .onConflictDoUpdate({ target: [devices.userId, devices.id], set: { browser, seenAt: now } })
}

export const selectDeviceNames = (db: Db, userId: string) =>
  db
    .select({ id: devices.id, name: sql<string>`coalesce(${devices.name}, ${devices.browser})` })
    .from(devices)
    .where(eq(devices.userId, userId))
    // An account that logs in by script every minute still gets an answer.
    .orderBy(desc(devices.seenAt))
    .limit(200)

/** False where the account has no such device. */
export async function renameDevice(db: Db, userId: string, id: string, name: string): Promise<boolean> {
  const renamed = await db
    .update(devices)
    .set({ name })
    .where(and(eq(devices.userId, userId), eq(devices.id, id)))
    .returning({ id: devices.id })
  return renamed.length > 0
}

/** Every session that is alive, the one used last first, with its device. */
export const selectLiveSessions = (db: Db, userId: string, now: Date) =>
  db
    .select({
      sessionId: sessions.id,
      deviceId: devices.id,
      name: devices.name,
      browser: devices.browser,
      createdAt: sessions.createdAt,
      usedAt: sessions.rotatedAt,
    })
    .from(sessions)
    .leftJoin(devices, and(eq(devices.userId, sessions.userId), eq(devices.id, sessions.deviceId)))
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.rotatedAt))
    .limit(200)

/** A job: devices not seen for longer than a session can last. */
export async function deleteUnseenDevices(db: Db, before: Date): Promise<void> {
  await db.delete(devices).where(sql`${devices.seenAt} < ${before.toISOString()}::timestamptz`)
}

/** True if the account of an address was logged in from this device; false for an address that is nobody's. */
export async function isDeviceOf(db: Db, email: string, deviceId: string): Promise<boolean> {
  const known = await db
    .select({ id: devices.id })
    .from(devices)
    .innerJoin(users, eq(users.id, devices.userId))
    .where(and(eq(devices.id, deviceId), sql`lower(${users.email}) = ${email.toLowerCase()}`))
  return known.length > 0
}
