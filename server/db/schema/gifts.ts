import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { orderLines } from './orders.ts'
import { businessTime } from './instants.ts'
import type { PlanId } from '#contract/plans.ts'
import { subscriptions } from './membership.ts'

export const gifts = pgTable(
  'gifts',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderLineId: uuid('order_line_id')
      .unique()
      .references(() => orderLines.id, { onDelete: 'set null' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    giverId: uuid('giver_id').references(() => users.id, { onDelete: 'set null' }),
    giverName: text('giver_name').notNull(),
    /** The account with this email address can claim it. */
    email: text().notNull(),
    message: text(),
    tokenHash: text('token_hash').notNull().unique(),
    codeHash: text('code_hash').notNull().unique(),
    /** The number of the current link; each new link replaces the previous ones. */
    edition: integer().notNull().default(1),
    /** `2026-12-25`, with the giver's time zone; null for at once. */
    day: text(),
    zone: text(),
    /** Null for a gift that was sent at once. */
    deliverAt: businessTime('deliver_at'),
    /** The time at which the email with this link was queued; null before `deliverAt`, and for older gifts. */
    sentAt: businessTime('sent_at'),
    failedAt: businessTime('failed_at'),
    givenAt: businessTime('given_at').notNull().defaultNow(),
    claimedAt: businessTime('claimed_at'),
    claimedBy: uuid('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    entryId: uuid('entry_id'),
    /** What the recipient wrote to the giver, once. */
    thanks: text(),
    thankedAt: businessTime('thanked_at'),
    /** The giver took the gift back; `revokedAt` is the time of the refund. */
    takenBackAt: businessTime('taken_back_at'),
    revokedAt: businessTime('revoked_at'),
    state: text({ enum: ['given', 'claimed', 'taken_back', 'revoked'] })
      .notNull()
      .generatedAlwaysAs(
        sql`case when revoked_at is not null then 'revoked' when taken_back_at is not null then 'taken_back'
          when claimed_at is not null then 'claimed' else 'given' end`,
      ),
  },
  (table) => [
    index('gifts_email').on(sql`lower(${table.email})`),
    index('gifts_giver').on(table.giverId),
    index('gifts_claimer').on(table.claimedBy),
    index('gifts_due')
      .on(table.deliverAt)
      .concurrently()
      .where(sql`${table.deliverAt} is not null and ${table.sentAt} is null`),
    index('gifts_unclaimed')
      .on(table.givenAt)
      .where(sql`${table.claimedAt} is null and ${table.revokedAt} is null`),
  ],
)

export const membershipGifts = pgTable(
  'membership_gifts',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderLineId: uuid('order_line_id')
      .unique()
      .references(() => orderLines.id, { onDelete: 'set null' }),
    orderId: uuid('order_id'),
    plan: integer().$type<PlanId>().notNull(),
    /** For a gift from the shop itself; null if its plan defines the months. */
    months: integer(),
    christmas: boolean().notNull().default(false),
    giverId: uuid('giver_id').references(() => users.id, { onDelete: 'set null' }),
    giverName: text('giver_name').notNull(),
    giverEmail: text('giver_email'),
    paidMinor: integer('paid_minor').notNull(),
    givenAt: businessTime('given_at').notNull(),
    email: text().notNull(),
    firstName: text('first_name'),
    message: text(),
    /** `2026-12-25`; null for at once. */
    day: text(),
    zone: text().notNull(),
    deliverAt: businessTime('deliver_at').notNull(),
    /** The number of the current link; each new link replaces the previous ones. 0 before the first one. */
    edition: integer().notNull().default(0),
    tokenHash: text('token_hash').unique(),
    codeHash: text('code_hash').unique(),
    sentAt: businessTime('sent_at'),
    deliveredAt: businessTime('delivered_at'),
    failedAt: businessTime('failed_at'),
    /** The month of the last reminder to giver and recipient: 0, 11 or 23. */
    remindedAfter: integer('reminded_after').notNull().default(0),
    claimedAt: businessTime('claimed_at'),
    claimedBy: uuid('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    /** A claimed gift without one waits for the current membership to end. */
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    begunAt: businessTime('begun_at'),
    /** What the recipient wrote to the giver, once. */
    thanks: text(),
    thankedAt: businessTime('thanked_at'),
    /** The giver asked for a refund; it is complete when `revokedAt` is set. */
    takenBackAt: businessTime('taken_back_at'),
    revokedAt: businessTime('revoked_at'),
    /** Set while a dispute about its payment is open. */
    suspendedAt: businessTime('suspended_at'),
    lapsedAt: businessTime('lapsed_at'),
    state: text({
      enum: ['scheduled', 'sent', 'claimed', 'begun', 'lapsed', 'taken_back', 'suspended', 'revoked'],
    })
      .notNull()
      .generatedAlwaysAs(
        sql`case when revoked_at is not null then 'revoked' when suspended_at is not null then 'suspended'
          when taken_back_at is not null then 'taken_back' when lapsed_at is not null then 'lapsed'
          when begun_at is not null then 'begun' when claimed_at is not null then 'claimed'
          when sent_at is not null then 'sent' else 'scheduled' end`,
      ),
  },
  (table) => [
    index('membership_gifts_email').on(sql`lower(${table.email})`),
    index('membership_gifts_giver').on(table.giverId),
    index('membership_gifts_order').on(table.orderId),
    index('membership_gifts_subscription').on(table.subscriptionId),
    index('membership_gifts_giver_email').on(sql`lower(${table.giverEmail})`),
    index('membership_gifts_claimer').on(table.claimedBy),
    index('membership_gifts_waiting')
      .on(table.claimedBy)
      .where(sql`${table.begunAt} is null and ${table.revokedAt} is null`),
    index('membership_gifts_due')
      .on(table.deliverAt)
      .where(sql`${table.claimedAt} is null and ${table.revokedAt} is null`),
  ],
)

/** Codes on printed cards. Exactly one of the gift columns is set. */
export const printedGiftCodes = pgTable('printed_gift_codes', {
  hash: text().primaryKey(),
  giftId: uuid('gift_id').references(() => membershipGifts.id, { onDelete: 'cascade' }),
  bookGiftId: uuid('book_gift_id').references(() => gifts.id, { onDelete: 'cascade' }),
})

/** Replaced links and codes: opening one only shows that it was replaced. Exactly one of the gift columns is set. */
export const replacedGiftLinks = pgTable('replaced_gift_links', {
  hash: text().primaryKey(),
  giftId: uuid('gift_id').references(() => membershipGifts.id, { onDelete: 'cascade' }),
  bookGiftId: uuid('book_gift_id').references(() => gifts.id, { onDelete: 'cascade' }),
})
