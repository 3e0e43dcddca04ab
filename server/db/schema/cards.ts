import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { outlets, users } from './accounts.ts'
import { books } from './catalogue.ts'
import { orders } from './orders.ts'
import { businessTime } from './instants.ts'

export const cardBatches = pgTable('card_batches', {
  id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1001 }),
  bookId: integer('book_id')
    .notNull()
    .references(() => books.id),
  /** The only bookshop that may sell them; null for all. */
  outletId: uuid('outlet_id').references(() => outlets.id),
  priceMinor: integer('price_minor').notNull(),
  madeAt: businessTime('made_at').notNull(),
})

/** A printed card with an audiobook. Every change happens under the lock of this row. */
export const cards = pgTable(
  'cards',
  {
    id: uuid().primaryKey().defaultRandom(),
    batchId: integer('batch_id')
      .notNull()
      .references(() => cardBatches.id),
    /** Printed on the outside. It activates the card and nothing else. */
    number: text().notNull().unique(),
    /** Hash of the hidden code, which redeems the card. */
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
    /** Moves to the replacement if the card is replaced. */
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

/** Since when a title is available as a card; a job updates it daily. */
export const cardTitles = pgTable('card_titles', {
  bookId: integer('book_id')
    .primaryKey()
    .references(() => books.id, { onDelete: 'cascade' }),
  since: businessTime('since').notNull(),
})
