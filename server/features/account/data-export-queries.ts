import { type SQL, sql, and, desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { bookmarkHistory, bookmarks, highlightHistory, highlights } from '../../db/schema/notes.ts'
import { books } from '../../db/schema/catalogue.ts'
import { libraryEntries, readingPlaces } from '../../db/schema/library.ts'
import { bookTimes } from '../../db/schema/listening.ts'

/** A safety limit, far above what any account has. */
const MOST_RECORDS = 10_000

interface OwnRecords {
  /** `own-records.test.ts` fails for a table with personal data that no export covers. */
  readonly tables: readonly string[]
  /** Never selects hashes, tokens or other people's ids. */
  readonly select: (userId: SQL) => SQL
}

export const OWN_RECORDS = {
  memberships: {
    tables: ['subscriptions'],
    select: (userId) => sql`
      select plan, status, ordered_at "orderedAt", period_start "periodStart", period_end "periodEnd",
        trial_ends_at "trialEndsAt", canceled_at "canceledAt", withdrawn_at "withdrawnAt", ended_at "endedAt",
        gift, coupon_code "couponCode", payment_type "paymentType", card_last4 "cardLast4"
      from subscriptions where user_id = ${userId} order by ordered_at desc`,
  },
  freeAudiobooks: {
    tables: ['credits'],
    select: (userId) => sql`
      select c.usable_from "usableFrom", c.usable_until "usableUntil", c.spent_at "spentAt", c.revoked_at "revokedAt",
        b.slug, b.title
      from credits c left join books b on b.id = c.book_id where c.user_id = ${userId} order by c.usable_from desc`,
  },
  payments: {
    tables: ['payments'],
    select: (userId) => sql`
      select o.number "orderNumber", p.type, p.wallet, p.last4, o.paid_at "paidAt"
      from payments p join orders o on o.id = p.order_id where o.user_id = ${userId} order by p.created_at desc`,
  },
  savedCards: {
    tables: ['saved_cards'],
    select: (userId) => sql`
      select brand, last4, expires_at "expiresAt", used_at "usedAt" from saved_cards
      where user_id = ${userId} order by used_at desc`,
  },
  passkeys: {
    tables: ['user_passkeys'],
    select: (userId) => sql`
      select name, created_at "createdAt", last_used_at "lastUsedAt" from user_passkeys
      where user_id = ${userId} order by created_at desc`,
  },
  paymentTries: {
    tables: ['payment_tries'],
    select: (userId) => sql`
      select o.number "orderNumber", t.outcome, t.reason, t.tried_at "triedAt"
      from payment_tries t left join orders o on o.id = t.order_id
        left join subscriptions s on s.id = t.subscription_id
      where o.user_id = ${userId} or s.user_id = ${userId} order by t.tried_at desc`,
  },
  refunds: {
    tables: ['refunds'],
    select: (userId) => sql`
      select o.number "orderNumber", r.reason, r.amount_minor / 100.0 amount, r.state, r.created_at "createdAt"
      from refunds r join orders o on o.id = r.order_id where o.user_id = ${userId} order by r.created_at desc`,
  },
  discountCodes: {
    tables: ['discount_uses'],
    select: (userId) => sql`
      select code, used_at "usedAt" from discount_uses where user_id = ${userId} order by used_at desc`,
  },
  giftsGiven: {
    tables: ['gifts'],
    select: (userId) => sql`
      select b.slug, b.title, g.email, g.message, g.day "deliveryDate", g.given_at "givenAt", g.claimed_at "claimedAt",
        g.thanks
      from gifts g join books b on b.id = g.book_id where g.giver_id = ${userId} order by g.given_at desc`,
  },
  giftsReceived: {
    tables: ['gifts'],
    select: (userId) => sql`
      select b.slug, b.title, g.giver_name "giverName", g.message, g.claimed_at "claimedAt", g.thanks
      from gifts g join books b on b.id = g.book_id where g.claimed_by = ${userId} order by g.claimed_at desc`,
  },
  membershipsGiven: {
    tables: ['membership_gifts'],
    select: (userId) => sql`
      select plan, email, first_name "firstName", message, paid_minor / 100.0 amount, given_at "givenAt",
        deliver_at "deliverAt", claimed_at "claimedAt", thanks, taken_back_at "takenBackAt"
      from membership_gifts where giver_id = ${userId} order by given_at desc`,
  },
  membershipsReceived: {
    tables: ['membership_gifts'],
    select: (userId) => sql`
      select plan, giver_name "giverName", message, claimed_at "claimedAt", begun_at "begunAt", thanks
      from membership_gifts where claimed_by = ${userId} order by claimed_at desc`,
  },
  cards: {
    tables: ['cards'],
    select: (userId) => sql`
      select c.number, b.slug, b.title, c.redeemed_at "redeemedAt"
      from cards c join card_batches k on k.id = c.batch_id join books b on b.id = k.book_id
      where c.redeemed_by = ${userId} order by c.redeemed_at desc`,
  },
  bookshop: {
    tables: ['outlet_readers'],
    select: (userId) => sql`
      select o.name, r.since, r.until from outlet_readers r join outlets o on o.id = r.outlet_id
      where r.user_id = ${userId}`,
  },
  bag: {
    tables: ['carts', 'cart_items'],
    select: (userId) => sql`
      select b.slug, b.title, i.gift, i.gift_email "giftEmail", i.gift_message "giftMessage",
        i.gift_day "giftDeliveryDate", i.added_at "addedAt",
        c.coupon_code "couponCode"
      from carts c join cart_items i on i.cart_id = c.id join books b on b.id = i.book_id
      where c.user_id = ${userId} order by i.added_at`,
  },
  chapterPlaces: {
    tables: ['user_chapter_times'],
    select: (userId) => sql`
      select b.slug, b.title, t.chapter, t.seconds, t.heard_at "heardAt"
      from user_chapter_times t join books b on b.id = t.book_id where t.user_id = ${userId} order by t.heard_at desc`,
  },
  earlierPlaces: {
    tables: ['place_history'],
    select: (userId) => sql`
      select b.slug, b.title, t.chapter, t.seconds, t.heard_at "heardAt"
      from place_history t join books b on b.id = t.book_id where t.user_id = ${userId} order by t.id desc`,
  },
  queueAndShelves: {
    tables: ['user_list_rows'],
    select: (userId) => sql`
      select r.kind, r.name, r.id, r.shelf_id "shelf", b.slug, b.title, r.changed_at "changedAt"
      from user_list_rows r left join books b on b.id = r.book_id
      where r.user_id = ${userId} and r.removed_at is null order by r.kind, r.shelf_id, r.position collate "C"`,
  },
  devices: {
    tables: ['devices'],
    select: (userId) => sql`
      select browser, name, created_at "createdAt", seen_at "seenAt" from devices
      where user_id = ${userId} order by seen_at desc`,
  },
  logIns: {
    tables: ['sessions'],
    select: (userId) => sql`
      select s.created_at "createdAt", s.ends_at "endsAt", s.revoked_at "revokedAt", d.browser,
        s.viewed_by "viewedBy"
      from sessions s left join devices d on d.user_id = s.user_id and d.id = s.device_id
      where s.user_id = ${userId} order by s.created_at desc`,
  },
  mails: {
    tables: ['mails', 'sent_mails'],
    // An unconfirmed address may belong to another person, and then so do the emails to it.
    select: (userId) => sql`
      select m.kind, m.queued_at "queuedAt", m.sent_at "sentAt", s.subject, s.text
      from users u join mails m on lower(m.recipient) = lower(u.email)
          or m.id in (select t.mail_id from sent_mails t where t.recipient = lower(u.email))
        left join sent_mails s on s.mail_id = m.id
      where u.id = ${userId} and u.confirmed_at is not null order by m.queued_at desc`,
  },
  seats: {
    tables: ['event_seats'],
    select: (userId) => sql`
      select e.slug, e.title, e.starts_at "startsAt", s.confirmed_at "confirmedAt"
      from event_seats s join editorial_items e on e.id = s.item_id
      where s.user_id = ${userId} or s.email = (select lower(u.email) from users u
        where u.id = ${userId} and u.confirmed_at is not null) order by e.starts_at desc`,
  },
  seriesNotices: {
    tables: ['series_notices'],
    select: (userId) => sql`
      select s.slug, s.title, n.asked_at "askedAt", n.confirmed_at "confirmedAt"
      from users u join series_notices n on n.email = lower(u.email) join series s on s.id = n.series_id
      where u.id = ${userId} and u.confirmed_at is not null order by n.asked_at desc`,
  },
  withdrawals: {
    tables: ['withdrawal_statements'],
    // Includes statements that were sent without a log-in from the account's confirmed address.
    select: (userId) => sql`
      select w.name, w.email, w.contract, w.scope, w.stated_at "statedAt", w.settled_at "settledAt"
      from users u join withdrawal_statements w
        on w.user_id = u.id or (u.confirmed_at is not null and w.email = lower(u.email))
      where u.id = ${userId} order by w.stated_at desc`,
  },
  starterPacks: {
    tables: ['starter_pack_requests'],
    select: (userId) => sql`
      select p.shop_name "shop", p.contact "name", p.town, p.packs, p.asked_at "askedAt", p.done_at "doneAt"
      from users u join starter_pack_requests p on p.email = lower(u.email)
      where u.id = ${userId} and u.confirmed_at is not null order by p.asked_at desc`,
  },
  noteOfTheShop: {
    tables: ['customer_notes'],
    // Omit who wrote it: that is another person's data.
    select: (userId) => sql`
      select text, written_at "writtenAt" from customer_notes where user_id = ${userId}`,
  },
  doneByTheShop: {
    tables: ['logbook'],
    // Omit who did it: that is another person's data.
    select: (userId) => sql`
      select at, what, because from logbook where user_id = ${userId} order by at desc`,
  },
} satisfies Record<string, OwnRecords>

type OwnRecordName = keyof typeof OWN_RECORDS
type OwnRecordRow = Record<string, unknown>

/** Timestamps are ISO 8601 strings. */
export async function selectOwnRecords(
  db: Db,
  userId: string,
): Promise<Record<OwnRecordName, OwnRecordRow[]>> {
  const found = new Map<string, OwnRecordRow[]>()
  for (const [name, { select }] of Object.entries(OWN_RECORDS)) {
    const { rows } = await db.execute<{ found: OwnRecordRow[] }>(sql`
      select coalesce(jsonb_agg(to_jsonb(r)), '[]') as found
      from (select * from (${select(sql`${userId}::uuid`)}) as every limit ${MOST_RECORDS}) r`)
    found.set(name, rows[0]!.found)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above sets every name
  return Object.fromEntries(found) as Record<OwnRecordName, OwnRecordRow[]>
}

const titleColumns = { format: books.format, slug: books.slug, title: books.title }

export const selectOwnLibrary = (db: Db, userId: string) =>
  db
    .select({ ...titleColumns, addedAt: libraryEntries.addedAt, source: libraryEntries.source })
    .from(libraryEntries)
    .innerJoin(books, eq(books.id, libraryEntries.bookId))
    .where(eq(libraryEntries.userId, userId))
    .orderBy(desc(libraryEntries.addedAt))
    .limit(MOST_RECORDS)

export const selectOwnPlaces = (db: Db, userId: string) =>
  db
    .select({
      ...titleColumns,
      chapter: bookTimes.chapter,
      seconds: bookTimes.seconds,
      heardAt: bookTimes.heardAt,
      speed: bookTimes.speed,
    })
    .from(bookTimes)
    .innerJoin(books, eq(books.id, bookTimes.bookId))
    .where(eq(bookTimes.userId, userId))
    .orderBy(desc(bookTimes.heardAt))
    .limit(MOST_RECORDS)

export const selectOwnBookmarks = (db: Db, userId: string) =>
  db
    .select({
      ...titleColumns,
      id: bookmarks.id,
      chapter: bookmarks.chapter,
      seconds: bookmarks.seconds,
      sentence: bookmarks.sentence,
      note: bookmarks.note,
      madeAt: bookmarks.madeAt,
      changedAt: bookmarks.changedAt,
    })
    .from(bookmarks)
    .innerJoin(books, eq(books.id, bookmarks.bookId))
    .where(and(eq(bookmarks.userId, userId), isNull(bookmarks.removedAt)))
    .orderBy(bookmarks.bookId, bookmarks.chapter, bookmarks.seconds, bookmarks.id)
    .limit(MOST_RECORDS)

export const selectOwnHighlights = (db: Db, userId: string) =>
  db
    .select({
      ...titleColumns,
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
    .limit(MOST_RECORDS)

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
    .limit(MOST_RECORDS)

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
    .limit(MOST_RECORDS)

export const selectOwnReadingPlaces = (db: Db, userId: string) =>
  db
    .select({ ...titleColumns, share: readingPlaces.share, readAt: readingPlaces.readAt })
    .from(readingPlaces)
    .innerJoin(books, eq(books.id, readingPlaces.bookId))
    .where(eq(readingPlaces.userId, userId))
    .orderBy(desc(readingPlaces.readAt))
    .limit(MOST_RECORDS)
