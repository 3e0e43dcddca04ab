import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { subscriptions } from './membership.ts'

export interface GiftDetails {
  readonly firstName: string | null
  /** `2026-12-25` in `zone`; null for at once. */
  readonly day: string | null
  /** `Europe/London` */
  readonly zone: string
  readonly christmas: boolean
}

export const orderNumbers = pgSequence('order_numbers', { startWith: 100_001 })

/**
 * A bag as it was sold. The row exists before money moves, its lines never change, and it is settled once.
 * It outlives its account, without the person's details, because the law requires it.
 */
export const orders = pgTable(
  'orders',
  {
    id: uuid().primaryKey().defaultRandom(),
    number: text()
      .notNull()
      .unique()
      .default(sql`'M-' || nextval('order_numbers')`),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    cartId: uuid('cart_id'),
    /** Nothing was bought: a title that is free, that a credit claimed, or that a card held. No receipt, no mail, no place in a list. */
    taken: text({ enum: ['free', 'credit', 'card'] }),
    state: text({ enum: ['awaiting_payment', 'paid', 'abandoned'] }).notNull(),
    /** Of what was frozen: the same bag at the same prices has the same one. */
    fingerprint: text().notNull(),
    totalMinor: integer('total_minor').notNull(),
    vatMinor: integer('vat_minor').notNull(),
    beforeDiscountMinor: integer('before_discount_minor').notNull(),
    refundedMinor: integer('refunded_minor').notNull().default(0),
    couponCode: text('coupon_code'),
    percentDiscount: integer('percent_discount'),
    /** Until then nobody else can have the use of the code that this order waits to pay for. */
    couponReservedUntil: timestamp('coupon_reserved_until', { withTimezone: true }),
    buyerName: text('buyer_name').notNull(),
    buyerEmail: text('buyer_email').notNull(),
    countryCode: text('country_code').notNull(),
    waiverAt: timestamp('waiver_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    paidAt: timestamp('paid_at', { withTimezone: true }),
    /** While a dispute about its payment is open. */
    disputedAt: timestamp('disputed_at', { withTimezone: true }),
    /** The state of the buyer's dispute; null without a dispute. */
    dispute: text({ enum: ['open', 'won', 'lost'] }),
    /** False if the provider no longer refunds the payment because of a dispute. */
    isRefundable: boolean('is_refundable').notNull().default(true),
  },
  (table) => [
    index('orders_newest').on(table.userId, table.paidAt.desc(), table.id),
    index('orders_coupon')
      .on(table.couponCode)
      .where(sql`${table.couponCode} is not null`),
    index('orders_disputed')
      .on(table.disputedAt)
      .where(sql`${table.disputedAt} is not null`),
    index('orders_buyer_email')
      .on(sql`lower(${table.buyerEmail})`)
      .where(sql`${table.state} = 'paid'`),
    // One payment per bag, however often and wherever it is clicked (trap 24).
    uniqueIndex('orders_waiting')
      .on(table.cartId)
      .where(sql`${table.state} = 'awaiting_payment'`),
    check(
      'orders_money',
      sql`${table.totalMinor} >= 0 and ${table.refundedMinor} between 0 and ${table.totalMinor}`,
    ),
  ],
)

export const orderLines = pgTable(
  'order_lines',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** What was sold (`features/sold`); it says which of the next columns are set. */
    // The default is for the release before, which sold titles and did not say so.
    kind: text({ enum: ['title', 'membership', 'membership_gift'] })
      .notNull()
      .default('title'),
    bookId: integer('book_id').references(() => books.id),
    plan: integer(),
    /** The membership that came of it. */
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    /** What it was called when it was sold. */
    title: text().notNull(),
    /** For this buyer, before the code; and what was paid for it. */
    originalMinor: integer('original_minor').notNull(),
    priceMinor: integer('price_minor').notNull(),
    vatPercent: integer('vat_percent').notNull(),
    vatMinor: integer('vat_minor').notNull(),
    couponCode: text('coupon_code'),
    percentDiscount: integer('percent_discount'),
    gift: boolean().notNull().default(false),
    giftEmail: text('gift_email'),
    giftMessage: text('gift_message'),
    /** Of a membership that is given: to whom by name, and on which day. */
    giftDetails: jsonb('gift_details').$type<GiftDetails>(),
    /** The given membership that came of it. */
    membershipGiftId: uuid('membership_gift_id'),
    /** What leaves the bag when this is paid. */
    cartItemId: uuid('cart_item_id'),
    /** The entry that came into the buyer's library by it. */
    entryId: uuid('entry_id'),
    refundedAt: timestamp('refunded_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('order_lines_order').on(table.orderId, table.position),
    index('order_lines_book').on(table.bookId),
    index('order_lines_subscription').on(table.subscriptionId),
    // A line of no known kind, or without its title or plan, could be paid and never delivered.
    check(
      'order_lines_kind',
      sql`case ${table.kind}
        when 'title' then ${table.bookId} is not null and ${table.plan} is null and ${table.subscriptionId} is null
        when 'membership' then ${table.plan} is not null and ${table.bookId} is null and ${table.entryId} is null
        when 'membership_gift' then ${table.plan} is not null and ${table.giftDetails} is not null
          and ${table.bookId} is null and ${table.entryId} is null and ${table.subscriptionId} is null
        else false end`,
    ),
  ],
)

/** The one payment of an order; free orders have one of type `free` without an intent. */
export const payments = pgTable('payments', {
  id: uuid().primaryKey().defaultRandom(),
  orderId: uuid('order_id')
    .notNull()
    .unique()
    .references(() => orders.id, { onDelete: 'cascade' }),
  /** The provider's; null until it was made, and for free orders. */
  intentId: text('intent_id').unique(),
  /** Written by the release before this one alone; the provider tells it to whoever comes back. */
  clientSecret: text('client_secret'),
  type: text({ enum: ['card', 'paypal', 'free'] }),
  last4: text(),
  /** When the provider was last asked by the reconciliation. */
  checkedAt: timestamp('checked_at', { withTimezone: true }),
  /** Why it failed, how often in a row, and when it may be asked again. */
  checkProblem: text('check_problem'),
  checkFailures: integer('check_failures').notNull().default(0),
  checkAfter: timestamp('check_after', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Each try to pay, once, also where a later one succeeded. */
export const paymentTries = pgTable(
  'payment_tries',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** What tells it from the other tries: seen twice, it is one row. */
    key: text().notNull().unique(),
    /** Null for a payment of a membership that never became an order, and for one that belongs to no order here. */
    orderId: uuid('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    /** The provider's `pi_…`; null while there was none. */
    intentId: text('intent_id'),
    /** `unanswered`: the provider was away. `misfit`: it was paid, and is not what its order costs. */
    outcome: text({ enum: ['paid', 'refused', 'unanswered', 'misfit'] }).notNull(),
    /** In the provider's word: `insufficient_funds` … */
    reason: text(),
    triedAt: timestamp('tried_at', { withTimezone: true }).notNull(),
    /** Of a misfit: when all of it had gone back. */
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (table) => [
    index('payment_tries_order').on(table.orderId),
    index('payment_tries_subscription').on(table.subscriptionId),
    index('payment_tries_misfit')
      .on(table.triedAt)
      .where(sql`${table.outcome} = 'misfit'`),
  ],
)

/** The provider's messages that have been acted on, so that a repeat does nothing. */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('provider_events_received').on(table.receivedAt)],
)

/** One row: all that the provider told before this moment was settled, or given up. */
export const eventCursor = pgTable('event_cursor', {
  id: integer().primaryKey(),
  settledUntil: timestamp('settled_until', { withTimezone: true }).notNull(),
})
