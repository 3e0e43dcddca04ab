import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { devices, sessions, users } from '../../db/schema/accounts.ts'

interface Sighting {
  readonly userId: string
  readonly id: string
  readonly browser: string
  readonly now: Date
}

/** Records when the device was last seen and with which browser. A name that the user gave the device stays. */
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
    // Limit the response: a script that logs in every minute creates a device each time.
    .orderBy(desc(devices.seenAt))
    .limit(200)

export async function renameDevice(db: Db, userId: string, id: string, name: string): Promise<boolean> {
  const renamed = await db
    .update(devices)
    .set({ name })
    .where(and(eq(devices.userId, userId), eq(devices.id, id)))
    .returning({ id: devices.id })
  return renamed.length > 0
}

/** Active sessions with their devices, most recently used first, at most 200. */
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

export async function deleteUnseenDevices(db: Db, before: Date): Promise<void> {
  await db.delete(devices).where(sql`${devices.seenAt} < ${before.toISOString()}::timestamptz`)
}

export async function isDeviceOf(db: Db, email: string, deviceId: string): Promise<boolean> {
  const known = await db
    .select({ id: devices.id })
    .from(devices)
    .innerJoin(users, eq(users.id, devices.userId))
    .where(and(eq(devices.id, deviceId), sql`lower(${users.email}) = ${email.toLowerCase()}`))
  return known.length > 0
}
