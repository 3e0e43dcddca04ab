import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { deviceTime } from './instants.ts'

/**
 * Queues and shelves: a row for each title and each shelf. Devices create the ids, so two accounts may have the same
 * one.
 */
export const listRows = pgTable(
  'user_list_rows',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    kind: text({ enum: ['queue', 'shelf', 'shelf_title'] }).notNull(),
    /** For a title on a shelf. The shelf's own row may arrive later. */
    shelfId: uuid('shelf_id'),
    bookId: integer('book_id').references(() => books.id),
    name: text().notNull().default(''),
    /** A fractional index, compared bytewise. */
    position: text().notNull(),
    changedAt: deviceTime('changed_at').notNull(),
    eventId: uuid('event_id'),
    deviceId: uuid('device_id'),
    sequence: integer().notNull().default(0),
    /** A removed row keeps its id, so that an older change does not bring it back. */
    removedAt: deviceTime('removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('user_list_rows_of')
      .on(table.userId, table.kind)
      .where(sql`${table.removedAt} is null`),
    index('user_list_rows_book').on(table.bookId),
  ],
)
