import type { BusinessTime } from '../../clock.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql, lte, or } from 'drizzle-orm'
import type { Candidates } from '../../codes/secrets.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { gifts, membershipGifts, printedGiftCodes, replacedGiftLinks } from '../../db/schema/gifts.ts'
import { mails } from '../../db/schema/mails.ts'
import { orderLines } from '../../db/schema/orders.ts'
import { subscriptions } from '../../db/schema/membership.ts'

export type Format = 'audio_book' | 'e_book'

export type TitleGiftRow = typeof gifts.$inferSelect

export interface GiftOfBook {
  readonly gift: TitleGiftRow
  readonly format: Format
  readonly slug: string
  readonly title: string
}

export async function insertTitleGift(db: Db, gift: typeof gifts.$inferInsert): Promise<string> {
  const [row] = await db.insert(gifts).values(gift).returning({ id: gifts.id })
  return row!.id
}

const WITH_BOOK = { gift: gifts, format: books.format, slug: books.slug, title: books.title }

interface Found {
  /** A newer link was sent since. */
  readonly isReplaced: boolean
  /** The hash of the code, if it is one of a printed card. */
  readonly printedHash: string | null
}

export async function selectTitleGiftBy(
  db: Db,
  { column, hashes }: Candidates,
): Promise<(GiftOfBook & Found) | undefined> {
  const stored = column === 'token' ? gifts.tokenHash : gifts.codeHash
  const isThere = [isNull(gifts.revokedAt), isNull(gifts.takenBackAt)]
  const [row] = await db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(and(inArray(stored, [...hashes]), ...isThere))
  if (row) return { ...row, isReplaced: false, printedHash: null }
  const [former] = await db
    .select(WITH_BOOK)
    .from(replacedGiftLinks)
    .innerJoin(gifts, eq(gifts.id, replacedGiftLinks.bookGiftId))
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(and(inArray(replacedGiftLinks.hash, [...hashes]), ...isThere))
  if (former) return { ...former, isReplaced: true, printedHash: null }
  if (column === 'token') return undefined
  const [printed] = await db
    .select({ ...WITH_BOOK, printedHash: printedGiftCodes.hash })
    .from(printedGiftCodes)
    .innerJoin(gifts, eq(gifts.id, printedGiftCodes.bookGiftId))
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(and(inArray(printedGiftCodes.hash, [...hashes]), ...isThere))
  return printed && { ...printed, isReplaced: false }
}

export async function insertReplacedTitleLinks(
  db: Db,
  bookGiftId: string,
  hashes: readonly string[],
): Promise<void> {
  await db
    .insert(replacedGiftLinks)
    .values(hashes.map((hash) => ({ hash, bookGiftId })))
    .onConflictDoNothing()
}

export async function lockTitleGift(db: Db, id: string): Promise<TitleGiftRow | undefined> {
  const [row] = await db.select().from(gifts).where(eq(gifts.id, id)).for('update')
  return row
}

export async function selectTitleGift(db: Db, id: string): Promise<GiftOfBook | undefined> {
  const [row] = await db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(eq(gifts.id, id))
  return row
}

export const selectWaitingTitleGifts = (db: Db, emails: readonly string[]): Promise<GiftOfBook[]> =>
  db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(
      and(
        inArray(sql`lower(${gifts.email})`, [...emails]),
        isNull(gifts.claimedAt),
        isNull(gifts.takenBackAt),
        isNull(gifts.revokedAt),
        or(isNull(gifts.deliverAt), isNotNull(gifts.sentAt)),
      ),
    )
    .orderBy(desc(gifts.givenAt))
    .limit(200)

export async function updateTitleGift(
  db: Db,
  id: string,
  change: Partial<typeof gifts.$inferInsert>,
): Promise<TitleGiftRow> {
  const [row] = await db.update(gifts).set(change).where(eq(gifts.id, id)).returning()
  return row!
}

export interface GivenTitleRow extends GiftOfBook {
  readonly claimer: { readonly email: string; readonly firstName: string; readonly lastName: string } | null
  readonly soldAs: string | null
  readonly orderId: string | null
  readonly priceMinor: number | null
}

const selectGivenTitles = (db: Db) =>
  db
    .select({
      ...WITH_BOOK,
      claimer: { email: users.email, firstName: users.firstName, lastName: users.lastName },
      soldAs: orderLines.title,
      orderId: orderLines.orderId,
      priceMinor: orderLines.priceMinor,
    })
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .leftJoin(users, eq(users.id, gifts.claimedBy))
    .leftJoin(orderLines, eq(orderLines.id, gifts.orderLineId))

export const selectTitlesGivenBy = (db: Db, userId: string): Promise<GivenTitleRow[]> =>
  selectGivenTitles(db).where(eq(gifts.giverId, userId)).orderBy(desc(gifts.givenAt), gifts.id).limit(1000)

/** Pass null as `userId` for a request by the giver's link. Returns undefined once the giver's account is closed. */
export async function selectTitleGivenBy(
  db: Db,
  userId: string | null,
  id: string,
): Promise<GivenTitleRow | undefined> {
  const isGivers = userId === null ? isNotNull(gifts.giverId) : eq(gifts.giverId, userId)
  const [row] = await selectGivenTitles(db).where(and(eq(gifts.id, id), isGivers))
  return row
}

export async function selectNewlyFailedTitleGifts(db: Db, { after, limit }: Page): Promise<string[]> {
  const key = sql`'gift_book:' || ${gifts.id} || case when ${gifts.edition} = 1 then '' else ':' || ${gifts.edition} end`
  const rows = await db
    .select({ id: gifts.id })
    .from(gifts)
    .innerJoin(mails, eq(mails.key, key))
    .where(
      and(
        isNull(gifts.claimedAt),
        isNull(gifts.revokedAt),
        isNull(gifts.takenBackAt),
        isNull(gifts.failedAt),
        isNotNull(mails.failedAt),
        after === null ? undefined : gt(gifts.id, after),
      ),
    )
    .orderBy(asc(gifts.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

const unsentTitles = [
  isNotNull(gifts.deliverAt),
  isNull(gifts.sentAt),
  isNull(gifts.takenBackAt),
  isNull(gifts.revokedAt),
]

export async function selectDueTitleGifts(
  db: Db,
  { now, after, limit }: Page & { readonly now: BusinessTime },
): Promise<string[]> {
  const rows = await db
    .select({ id: gifts.id })
    .from(gifts)
    .where(and(...unsentTitles, lte(gifts.deliverAt, now), after === null ? undefined : gt(gifts.id, after)))
    .orderBy(asc(gifts.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function lockTitleGiftOfLine(db: Db, orderLineId: string): Promise<TitleGiftRow | undefined> {
  const [row] = await db.select().from(gifts).where(eq(gifts.orderLineId, orderLineId)).for('update')
  return row
}

/** `addresses` (lower case): the current and former confirmed ones that no other account has confirmed since. */
export async function selectClaimer(db: Db, userId: string) {
  const former = sql<string[]>`array(select f.email from former_addresses f where f.user_id = ${userId}::uuid
    and not exists (select from users o where lower(o.email) = f.email and o.id <> f.user_id
      and o.confirmed_at is not null))`
  const [row] = await db
    .select({ email: users.email, confirmedAt: users.confirmedAt, former })
    .from(users)
    .where(eq(users.id, userId))
  return row && { ...row, addresses: [row.email.toLowerCase(), ...row.former] }
}

export async function selectPurchased(
  db: Db,
  { format, slugOrId, email }: { format: Format; slugOrId: string; email: string },
): Promise<boolean | undefined> {
  const id = /^\d{1,9}$/.test(slugOrId) ? Number(slugOrId) : null
  const { rows } = await db.execute<{ purchased: boolean }>(sql`
    select exists (select from library_entries l join users u on u.id = l.user_id
      where l.book_id = b.id and lower(u.email) = ${email.toLowerCase()}) as purchased
    from books b where b.format = ${format} and (b.slug = ${slugOrId} or b.id = ${id}::int)
    order by (b.slug = ${slugOrId}) desc limit 1`)
  return rows[0]?.purchased
}

export async function selectOwnsByEmail(db: Db, bookId: number, email: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from library_entries l join users u on u.id = l.user_id
    where l.book_id = ${bookId} and lower(u.email) = ${email.toLowerCase()}`)
  return rows.length > 0
}

export const selectTitleGiftsOfLines = (db: Db, lineIds: readonly string[]): Promise<TitleGiftRow[]> =>
  lineIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(gifts)
        .where(inArray(gifts.orderLineId, [...lineIds]))

export type MembershipGiftRow = typeof membershipGifts.$inferSelect

export async function insertMembershipGift(
  db: Db,
  gift: typeof membershipGifts.$inferInsert,
): Promise<MembershipGiftRow> {
  const [row] = await db.insert(membershipGifts).values(gift).returning()
  return row!
}

export async function updateMembershipGift(
  db: Db,
  id: string,
  change: Partial<typeof membershipGifts.$inferInsert>,
): Promise<MembershipGiftRow> {
  const [row] = await db.update(membershipGifts).set(change).where(eq(membershipGifts.id, id)).returning()
  return row!
}

export async function selectMembershipGift(db: Db, id: string): Promise<MembershipGiftRow | undefined> {
  const [row] = await db.select().from(membershipGifts).where(eq(membershipGifts.id, id))
  return row
}

export async function lockMembershipGift(db: Db, id: string): Promise<MembershipGiftRow | undefined> {
  const [row] = await db.select().from(membershipGifts).where(eq(membershipGifts.id, id)).for('update')
  return row
}

export async function lockMembershipGiftOfLine(
  db: Db,
  orderLineId: string,
): Promise<MembershipGiftRow | undefined> {
  const [row] = await db
    .select()
    .from(membershipGifts)
    .where(eq(membershipGifts.orderLineId, orderLineId))
    .for('update')
  return row
}

export async function selectMembershipGiftBy(
  db: Db,
  { column, hashes }: Candidates,
): Promise<(Found & { readonly gift: MembershipGiftRow }) | undefined> {
  const stored = column === 'token' ? membershipGifts.tokenHash : membershipGifts.codeHash
  const [gift] = await db
    .select()
    .from(membershipGifts)
    .where(inArray(stored, [...hashes]))
  if (gift) return { gift, isReplaced: false, printedHash: null }
  const [former] = await db
    .select({ gift: membershipGifts })
    .from(replacedGiftLinks)
    .innerJoin(membershipGifts, eq(membershipGifts.id, replacedGiftLinks.giftId))
    .where(inArray(replacedGiftLinks.hash, [...hashes]))
  if (former) return { gift: former.gift, isReplaced: true, printedHash: null }
  if (column === 'token') return undefined
  const [printed] = await db
    .select({ gift: membershipGifts, printedHash: printedGiftCodes.hash })
    .from(printedGiftCodes)
    .innerJoin(membershipGifts, eq(membershipGifts.id, printedGiftCodes.giftId))
    .where(inArray(printedGiftCodes.hash, [...hashes]))
  return printed && { ...printed, isReplaced: false }
}

export async function insertPrintedCode(
  db: Db,
  code: { readonly hash: string } & ({ readonly giftId: string } | { readonly bookGiftId: string }),
): Promise<void> {
  await db.insert(printedGiftCodes).values(code).onConflictDoNothing()
}

export async function selectLooksOfBook(db: Db, bookId: number) {
  const [row] = await db
    .select({ coverId: books.coverId, background: books.backgroundColour, colour: books.textColour })
    .from(books)
    .where(eq(books.id, bookId))
  return row
}

export async function isPrintedCode(db: Db, hash: string): Promise<boolean> {
  const [row] = await db
    .select({ hash: printedGiftCodes.hash })
    .from(printedGiftCodes)
    .where(eq(printedGiftCodes.hash, hash))
  return row !== undefined
}

export async function insertReplacedMembershipLinks(
  db: Db,
  giftId: string,
  hashes: readonly string[],
): Promise<void> {
  await db
    .insert(replacedGiftLinks)
    .values(hashes.map((hash) => ({ hash, giftId })))
    .onConflictDoNothing()
}

/** Unclaimed gifts to these addresses, and claimed ones that have not begun. Newest first. */
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

export interface GivenMembershipRow {
  readonly gift: MembershipGiftRow
  readonly claimer: { readonly email: string; readonly firstName: string; readonly lastName: string } | null
  readonly status: string | null
}

const selectGivenMemberships = (db: Db) =>
  db
    .select({
      gift: membershipGifts,
      claimer: { email: users.email, firstName: users.firstName, lastName: users.lastName },
      status: subscriptions.status,
    })
    .from(membershipGifts)
    .leftJoin(users, eq(users.id, membershipGifts.claimedBy))
    .leftJoin(subscriptions, eq(subscriptions.id, membershipGifts.subscriptionId))

const isGivenBy = (userId: string, emails: readonly string[]) =>
  or(
    eq(membershipGifts.giverId, userId),
    emails.length === 0
      ? undefined
      : and(isNull(membershipGifts.giverId), inArray(sql`lower(${membershipGifts.giverEmail})`, [...emails])),
  )

export const selectMembershipsGivenBy = (
  db: Db,
  userId: string,
  emails: readonly string[],
): Promise<GivenMembershipRow[]> =>
  selectGivenMemberships(db)
    .where(isGivenBy(userId, emails))
    .orderBy(desc(membershipGifts.givenAt), membershipGifts.id)
    .limit(1000)

export async function selectMembershipGivenBy(
  db: Db,
  userId: string,
  emails: readonly string[],
  id: string,
): Promise<GivenMembershipRow | undefined> {
  const [row] = await selectGivenMemberships(db).where(
    and(eq(membershipGifts.id, id), isGivenBy(userId, emails)),
  )
  return row
}

/** Undefined once the giver's account is closed. */
export async function selectMembershipGivenByLink(
  db: Db,
  id: string,
): Promise<GivenMembershipRow | undefined> {
  const [row] = await selectGivenMemberships(db).where(
    and(eq(membershipGifts.id, id), isNotNull(membershipGifts.giverEmail)),
  )
  return row
}

export const selectMembershipGiftsOfLines = (
  db: Db,
  lineIds: readonly string[],
): Promise<MembershipGiftRow[]> =>
  lineIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(membershipGifts)
        .where(inArray(membershipGifts.orderLineId, [...lineIds]))

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
  toSend: (now: Date) => [...open, isNull(membershipGifts.sentAt), lte(membershipGifts.deliverAt, now)],
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

export type DueMembershipGifts = keyof typeof DUE

export const selectDueMembershipGifts = (
  db: Db,
  due: DueMembershipGifts,
  { now, after, limit }: Page & { readonly now: BusinessTime },
): Promise<MembershipGiftRow[]> =>
  db
    .select()
    .from(membershipGifts)
    .where(and(...DUE[due](now), after === null ? undefined : gt(membershipGifts.id, after)))
    .orderBy(asc(membershipGifts.id))
    .limit(limit)

export async function selectNextDelivery(db: Db, now: BusinessTime): Promise<Date | null> {
  const memberships = db
    .select({ at: membershipGifts.deliverAt })
    .from(membershipGifts)
    .where(and(...open, isNull(membershipGifts.sentAt), gt(membershipGifts.deliverAt, now)))
    .orderBy(asc(membershipGifts.deliverAt))
    .limit(1)
  const titles = db
    .select({ at: gifts.deliverAt })
    .from(gifts)
    .where(and(...unsentTitles, gt(gifts.deliverAt, now)))
    .orderBy(asc(gifts.deliverAt))
    .limit(1)
  const days = [...(await memberships), ...(await titles)].flatMap(({ at }) => at ?? [])
  return days.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null
}
