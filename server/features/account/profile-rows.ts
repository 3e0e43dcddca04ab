import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { books } from '../../db/schema/catalogue.ts'
import { gifts } from '../../db/schema/gifts.ts'
import { libraryEntries } from '../../db/schema/library.ts'
import { bookTimes } from '../../db/schema/listening.ts'
import { orderLines, orders } from '../../db/schema/orders.ts'
import { newsletterSubscribers } from '../../db/schema/pages.ts'
import { readingPlaces } from '../../db/schema/reading.ts'

/** More than anybody has, but a limit. */
const AT_MOST = 10_000

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
  >
>

export async function updateProfile(db: Db, userId: string, fields: ProfileFields): Promise<void> {
  if (Object.keys(fields).length > 0) await db.update(users).set(fields).where(eq(users.id, userId))
}

export async function selectPasswordHash(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  return row?.passwordHash
}

/** Whatever belongs to the account is deleted with it, by foreign keys; orders stay. */
export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.delete(users).where(eq(users.id, userId))
}

/** The law asks for the figures of a sale and the country of its tax, not for who it was. */
export async function anonymiseOrders(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    update order_lines set gift_email = null, gift_message = null
    where order_id in (select id from orders where user_id = ${userId}::uuid)`)
  // What was taken without paying was no sale.
  await db.delete(orders).where(and(eq(orders.userId, userId), isNotNull(orders.taken)))
  await db.update(orders).set({ buyerName: '', buyerEmail: '' }).where(eq(orders.userId, userId))
  // Their gifts stay claimable, without a giver.
  await db.execute(sql`update gifts set giver_name = '' where giver_id = ${userId}::uuid`)
  // Claimed gifts stay with the people who claimed them.
  await db.update(gifts).set({ giverName: 'A friend', message: null }).where(eq(gifts.giverId, userId))
}

export async function deleteSubscriber(db: Db, email: string): Promise<void> {
  await db.delete(newsletterSubscribers).where(eq(newsletterSubscribers.email, email.toLowerCase()))
}

const titled = { format: books.format, slug: books.slug, title: books.title }

export const selectOwnLibrary = (db: Db, userId: string) =>
  db
    .select({ ...titled, addedAt: libraryEntries.addedAt, source: libraryEntries.source })
    .from(libraryEntries)
    .innerJoin(books, eq(books.id, libraryEntries.bookId))
    .where(eq(libraryEntries.userId, userId))
    .orderBy(desc(libraryEntries.addedAt))
    .limit(AT_MOST)

export const selectOwnPlaces = (db: Db, userId: string) =>
  db
    .select({
      ...titled,
      chapter: bookTimes.chapter,
      seconds: bookTimes.seconds,
      heardAt: bookTimes.heardAt,
    })
    .from(bookTimes)
    .innerJoin(books, eq(books.id, bookTimes.bookId))
    .where(eq(bookTimes.userId, userId))
    .orderBy(desc(bookTimes.heardAt))
    .limit(AT_MOST)

export const selectOwnReadingPlaces = (db: Db, userId: string) =>
  db
    .select({ ...titled, share: readingPlaces.share, readAt: readingPlaces.readAt })
    .from(readingPlaces)
    .innerJoin(books, eq(books.id, readingPlaces.bookId))
    .where(eq(readingPlaces.userId, userId))
    .orderBy(desc(readingPlaces.readAt))
    .limit(AT_MOST)

/** With their lines, each line a row. */
export const selectOwnOrderLines = (db: Db, userId: string) =>
  db
    .select({
      number: orders.number,
      createdAt: orders.createdAt,
      state: orders.state,
      totalMinor: orders.totalMinor,
      title: orderLines.title,
      priceMinor: orderLines.priceMinor,
      giftEmail: orderLines.giftEmail,
    })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(eq(orders.userId, userId), isNull(orders.taken)))
    .orderBy(desc(orders.createdAt), orders.id, orderLines.position)
    .limit(AT_MOST)
