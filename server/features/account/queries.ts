import { and, eq, gt, inArray, isNull, ne, sql, desc, isNotNull, count, or } from 'drizzle-orm'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { accountTokens, outlets, sessions, users, devices } from '../../db/schema/accounts.ts'
import { starterPackRequests } from '../../db/schema/cards.ts'
import { SESSION_REVOKED } from '../../auth/live-sessions.ts'
import { gifts } from '../../db/schema/gifts.ts'
import { newsletterSubscribers } from '../../db/schema/pages.ts'
import { eventSeats } from '../../db/schema/editorial.ts'
import { seriesNotices } from '../../db/schema/series.ts'
import { withdrawalStatements } from '../../db/schema/withdrawals.ts'
import { mails } from '../../db/schema/mails.ts'

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

/** False if the account has a password. */
export async function insertPasswordHash(db: Db, userId: string, passwordHash: string): Promise<boolean> {
  const chosen = await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, userId), isNull(users.passwordHash)))
    .returning({ id: users.id })
  return chosen.length > 0
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

export async function updateListeningShown(db: Db, userId: string, until: Date | null): Promise<void> {
  await db.update(users).set({ listeningShownUntil: until }).where(eq(users.id, userId))
}

export async function insertSession(db: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session)
}

interface Rotation {
  readonly sessionId: string
  readonly from: string
  readonly to: string
  readonly now: RealTime
  readonly expiresAt: Date
  readonly deviceId: string | undefined
}

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

/** The commit notifies every instance. */
export async function revokeSession(db: Db, sessionId: string, now: RealTime): Promise<void> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id })
  if (ended.length > 0) await db.execute(sql`select pg_notify(${SESSION_REVOKED}, ${sessionId})`)
}

interface WhichSessions {
  readonly keep?: string | null
  readonly only?: readonly string[]
  /** Also marks ended sessions, so that their devices remove the account's data. */
  readonly removesData?: boolean
}

/** Returns the ids that were active, for the caller's cache; the commit notifies every instance. */
export async function revokeSessions(
  db: Db,
  userId: string,
  { keep = null, only, removesData = false }: WhichSessions,
  now: RealTime,
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

/** Another account can still undo a change away from this address. */
export async function isReservedForAnother(
  db: Db,
  email: string,
  { userId, now }: { userId: string | null; now: RealTime },
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

export async function insertUser(db: Db, user: typeof users.$inferInsert): Promise<string | undefined> {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning({ id: users.id })
  return row?.id
}

export async function deleteEndedSessions(db: Db, before: Date): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.endsAt} < ${before.toISOString()}::timestamptz`)
}

interface Sighting {
  readonly userId: string
  readonly id: string
  readonly browser: string
  readonly now: RealTime
}

/** Keeps a name that the user gave the device. */
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

export const selectLiveSessions = (db: Db, userId: string, now: RealTime) =>
  db
    .select({
      sessionId: sessions.id,
      deviceId: devices.id,
      name: devices.name,
      browser: devices.browser,
      createdAt: sessions.createdAt,
      usedAt: sessions.rotatedAt,
      viewedBy: sessions.viewedBy,
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

export type ProfileFields = Partial<
  Pick<
    typeof users.$inferInsert,
    | 'firstName'
    | 'lastName'
    | 'address1'
    | 'address2'
    | 'city'
    | 'county'
    | 'countryCode'
    | 'postCode'
    | 'newsletter'
    | 'promotions'
    | 'choiceEmails'
  >
>

export async function updateProfile(db: Db, userId: string, fields: ProfileFields): Promise<void> {
  if (Object.keys(fields).length > 0) await db.update(users).set(fields).where(eq(users.id, userId))
}

export async function selectPasswordHash(db: Db, userId: string): Promise<string | null | undefined> {
  const [row] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  return row?.passwordHash
}

/** By foreign keys. Orders and sessions stay, without user and device. */
export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.update(sessions).set({ deviceId: null }).where(eq(sessions.userId, userId))
  await db.delete(users).where(eq(users.id, userId))
}

export async function notifyOfClosing(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${ACCOUNT_CLOSED}, '')`)
}

export async function anonymiseGifts(db: Db, userId: string): Promise<void> {
  await db.update(gifts).set({ giverName: 'A friend', message: null }).where(eq(gifts.giverId, userId))
}

/** Unclaimed gifts still arrive (docs/product.md, Memberships in detail); the giver gets no more emails about them. */
export async function forgetGiver(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    update membership_gifts g set giver_email = null,
      giver_name = case when claimed_at is null then giver_name else 'A friend' end,
      message = case when claimed_at is null then message end
    from users u where u.id = ${userId}::uuid
      and (g.giver_id = u.id or g.giver_id is null and u.confirmed_at is not null and lower(g.giver_email) = lower(u.email))`)
}

/** Also what was asked for with the address alone: news of series, seats at events, starter packs. */
export async function deleteSubscriber(db: Db, email: string): Promise<void> {
  const address = email.toLowerCase()
  await db.delete(newsletterSubscribers).where(eq(newsletterSubscribers.email, address))
  await db.delete(seriesNotices).where(eq(seriesNotices.email, address))
  await db.delete(eventSeats).where(eq(eventSeats.email, address))
  await db.delete(starterPackRequests).where(eq(starterPackRequests.email, address))
}

/** Open statements stay, since the shop still owes an answer; the clean-up job deletes them later. */
export async function deleteStatementsOf(
  db: Db,
  { userId, email }: { readonly userId?: string; readonly email?: string },
): Promise<void> {
  const isTheirs = userId
    ? eq(withdrawalStatements.userId, userId)
    : eq(withdrawalStatements.email, email!.toLowerCase())
  await db.delete(withdrawalStatements).where(and(isTheirs, isNotNull(withdrawalStatements.settledAt)))
}

/** PostgreSQL channel. Wakes the job that closes the account at the payment provider. */
export const ACCOUNT_CLOSED = 'account_closed'

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const PERSON_COLUMNS = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  countryCode: users.countryCode,
  newsletter: users.newsletter,
  confirmedAt: users.confirmedAt,
  blockedAt: users.blockedAt,
  createdAt: users.createdAt,
  outlet: outlets.name,
}

/** No password, and nothing about what the user listens to. */
export type Person = Awaited<ReturnType<typeof selectPeople>>[number]

/** By part of the address or name, former address, order number or user id. Newest first. */
export const selectPeople = (db: Db, words: string, limit: number) => {
  const part = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return db
    .select(PERSON_COLUMNS)
    .from(users)
    .leftJoin(outlets, eq(outlets.id, users.outletId))
    .where(
      or(
        sql`lower(${users.email}) like ${part}`,
        sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${part}`,
        sql`exists (select from former_addresses f where f.user_id = ${users.id} and f.email like ${part})`,
        sql`exists (select from orders o where o.user_id = ${users.id} and o.number = ${words.toUpperCase()})`,
        isId(words) ? eq(users.id, words) : undefined,
      ),
    )
    .orderBy(desc(users.createdAt), users.id)
    .limit(limit)
}

export async function selectPerson(db: Db, who: string): Promise<Person | undefined> {
  const [row] = await db
    .select(PERSON_COLUMNS)
    .from(users)
    .leftJoin(outlets, eq(outlets.id, users.outletId))
    .where(isId(who) ? eq(users.id, who) : sql`lower(${users.email}) = ${who.trim().toLowerCase()}`)
  return row
}

export async function countWaitingMails(db: Db, email: string): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(mails)
    .where(
      and(
        sql`lower(${mails.recipient}) = ${email.toLowerCase()}`,
        isNull(mails.sentAt),
        isNull(mails.failedAt),
      ),
    )
  return row?.waiting ?? 0
}
