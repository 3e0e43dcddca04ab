import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Candidates } from '../../codes/secrets.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { gifts, replacedGiftLinks } from '../../db/schema/gifts.ts'
import { mails } from '../../db/schema/mails.ts'
import { orderLines } from '../../db/schema/orders.ts'

export type Format = 'audio_book' | 'e_book'
export type GiftRow = typeof gifts.$inferSelect
export interface GiftOfBook {
  readonly gift: GiftRow
  readonly format: Format
  readonly slug: string
  readonly title: string
}

export async function insertGift(db: Db, gift: typeof gifts.$inferInsert): Promise<string> {
  const [row] = await db.insert(gifts).values(gift).returning({ id: gifts.id })
  return row!.id
}

const WITH_BOOK = { gift: gifts, format: books.format, slug: books.slug, title: books.title }

export async function selectGiftBy(
  db: Db,
  { column, hashes }: Candidates,
): Promise<(GiftOfBook & { readonly isReplaced: boolean }) | undefined> {
  const stored = column === 'token' ? gifts.tokenHash : gifts.codeHash
  const isThere = [isNull(gifts.revokedAt), isNull(gifts.takenBackAt)]
  const [row] = await db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(and(inArray(stored, [...hashes]), ...isThere))
  if (row) return { ...row, isReplaced: false }
  const [former] = await db
    .select(WITH_BOOK)
    .from(replacedGiftLinks)
    .innerJoin(gifts, eq(gifts.id, replacedGiftLinks.bookGiftId))
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(and(inArray(replacedGiftLinks.hash, [...hashes]), ...isThere))
  return former && { ...former, isReplaced: true }
}

export async function insertReplaced(db: Db, bookGiftId: string, hashes: readonly string[]): Promise<void> {
  await db
    .insert(replacedGiftLinks)
    .values(hashes.map((hash) => ({ hash, bookGiftId })))
    .onConflictDoNothing()
}

export async function lockGift(db: Db, id: string): Promise<GiftRow | undefined> {
  const [row] = await db.select().from(gifts).where(eq(gifts.id, id)).for('update')
  return row
}

export async function selectGift(db: Db, id: string): Promise<GiftOfBook | undefined> {
  const [row] = await db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(eq(gifts.id, id))
  return row
}

export const selectWaiting = (db: Db, emails: readonly string[]): Promise<GiftOfBook[]> =>
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
      ),
    )
    .orderBy(desc(gifts.givenAt))
    .limit(200)

export async function updateGift(
  db: Db,
  id: string,
  change: Partial<typeof gifts.$inferInsert>,
): Promise<GiftRow> {
  const [row] = await db.update(gifts).set(change).where(eq(gifts.id, id)).returning()
  return row!
}

export interface GivenRow extends GiftOfBook {
  readonly claimer: { readonly email: string; readonly firstName: string; readonly lastName: string } | null
  /** The book’s title on the order; null for a gift from the shop. */
  readonly soldAs: string | null
  readonly orderId: string | null
  readonly priceMinor: number | null
}

const selectGiven = (db: Db) =>
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

export const selectGivenBy = (db: Db, userId: string): Promise<GivenRow[]> =>
  selectGiven(db).where(eq(gifts.giverId, userId)).orderBy(desc(gifts.givenAt), gifts.id).limit(1000)

/** Pass null as `userId` for a request by the giver's link. Returns undefined once the giver's account is closed. */
export async function selectOneGivenBy(
  db: Db,
  userId: string | null,
  id: string,
): Promise<GivenRow | undefined> {
  const isGivers = userId === null ? isNotNull(gifts.giverId) : eq(gifts.giverId, userId)
  const [row] = await selectGiven(db).where(and(eq(gifts.id, id), isGivers))
  return row
}

/** Unclaimed gifts whose email failed and whose giver has not been notified. */
export async function selectNewlyFailed(db: Db, { after, limit }: Page): Promise<string[]> {
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

export async function lockGiftOfLine(db: Db, orderLineId: string): Promise<GiftRow | undefined> {
  const [row] = await db.select().from(gifts).where(eq(gifts.orderLineId, orderLineId)).for('update')
  return row
}

/**
 * `addresses` (lower case) has the current address, and the former confirmed ones that no other account has confirmed
 * since.
 */
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

/** True if the account with this email owns the title; undefined if there is no such title. */
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

export const selectOfLines = (db: Db, lineIds: readonly string[]): Promise<GiftRow[]> =>
  lineIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(gifts)
        .where(inArray(gifts.orderLineId, [...lineIds]))
