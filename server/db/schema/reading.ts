import { doublePrecision, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { deviceTime } from './instants.ts'

export const readingPlaces = pgTable(
  'user_e_book_places',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    locator: text().notNull(),
    share: doublePrecision().notNull(),
    readAt: deviceTime('read_at').notNull(),
    eventId: uuid('event_id'),
    deviceId: uuid('device_id'),
    sequence: integer().notNull().default(0),
  },
  (table) => [uniqueIndex('user_e_book_places_once').on(table.userId, table.bookId)],
)
