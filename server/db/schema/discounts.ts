import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { businessTime } from './instants.ts'

export const discounts = pgTable(
  'discounts',
  {
    code: text().primaryKey(),
    type: text({ enum: ['cheapest_book', 'all', 'subscription', 'monthly', 'yearly', 'book'] }).notNull(),
    percent: integer(),
    amountMinor: integer('amount_minor'),
    active: boolean().notNull().default(true),
    stoppedAt: businessTime('stopped_at'),
    startsAt: businessTime('starts_at'),
    endsAt: businessTime('ends_at'),
    bookIds: integer('book_ids').array(),
    oncePerAccount: boolean('once_per_account').notNull().default(false),
    uses: integer(),
    /** If a later import of this folder lacks the code, the code is stopped. */
    folder: text(),
    /** For memberships: how long the discount lasts; null means once. */
    duration: text({ enum: ['once', 'repeating', 'forever'] }),
    durationMonths: integer('duration_months'),
  },
  ({ percent, amountMinor }) => [
    check(
      'discounts_one_kind',
      sql`(${percent} is null) <> (${amountMinor} is null) and coalesce(${percent} between 1 and 100, true) and coalesce(${amountMinor} > 0, true)`,
    ),
  ],
)

export const discountUses = pgTable(
  'discount_uses',
  {
    id: uuid().primaryKey().defaultRandom(),
    code: text().notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for uses from before orders were recorded. */
    orderId: uuid('order_id').unique(),
    usedAt: businessTime('used_at').notNull().defaultNow(),
  },
  (table) => [index('discount_uses_user').on(table.userId, table.code)],
)
