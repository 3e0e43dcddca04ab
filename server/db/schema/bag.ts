import { boolean, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { realTime } from './instants.ts'

/** A guest's bag is open to all who know its id. Once merged it stays as a pointer, so that merging can be repeated. */
export const carts = pgTable(
  'carts',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    mergedInto: uuid('merged_into'),
    couponCode: text('coupon_code'),
    createdAt: realTime('created_at').notNull().defaultNow(),
    updatedAt: realTime('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('carts_user').on(table.userId)],
)

export const cartItems = pgTable(
  'cart_items',
  {
    id: uuid().primaryKey().defaultRandom(),
    cartId: uuid('cart_id')
      .notNull()
      .references(() => carts.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    gift: boolean().notNull().default(false),
    giftEmail: text('gift_email'),
    giftMessage: text('gift_message'),
    /** `2026-12-25`; null for at once. */
    giftDay: text('gift_day'),
    giftZone: text('gift_zone'),
    addedAt: realTime('added_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('cart_items_once').on(table.cartId, table.bookId)],
)
