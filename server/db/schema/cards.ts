import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  date,
  index,
  integer,
  pgSequence,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { outlets, users } from './accounts.ts'
import { books } from './catalogue.ts'
import { orderLines, orders } from './orders.ts'
import { businessTime, realTime } from './instants.ts'

export const cardBatches = pgTable('card_batches', {
  id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1001 }),
  bookId: integer('book_id')
    .notNull()
    .references(() => books.id),
  outletId: uuid('outlet_id').references(() => outlets.id),
  priceMinor: integer('price_minor').notNull(),
  madeAt: businessTime('made_at').notNull(),
})

/** Every change happens under the lock of this row. */
export const cards = pgTable(
  'cards',
  {
    id: uuid().primaryKey().defaultRandom(),
    batchId: integer('batch_id')
      .notNull()
      .references(() => cardBatches.id),
    /** Printed on the outside. It activates the card and nothing else. */
    number: text().notNull().unique(),
    codeHash: text('code_hash').notNull().unique(),
    redeemedAt: businessTime('redeemed_at'),
    redeemedBy: uuid('redeemed_by').references(() => users.id, { onDelete: 'set null' }),
    orderId: uuid('order_id').references(() => orders.id, { onDelete: 'set null' }),
    voidedAt: businessTime('voided_at'),
    replacedBy: uuid('replaced_by').references((): AnyPgColumn => cards.id),
  },
  (table) => [
    index('cards_batch').on(table.batchId),
    index('cards_order').on(table.orderId),
    index('cards_redeemed_by')
      .on(table.redeemedBy)
      .where(sql`${table.redeemedBy} is not null`),
    check('cards_void_or_redeemed', sql`${table.voidedAt} is null or ${table.redeemedAt} is null`),
  ],
)

/** A card sold at a bookshop: a sale to the bookshop, on the terms of that day. */
export const cardActivations = pgTable(
  'card_activations',
  {
    id: uuid().primaryKey().defaultRandom(),
    cardId: uuid('card_id')
      .notNull()
      .references(() => cards.id),
    outletId: uuid('outlet_id')
      .notNull()
      .references(() => outlets.id),
    activatedAt: businessTime('activated_at').notNull(),
    takenBackAt: businessTime('taken_back_at'),
    buyerEmail: text('buyer_email'),
  },
  (table) => [
    // A card can only have one sale that was not taken back.
    uniqueIndex('card_activations_standing')
      .on(table.cardId)
      .where(sql`${table.takenBackAt} is null`),
    index('card_activations_outlet').on(table.outletId, table.activatedAt.desc()),
    index('card_activations_buyer')
      .on(table.activatedAt)
      .where(sql`${table.buyerEmail} is not null`),
  ],
)

export const cardTitles = pgTable('card_titles', {
  bookId: integer('book_id')
    .primaryKey()
    .references(() => books.id, { onDelete: 'cascade' }),
  since: businessTime('since').notNull(),
})

/** The bookshop that earns a commission on a reader's purchases: the one whose card the reader redeemed first. */
export const outletReaders = pgTable(
  'outlet_readers',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    outletId: uuid('outlet_id')
      .notNull()
      .references(() => outlets.id),
    since: businessTime('since').notNull(),
    /** Exclusive. */
    until: businessTime('until').notNull(),
  },
  (table) => [index('outlet_readers_outlet').on(table.outletId)],
)

export const outletStatementNumbers = pgSequence('outlet_statement_numbers', { startWith: 1001 })

/** Never changed, except for its payment. */
export const outletStatements = pgTable(
  'outlet_statements',
  {
    id: uuid().primaryKey().defaultRandom(),
    number: text()
      .notNull()
      .unique()
      .default(sql`'S-' || nextval('outlet_statement_numbers')`),
    outletId: uuid('outlet_id')
      .notNull()
      .references(() => outlets.id),
    /** Days in the shop's time zone, both inclusive. */
    from: date('from_day', { mode: 'string' }).notNull(),
    to: date('to_day', { mode: 'string' }).notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    madeAt: businessTime('made_at').notNull(),
    /** The day on which the bank had the payment, and who of the staff said so. */
    paidOn: date('paid_on', { mode: 'string' }),
    paidBy: text('paid_by'),
    remindedAt: businessTime('reminded_at'),
  },
  (table) => [uniqueIndex('outlet_statements_month').on(table.outletId, table.from)],
)

/** Corrections are separate entries. */
export const outletLines = pgTable(
  'outlet_lines',
  {
    id: uuid().primaryKey().defaultRandom(),
    outletId: uuid('outlet_id')
      .notNull()
      .references(() => outlets.id),
    kind: text({
      enum: ['card', 'card_taken_back', 'commission', 'commission_taken_back', 'commission_given_back'],
    }).notNull(),
    at: businessTime('at').notNull(),
    activationId: uuid('activation_id').references(() => cardActivations.id),
    orderLineId: uuid('order_line_id').references(() => orderLines.id, { onDelete: 'set null' }),
    /** Empty for commissions, because a reader's purchases are private. */
    title: text(),
    ending: text(),
    /** The card's price, or the amount paid without VAT; negative if taken back. */
    ofMinor: integer('of_minor').notNull(),
    percent: integer().notNull(),
    /** What the bookshop owes; negative for a commission. */
    amountMinor: integer('amount_minor').notNull(),
    vatMinor: integer('vat_minor').notNull().default(0),
    statementId: uuid('statement_id').references(() => outletStatements.id),
  },
  (table) => [
    uniqueIndex('outlet_lines_card').on(table.activationId, table.kind),
    uniqueIndex('outlet_lines_commission').on(table.orderLineId, table.kind),
    index('outlet_lines_open')
      .on(table.outletId, table.at)
      .where(sql`${table.statementId} is null`),
    index('outlet_lines_at').on(table.outletId, table.at),
    index('outlet_lines_statement').on(table.statementId),
    check(
      'outlet_lines_kind',
      sql`case when ${table.kind} in ('card', 'card_taken_back') then ${table.activationId} is not null else ${table.activationId} is null end`,
    ),
  ],
)

/** From the public form on `/reseller`. Deleted after a year. */
export const starterPackRequests = pgTable(
  'starter_pack_requests',
  {
    id: uuid().primaryKey().defaultRandom(),
    shopName: text('shop_name').notNull(),
    contact: text().notNull(),
    /** In lower case; not confirmed. */
    email: text().notNull(),
    town: text().notNull(),
    packs: integer().notNull(),
    askedAt: realTime('asked_at').notNull(),
    doneAt: realTime('done_at'),
  },
  (table) => [
    // Sending the form twice stores one request.
    uniqueIndex('starter_pack_requests_open')
      .on(table.email, table.shopName, table.contact, table.town, table.packs)
      .where(sql`${table.doneAt} is null`),
    index('starter_pack_requests_email').on(table.email),
  ],
)
