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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { WALLETS } from '#contract/wallets.ts'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { subscriptions } from './membership.ts'
import { businessTime, realTime } from './instants.ts'

export interface GiftDetails {
  readonly firstName: string | null
  /** `2026-12-25` in `zone`; null for at once. */
  readonly day: string | null
  readonly zone: string
  readonly christmas: boolean
}

export const orderNumbers = pgSequence('order_numbers', { startWith: 100_001 })

/** Stored before money moves; lines never change. By law it outlives its account, without personal data. */
export const orders = pgTable(
  'orders',
  {
    id: uuid().primaryKey().defaultRandom(),
    number: text()
      .notNull()
      .unique()
      .default(sql`'M-' || nextval('order_numbers')`),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** What was checked out; both are null for a title taken without money. One order per source waits. */
    sourceKind: text('source_kind', { enum: ['cart', 'title', 'membership_gift', 'membership'] }),
    /** The cart, the membership, or an id derived from what is bought (`checkout/derived-id.ts`). */
    sourceId: uuid('source_id'),
    /** No money was paid (free title, credit, card): no receipt, no email, in no list. */
    taken: text({ enum: ['free', 'credit', 'card'] }),
    state: text({ enum: ['awaiting_payment', 'paid', 'abandoned'] }).notNull(),
    /** Hash of the order's contents: the same bag at the same prices has the same fingerprint. */
    fingerprint: text().notNull(),
    totalMinor: integer('total_minor').notNull(),
    vatMinor: integer('vat_minor').notNull(),
    beforeDiscountMinor: integer('before_discount_minor').notNull(),
    refundedMinor: integer('refunded_minor').notNull().default(0),
    couponCode: text('coupon_code'),
    percentDiscount: integer('percent_discount'),
    couponReservedUntil: businessTime('coupon_reserved_until'),
    buyerName: text('buyer_name').notNull(),
    buyerEmail: text('buyer_email').notNull(),
    countryCode: text('country_code').notNull(),
    waiverAt: businessTime('waiver_at'),
    /** The text below the button that the buyer pressed to agree; null if they ticked a box. */
    consentWords: text('consent_words'),
    /** The card that paid was saved, as the buyer had asked. */
    savesCard: boolean('saves_card').notNull().default(false),
    createdAt: businessTime('created_at').notNull().defaultNow(),
    paidAt: businessTime('paid_at'),
    disputedAt: businessTime('disputed_at'),
    dispute: text({ enum: ['open', 'won', 'lost'] }),
    /** False if the provider no longer refunds the payment because of a dispute. */
    isRefundable: boolean('is_refundable').notNull().default(true),
  },
  (table) => [
    index('orders_newest').on(table.userId, table.paidAt.desc(), table.id),
    // The office's list, the newest first, and what was sold since a day.
    index('orders_listed')
      .on(sql`coalesce(${table.paidAt}, ${table.createdAt})`, table.id)
      .where(sql`${table.taken} is null`)
      .concurrently(),
    // The office's search for orders by words.
    index('orders_words')
      .using('gin', sql`lower(${table.buyerName} || ' ' || ${table.buyerEmail}) gin_trgm_ops`)
      .concurrently(),
    index('orders_coupon')
      .on(table.couponCode)
      .where(sql`${table.couponCode} is not null`),
    index('orders_disputed')
      .on(table.disputedAt)
      .where(sql`${table.disputedAt} is not null`),
    index('orders_buyer_email')
      .on(sql`lower(${table.buyerEmail})`)
      .where(sql`${table.state} = 'paid'`),
    // One payment per bag, even if the button is clicked repeatedly or on several devices (trap 24).
    uniqueIndex('orders_waiting')
      .on(table.sourceKind, table.sourceId)
      .where(sql`${table.state} = 'awaiting_payment'`),
    check('orders_source', sql`(${table.sourceKind} is null) = (${table.sourceId} is null)`),
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
    /** Determines which of the next columns are set (`features/products`). */
    // The default is for the previous release, which only sold titles and did not set the kind.
    kind: text({ enum: ['title', 'membership', 'membership_gift'] })
      .notNull()
      .default('title'),
    bookId: integer('book_id').references(() => books.id),
    plan: integer(),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    title: text().notNull(),
    originalMinor: integer('original_minor').notNull(),
    priceMinor: integer('price_minor').notNull(),
    vatPercent: integer('vat_percent').notNull(),
    vatMinor: integer('vat_minor').notNull(),
    couponCode: text('coupon_code'),
    percentDiscount: integer('percent_discount'),
    gift: boolean().notNull().default(false),
    giftEmail: text('gift_email'),
    giftMessage: text('gift_message'),
    /** For a title; a membership's day is in `giftDetails`. */
    giftDay: text('gift_day'),
    giftZone: text('gift_zone'),
    giftDetails: jsonb('gift_details').$type<GiftDetails>(),
    membershipGiftId: uuid('membership_gift_id'),
    cartItemId: uuid('cart_item_id'),
    entryId: uuid('entry_id'),
    refundedAt: businessTime('refunded_at'),
    /**
     * When money bought the title: a copy of the order's `paidAt` that a trigger maintains, for sums of sales. Null for
     * other lines, and for titles that were sold more than 60 days before the column existed.
     */
    soldAt: businessTime('sold_at'),
  },
  (table) => [
    uniqueIndex('order_lines_order').on(table.orderId, table.position),
    index('order_lines_book').on(table.bookId),
    index('order_lines_words')
      .using('gin', sql`lower(${table.title} || ' ' || coalesce(${table.giftEmail}, '')) gin_trgm_ops`)
      .concurrently(),
    index('order_lines_sold')
      .on(table.soldAt, table.bookId)
      .where(sql`${table.soldAt} is not null and ${table.refundedAt} is null`)
      .concurrently(),
    index('order_lines_subscription').on(table.subscriptionId),
    // A line of an unknown kind, or without its title or plan, could be paid but never delivered.
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

/** A dashboard refund that fits several lines; the owner decides (`orders/undecided-refunds.ts`). */
export const undecidedRefunds = pgTable(
  'undecided_refunds',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    amountMinor: integer('amount_minor').notNull(),
    foundAt: businessTime('found_at').notNull(),
    decidedAt: businessTime('decided_at'),
  },
  (table) => [
    index('undecided_refunds_order').on(table.orderId),
    index('undecided_refunds_open')
      .on(table.foundAt)
      .where(sql`${table.decidedAt} is null`),
    check('undecided_refunds_amount', sql`${table.amountMinor} > 0`),
  ],
)

/** The payment of an order; free orders have one of type `free` without an intent. */
export const payments = pgTable('payments', {
  id: uuid().primaryKey().defaultRandom(),
  orderId: uuid('order_id')
    .notNull()
    .unique()
    .references(() => orders.id, { onDelete: 'cascade' }),
  /** Null until it is created at the provider, and for free orders. */
  intentId: text('intent_id').unique(),
  /** Only written by the previous release; this one asks the provider for it. */
  clientSecret: text('client_secret'),
  type: text({ enum: ['card', 'paypal', 'free'] }),
  last4: text(),
  /** The wallet that gave the card, if one did. */
  wallet: text({ enum: WALLETS }),
  checkedAt: businessTime('checked_at'),
  checkProblem: text('check_problem'),
  checkFailures: integer('check_failures').notNull().default(0),
  checkAfter: businessTime('check_after'),
  state: text({ enum: ['waiting', 'created', 'paid'] })
    .notNull()
    .generatedAlwaysAs(
      sql`case when type is not null then 'paid' when intent_id is not null then 'created' else 'waiting' end`,
    ),
  createdAt: businessTime('created_at').notNull().defaultNow(),
})

export const paymentTries = pgTable(
  'payment_tries',
  {
    id: uuid().primaryKey().defaultRandom(),
    key: text().notNull().unique(),
    /** Null for a payment that never became an order, or belongs to none here. */
    orderId: uuid('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    intentId: text('intent_id'),
    /** `unanswered`: the provider did not answer. `misfit`: paid, but the amount does not match the order. */
    outcome: text({ enum: ['paid', 'refused', 'unanswered', 'misfit'] }).notNull(),
    reason: text(),
    triedAt: businessTime('tried_at').notNull(),
    /** For a `misfit`: when it was refunded in full. */
    settledAt: businessTime('settled_at'),
  },
  (table) => [
    index('payment_tries_order').on(table.orderId),
    index('payment_tries_subscription').on(table.subscriptionId),
    index('payment_tries_misfit')
      .on(table.triedAt)
      .where(sql`${table.outcome} = 'misfit'`),
  ],
)

/** Webhook events that were processed, so that a repeat does nothing. */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    receivedAt: realTime('received_at').notNull().defaultNow(),
  },
  (table) => [index('provider_events_received').on(table.receivedAt)],
)

/** One row: all provider events before this time were processed or given up. */
export const eventCursor = pgTable('event_cursor', {
  id: integer().primaryKey(),
  settledUntil: businessTime('settled_until').notNull(),
})

/** Refunds. A row exists before the provider is asked, and stays until the provider has paid the money back. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid().primaryKey().defaultRandom(),
    reason: text({
      enum: [
        'withdrawal',
        'gift-withdrawal',
        'gift-taken-back',
        'unneeded',
        'closed-account',
        'double-join',
        'owner',
      ],
    }).notNull(),
    /** What it is for, so that the same thing is refunded once. */
    key: text().notNull().unique(),
    /** Null for a charge that never became an order. */
    orderId: uuid('order_id'),
    invoiceId: text('invoice_id'),
    paymentId: text('payment_id'),
    amountMinor: integer('amount_minor').notNull(),
    /** The order lines that it refunds, if they were chosen; their titles leave the library once the money was sent. */
    lineIds: uuid('line_ids').array(),
    /** A goodwill refund: the titles stay in the library. */
    keepsLines: boolean('keeps_lines').notNull().default(false),
    /** `asked`: perhaps already at the provider. `sent`: accepted by it. `refused`, `failed`: still owed. */
    state: text({ enum: ['asked', 'sent', 'done', 'refused', 'failed'] }).notNull(),
    /** Null unless the provider has a refund that can succeed. */
    providerId: text('provider_id').unique(),
    problem: text(),
    attempts: integer().notNull().default(0),
    nextTryAt: businessTime('next_try_at'),
    createdAt: businessTime('created_at').notNull(),
    updatedAt: businessTime('updated_at').notNull(),
  },
  (table) => [
    index('refunds_due')
      .on(table.nextTryAt)
      .where(sql`${table.nextTryAt} is not null`),
    index('refunds_payment').on(table.paymentId),
    index('refunds_order').on(table.orderId),
    check('refunds_amount', sql`${table.amountMinor} > 0`),
  ],
)
