import { boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'

/** A membership of one account, in the payment provider's words (OP-78). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    plan: integer().notNull(),
    status: text({ enum: ['active', 'trialing', 'past_due', 'canceled', 'incomplete', 'unpaid'] }).notNull(),
    orderedAt: timestamp('ordered_at', { withTimezone: true }).notNull().defaultNow(),
    periodStart: timestamp('period_start', { withTimezone: true }).notNull(),
    periodEnd: timestamp('period_end', { withTimezone: true }).notNull(),
    /** Benefits end here, whatever the status says. */
    validUntil: timestamp('valid_until', { withTimezone: true }).notNull(),
    canceledAt: timestamp('canceled_at', { withTimezone: true }),
    /** When the first charge failed since the last one that went through. */
    paymentFailedAt: timestamp('payment_failed_at', { withTimezone: true }),
    gift: boolean().notNull().default(false),
    paymentType: text('payment_type', { enum: ['card', 'paypal'] }),
    cardLast4: text('card_last4'),
    percentDiscount: integer('percent_discount'),
    discountDuration: text('discount_duration', { enum: ['once', 'repeating', 'forever'] }),
    discountDurationMonths: integer('discount_duration_months'),
  },
  (table) => [index('subscriptions_user').on(table.userId, table.orderedAt.desc())],
)

/** Free audiobooks of an account, usable until they end; one is spent with one title, once (OP-15). */
export const credits = pgTable(
  'credits',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    usableUntil: timestamp('usable_until', { withTimezone: true }).notNull(),
    spentAt: timestamp('spent_at', { withTimezone: true }),
    bookId: integer('book_id').references(() => books.id),
  },
  (table) => [
    index('credits_user').on(table.userId, table.usableUntil),
    uniqueIndex('credits_book_once').on(table.userId, table.bookId),
  ],
)
