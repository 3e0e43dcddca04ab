import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { sessions, users } from '../../db/schema/accounts.ts'
import { bookmarkHistory, bookmarks } from '../../db/schema/bookmarks.ts'
import { highlightHistory, highlights } from '../../db/schema/highlights.ts'
import { books } from '../../db/schema/catalogue.ts'
import { gifts } from '../../db/schema/gifts.ts'
import { libraryEntries } from '../../db/schema/library.ts'
import { bookTimes } from '../../db/schema/listening.ts'
import { newsletterSubscribers } from '../../db/schema/pages.ts'
import { readingPlaces } from '../../db/schema/reading.ts'
import { seriesNotices } from '../../db/schema/series.ts'
import { withdrawalStatements } from '../../db/schema/withdrawals.ts'
import { ACCOUNT_CLOSED } from './channel.ts'

/** A safety limit, far above what any account has. */
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

/**
 * Foreign keys delete everything that belongs to the account. Orders stay, and so do its sessions, without user and
 * device.
 */
export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.update(sessions).set({ deviceId: null }).where(eq(sessions.userId, userId))
  await db.delete(users).where(eq(users.id, userId))
}

export async function notifyOfClosing(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${ACCOUNT_CLOSED}, '')`)
}

/** Gifts stay with their recipients, without the giver's name and message. */
export async function anonymiseGifts(db: Db, userId: string): Promise<void> {
  await db.update(gifts).set({ giverName: 'A friend', message: null }).where(eq(gifts.giverId, userId))
}

/**
 * Gifts that are not claimed yet still arrive (docs/product.md, Memberships in detail), but the giver gets no more
 * emails about them.
 */
export async function forgetGiver(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    update membership_gifts g set giver_email = null,
      giver_name = case when claimed_at is null then giver_name else 'A friend' end,
      message = case when claimed_at is null then message end
    from users u where u.id = ${userId}::uuid
      and (g.giver_id = u.id or g.giver_id is null and u.confirmed_at is not null and lower(g.giver_email) = lower(u.email))`)
}

/** Removes the address from the newsletter and from all notifications about a series. */
export async function deleteSubscriber(db: Db, email: string): Promise<void> {
  const address = email.toLowerCase()
  await db.delete(newsletterSubscribers).where(eq(newsletterSubscribers.email, address))
  await db.delete(seriesNotices).where(eq(seriesNotices.email, address))
}

/**
 * Open statements stay without the account, since the shop still owes an answer; the clean-up job deletes them later.
 */
export async function deleteStatementsOf(
  db: Db,
  { userId, email }: { readonly userId?: string; readonly email?: string },
): Promise<void> {
  const isTheirs = userId
    ? eq(withdrawalStatements.userId, userId)
    : eq(withdrawalStatements.email, email!.toLowerCase())
  await db.delete(withdrawalStatements).where(and(isTheirs, isNotNull(withdrawalStatements.settledAt)))
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
      speed: bookTimes.speed,
    })
    .from(bookTimes)
    .innerJoin(books, eq(books.id, bookTimes.bookId))
    .where(eq(bookTimes.userId, userId))
    .orderBy(desc(bookTimes.heardAt))
    .limit(AT_MOST)

export const selectOwnBookmarks = (db: Db, userId: string) =>
  db
    .select({
      ...titled,
      id: bookmarks.id,
      chapter: bookmarks.chapter,
      seconds: bookmarks.seconds,
      note: bookmarks.note,
      madeAt: bookmarks.madeAt,
      changedAt: bookmarks.changedAt,
    })
    .from(bookmarks)
    .innerJoin(books, eq(books.id, bookmarks.bookId))
    .where(and(eq(bookmarks.userId, userId), isNull(bookmarks.removedAt)))
    .orderBy(bookmarks.bookId, bookmarks.chapter, bookmarks.seconds, bookmarks.id)
    .limit(AT_MOST)

export const selectOwnHighlights = (db: Db, userId: string) =>
  db
    .select({
      ...titled,
      id: highlights.id,
      chapter: highlights.chapter,
      quote: highlights.quote,
      note: highlights.note,
      madeAt: highlights.madeAt,
      changedAt: highlights.changedAt,
    })
    .from(highlights)
    .innerJoin(books, eq(books.id, highlights.bookId))
    .where(and(eq(highlights.userId, userId), isNull(highlights.removedAt)))
    .orderBy(highlights.bookId, highlights.share, highlights.id)
    .limit(AT_MOST)

export const selectOwnHighlightNotes = (db: Db, userId: string) =>
  db
    .select({
      highlightId: highlightHistory.highlightId,
      note: highlightHistory.note,
      changedAt: highlightHistory.changedAt,
    })
    .from(highlightHistory)
    .where(eq(highlightHistory.userId, userId))
    .orderBy(desc(highlightHistory.changedAt))
    .limit(AT_MOST)

export const selectOwnEarlierNotes = (db: Db, userId: string) =>
  db
    .select({
      bookmarkId: bookmarkHistory.bookmarkId,
      note: bookmarkHistory.note,
      changedAt: bookmarkHistory.changedAt,
    })
    .from(bookmarkHistory)
    .where(eq(bookmarkHistory.userId, userId))
    .orderBy(desc(bookmarkHistory.changedAt))
    .limit(AT_MOST)

export const selectOwnReadingPlaces = (db: Db, userId: string) =>
  db
    .select({ ...titled, share: readingPlaces.share, readAt: readingPlaces.readAt })
    .from(readingPlaces)
    .innerJoin(books, eq(books.id, readingPlaces.bookId))
    .where(eq(readingPlaces.userId, userId))
    .orderBy(desc(readingPlaces.readAt))
    .limit(AT_MOST)
