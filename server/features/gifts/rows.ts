import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Candidates } from '../../codes/secrets.ts'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { gifts } from '../../db/schema/gifts.ts'

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

export async function selectGiftBy(db: Db, { column, hashes }: Candidates): Promise<GiftOfBook | undefined> {
  const stored = column === 'token' ? gifts.tokenHash : gifts.codeHash
  const [row] = await db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(and(inArray(stored, [...hashes]), isNull(gifts.revokedAt)))
  return row
}

/** Locked until the transaction ends. */
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

/** Newest first. */
export const selectWaiting = (db: Db, emails: readonly string[]): Promise<GiftOfBook[]> =>
  db
    .select(WITH_BOOK)
    .from(gifts)
    .innerJoin(books, eq(books.id, gifts.bookId))
    .where(
      and(inArray(sql`lower(${gifts.email})`, [...emails]), isNull(gifts.claimedAt), isNull(gifts.revokedAt)),
    )
    .orderBy(desc(gifts.givenAt))
    .limit(200)

export async function updateGift(db: Db, id: string, change: Partial<GiftRow>): Promise<void> {
  await db.update(gifts).set(change).where(eq(gifts.id, id))
}

export async function lockGiftOfLine(db: Db, orderLineId: string): Promise<GiftRow | undefined> {
  const [row] = await db.select().from(gifts).where(eq(gifts.orderLineId, orderLineId)).for('update')
  return row
}

/** `addresses`, in lower case, are the present one and those it had, confirmed, that nobody has confirmed since. */
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

/** True if the account with this e-mail owns the book; undefined where there is no such book. */
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

/** When the gift of each order line was claimed. */
export const selectClaims = async (db: Db, ids: readonly string[]): Promise<Map<string, Date | null>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ lineId: gifts.orderLineId, claimedAt: gifts.claimedAt })
    .from(gifts)
    .where(inArray(gifts.orderLineId, [...ids]))
  return new Map(
    rows.flatMap(({ lineId, claimedAt }) => (lineId === null ? [] : [[lineId, claimedAt] as const])),
  )
}
