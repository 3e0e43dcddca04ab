import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { BusinessTime } from '../../clock.ts'
import type { Candidates } from '../../codes/secrets.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { subscriptions } from '../../db/schema/membership.ts'
import { membershipGifts, replacedGiftLinks } from '../../db/schema/gifts.ts'

export type MembershipGiftRow = typeof membershipGifts.$inferSelect

export async function insertGift(
  db: Db,
  gift: typeof membershipGifts.$inferInsert,
): Promise<MembershipGiftRow> {
  const [row] = await db.insert(membershipGifts).values(gift).returning()
  return row!
}

export async function updateGift(
  db: Db,
  id: string,
  change: Partial<typeof membershipGifts.$inferInsert>,
): Promise<MembershipGiftRow> {
  const [row] = await db.update(membershipGifts).set(change).where(eq(membershipGifts.id, id)).returning()
  return row!
}

export async function selectGift(db: Db, id: string): Promise<MembershipGiftRow | undefined> {
  const [row] = await db.select().from(membershipGifts).where(eq(membershipGifts.id, id))
  return row
}

export async function lockGift(db: Db, id: string): Promise<MembershipGiftRow | undefined> {
  const [row] = await db.select().from(membershipGifts).where(eq(membershipGifts.id, id)).for('update')
  return row
}

export async function lockGiftOfLine(db: Db, orderLineId: string): Promise<MembershipGiftRow | undefined> {
  const [row] = await db
    .select()
    .from(membershipGifts)
    .where(eq(membershipGifts.orderLineId, orderLineId))
    .for('update')
  return row
}

/** The gift that a link or a code opens; `isReplaced` if a newer link was sent since. */
export async function selectGiftBy(
  db: Db,
  { column, hashes }: Candidates,
): Promise<{ readonly gift: MembershipGiftRow; readonly isReplaced: boolean } | undefined> {
  const stored = column === 'token' ? membershipGifts.tokenHash : membershipGifts.codeHash
  const [gift] = await db
    .select()
    .from(membershipGifts)
    .where(inArray(stored, [...hashes]))
  if (gift) return { gift, isReplaced: false }
  const [former] = await db
    .select({ gift: membershipGifts })
    .from(replacedGiftLinks)
    .innerJoin(membershipGifts, eq(membershipGifts.id, replacedGiftLinks.giftId))
    .where(inArray(replacedGiftLinks.hash, [...hashes]))
  return former && { gift: former.gift, isReplaced: true }
}

export async function insertReplaced(db: Db, giftId: string, hashes: readonly string[]): Promise<void> {
  await db
    .insert(replacedGiftLinks)
    .values(hashes.map((hash) => ({ hash, giftId })))
    .onConflictDoNothing()
}

/**
 * Unclaimed gifts that were sent to these addresses, and gifts that the account claimed and that have not begun. Newest
 * first.
 */
export const selectForRecipient = (
  db: Db,
  userId: string,
  emails: readonly string[],
): Promise<MembershipGiftRow[]> =>
  db
    .select()
    .from(membershipGifts)
    .where(
      and(
        isNull(membershipGifts.begunAt),
        isNull(membershipGifts.lapsedAt),
        isNull(membershipGifts.takenBackAt),
        isNull(membershipGifts.revokedAt),
        isNull(membershipGifts.suspendedAt),
        or(
          eq(membershipGifts.claimedBy, userId),
          and(
            isNull(membershipGifts.claimedAt),
            isNotNull(membershipGifts.sentAt),
            inArray(sql`lower(${membershipGifts.email})`, [...emails]),
          ),
        ),
      ),
    )
    .orderBy(desc(membershipGifts.givenAt))
    .limit(200)

export interface Given {
  readonly gift: MembershipGiftRow
  readonly claimer: { readonly email: string; readonly firstName: string; readonly lastName: string } | null
  readonly status: string | null
}

const selectGiven = (db: Db) =>
  db
    .select({
      gift: membershipGifts,
      claimer: { email: users.email, firstName: users.firstName, lastName: users.lastName },
      status: subscriptions.status,
    })
    .from(membershipGifts)
    .leftJoin(users, eq(users.id, membershipGifts.claimedBy))
    .leftJoin(subscriptions, eq(subscriptions.id, membershipGifts.subscriptionId))

/** Given by the account, or from one of these lower-case addresses before the account existed. */
const isGivenBy = (userId: string, emails: readonly string[]) =>
  or(
    eq(membershipGifts.giverId, userId),
    emails.length === 0
      ? undefined
      : and(isNull(membershipGifts.giverId), inArray(sql`lower(${membershipGifts.giverEmail})`, [...emails])),
  )

export const selectGivenBy = (db: Db, userId: string, emails: readonly string[]): Promise<Given[]> =>
  selectGiven(db)
    .where(isGivenBy(userId, emails))
    .orderBy(desc(membershipGifts.givenAt), membershipGifts.id)
    .limit(1000)

export async function selectOneGivenBy(
  db: Db,
  userId: string,
  emails: readonly string[],
  id: string,
): Promise<Given | undefined> {
  const [row] = await selectGiven(db).where(and(eq(membershipGifts.id, id), isGivenBy(userId, emails)))
  return row
}

/** For a request by the giver's link. Undefined once the giver's account is closed. */
export async function selectGivenOfLink(db: Db, id: string): Promise<Given | undefined> {
  const [row] = await selectGiven(db).where(
    and(eq(membershipGifts.id, id), isNotNull(membershipGifts.giverEmail)),
  )
  return row
}

export const selectOfLines = (db: Db, lineIds: readonly string[]): Promise<MembershipGiftRow[]> =>
  lineIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(membershipGifts)
        .where(inArray(membershipGifts.orderLineId, [...lineIds]))

/** True if the account with this email has a membership. A waiting gift does not count. */
export async function selectIsMember(db: Db, email: string, now: BusinessTime): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from subscriptions s join users u on u.id = s.user_id
    where lower(u.email) = ${email.toLowerCase()}
      and (s.status in ('past_due', 'unpaid', 'paused')
        or s.status in ('active', 'trialing')
          and (s.valid_until > ${now.toISOString()}::timestamptz or s.provider_id is not null and s.canceled_at is null))
    limit 1`)
  return rows.length > 0
}

const open = [
  isNull(membershipGifts.claimedAt),
  isNull(membershipGifts.takenBackAt),
  isNull(membershipGifts.revokedAt),
  isNull(membershipGifts.suspendedAt),
  isNull(membershipGifts.lapsedAt),
]
// Selects a few days too many, since months differ in length; the callers check the exact calendar months.
const monthsAgo = (now: BusinessTime, months: number) =>
  sql`${now.toISOString()}::timestamptz - ${months} * interval '1 month' + interval '4 days'`

const DUE = {
  toSend: (now: BusinessTime) => [
    ...open,
    isNull(membershipGifts.sentAt),
    lte(membershipGifts.deliverAt, now),
  ],
  /** The mail server has not accepted or refused the email yet. */
  posted: (_now: BusinessTime) => [
    ...open,
    isNotNull(membershipGifts.sentAt),
    isNull(membershipGifts.deliveredAt),
    isNull(membershipGifts.failedAt),
  ],
  toRemind: (now: BusinessTime) => [
    ...open,
    isNotNull(membershipGifts.sentAt),
    or(
      and(eq(membershipGifts.remindedAfter, 0), lte(membershipGifts.deliverAt, monthsAgo(now, 11))),
      and(eq(membershipGifts.remindedAfter, 11), lte(membershipGifts.deliverAt, monthsAgo(now, 23))),
    ),
  ],
  toLapse: (now: BusinessTime) => [...open, lte(membershipGifts.deliverAt, monthsAgo(now, 24))],
}
export type Due = keyof typeof DUE

/** A page of due gifts by id; the next page starts after the last gift of this one. */
export const selectDue = (
  db: Db,
  due: Due,
  { now, after, limit }: Page & { readonly now: BusinessTime },
): Promise<MembershipGiftRow[]> =>
  db
    .select()
    .from(membershipGifts)
    .where(and(...DUE[due](now), after === null ? undefined : gt(membershipGifts.id, after)))
    .orderBy(asc(membershipGifts.id))
    .limit(limit)

/** The next delivery after `now`; gifts that are already due do not count. */
export async function selectNextDelivery(db: Db, now: BusinessTime): Promise<Date | null> {
  const [row] = await db
    .select({ at: membershipGifts.deliverAt })
    .from(membershipGifts)
    .where(and(...open, isNull(membershipGifts.sentAt), gt(membershipGifts.deliverAt, now)))
    .orderBy(asc(membershipGifts.deliverAt))
    .limit(1)
  return row?.at ?? null
}

export async function selectGiftOfSubscription(
  db: Db,
  subscriptionId: string,
): Promise<MembershipGiftRow | undefined> {
  const [row] = await db
    .select()
    .from(membershipGifts)
    .where(eq(membershipGifts.subscriptionId, subscriptionId))
  return row
}
